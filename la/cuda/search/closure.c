/*
 * The closure over semirings that settle: a direction-optimising breadth-first
 * search (Beamer, Asanovic, Patterson, SC 2012). Where any parent is as good it is one
 * launch (search.c). With the least or greatest parent, or with targets, the host
 * chooses each step's way by counts that the step before left, and one block runs
 * narrow levels by itself.
 */
#include "layout.h"
#include "search.h"

/* A search under way. pi's bits are what is visited: pi is written in place. */
typedef struct {
    sl_call *call;
    const sl_closure_options *options;
    cuda_search s;
    cuda_vector *pi, *level;
    uint64_t edges;      /* of the matrix */
    uint64_t head, tail; /* the frontier in the queue, unless it is */
    bool in_bits;
    uint32_t *frontier, *found; /* bits, of pulls */
    uint32_t *settled;          /* bits: what pi held at the start; where there is a level */
    uint64_t *scan;
    void *cub;
    size_t cub_bytes;
    cuda_mailbox *boxes; /* on the device, as the host's mailbox */
    void *scratch;       /* all of these */
    uint64_t steps;      /* done */
    uint64_t targets, targets_left;
    sl_plan plan;
} run;

static sl_status check(const run *r, const char *what, cudaError_t error)
{
    return sl_cuda_status(r->call->ctx, what, error);
}

/* ---- scratch ------------------------------------------------------------------- */

enum { ALIGNMENT = 256 };

/* The next `bytes` of the scratch, which begins at `base` or is only measured. */
static void *take(char *base, uint64_t *used, uint64_t bytes)
{
    void *at = base ? base + *used : NULL;
    *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

/* Lays the scratch out from r->scratch; returns its bytes. */
static uint64_t lay_out(run *r, uint64_t queue)
{
    uint64_t used = 0, bits = r->s.words * sizeof(uint32_t);
    char *base = r->scratch;
    r->boxes = take(base, &used, sizeof *r->boxes);
    r->s.queue = take(base, &used, queue * sizeof *r->s.queue);
    r->scan = take(base, &used, r->s.n * sizeof *r->scan);
    r->cub = take(base, &used, r->cub_bytes);
    r->frontier = take(base, &used, bits);
    r->found = take(base, &used, bits);
    if (r->options->level)
        r->settled = take(base, &used, bits);
    return used;
}

static sl_status allocate(run *r, uint64_t first_frontier)
{
    /* Each vertex enters the queue once by q and once by being found. */
    uint64_t queue = r->s.n + first_frontier;
    CUDA_TRY(check(r, "scratch of a scan", sl_cuda_push_scratch(&r->cub_bytes, r->s.n)));
    CUDA_TRY(sl_cuda_alloc(r->call->ctx, &r->scratch, lay_out(r, queue)));
    lay_out(r, queue);
    r->s.counts = r->boxes->counts;
    return sl_cuda_zero(r->call->ctx, r->boxes, sizeof *r->boxes);
}

/* Brings the counts to the host, when all that was queued is done. */
static sl_status read_counts(const run *r, const char *what)
{
    cuda_mailbox *mailbox = sl_cuda_device()->mailbox;
    CUDA_TRY(
        sl_cuda_download(r->call->ctx, mailbox->counts, r->boxes->counts, sizeof mailbox->counts));
    return sl_cuda_wait(r->call->ctx, what);
}

static sl_status zero_counts(const run *r)
{
    return sl_cuda_zero(r->call->ctx, r->boxes->counts, sizeof r->boxes->counts);
}

/* ---- the frontier, as a queue and as bits ------------------------------------------ */

static sl_status frontier_to_bits(run *r)
{
    if (r->in_bits)
        return SL_OK;
    CUDA_TRY(sl_cuda_zero(r->call->ctx, r->frontier, r->s.words * sizeof *r->frontier));
    CUDA_TRY(check(
        r, "kernel queue_to_bits",
        sl_cuda_queue_to_bits(&r->s, r->frontier, r->head, r->tail - r->head, cuda_stream())));
    r->head = r->tail;
    r->in_bits = true;
    return SL_OK;
}

static sl_status frontier_to_queue(run *r)
{
    if (!r->in_bits)
        return SL_OK;
    CUDA_TRY(zero_counts(r));
    CUDA_TRY(
        check(r, "kernel bits_to_queue",
              sl_cuda_bits_to_queue(&r->s, r->boxes->counts, r->frontier, r->tail, cuda_stream())));
    r->head = r->tail;
    r->tail += r->plan.frontier;
    r->in_bits = false;
    return SL_OK;
}

/* ---- steps --------------------------------------------------------------------------- */

static uint64_t less(uint64_t a, uint64_t b)
{
    return b < a ? a - b : 0;
}

static sl_status log_step(const run *r, const sl_step *step)
{
    if (!r->options->log || sl_step_log_append(r->options->log, step) == SL_OK)
        return SL_OK;
    return sl_fail(r->call->ctx, SL_NO_MEMORY, "closure: out of memory");
}

/* What a step found is the frontier, and no longer missing. */
static void found(run *r, uint64_t vertices, uint64_t edges)
{
    r->steps++;
    r->pi->nvals += vertices;
    r->plan.frontier = vertices;
    r->plan.push_edges = edges;
    r->plan.missing = less(r->plan.missing, vertices);
    r->plan.missing_edges = less(r->plan.missing_edges, edges);
}

/* The in-edges, made and brought to the device on demand. */
static sl_status prepare_pull(run *r)
{
    sl_matrix *At;
    if (r->s.in_start)
        return SL_OK;
    CUDA_TRY(sl_matrix_pull_side(&At, r->call->traversal->A, true));
    CUDA_TRY(sl_object_reach(&At->object, &sl_store_cuda));
    const cuda_matrix *columns = sl_held(&At->object, &sl_store_cuda);
    r->s.in_start = columns->start;
    r->s.in_index = columns->index;
    return SL_OK;
}

static sl_status push(run *r)
{
    CUDA_TRY(frontier_to_queue(r));
    CUDA_TRY(zero_counts(r));
    return check(r, "kernel push",
                 sl_cuda_push(&r->s, r->head, r->plan.frontier, r->plan.push_edges,
                              (long long)r->steps + 1, r->scan, r->cub, r->cub_bytes,
                              cuda_stream()));
}

static sl_status pull(run *r)
{
    CUDA_TRY(prepare_pull(r));
    CUDA_TRY(frontier_to_bits(r));
    CUDA_TRY(zero_counts(r));
    return check(
        r, "kernel pull",
        sl_cuda_pull(&r->s, r->frontier, r->found, (long long)r->steps + 1, cuda_stream()));
}

static sl_status one_step(run *r, sl_direction direction)
{
    double started = sl_seconds();
    bool pulls = direction == SL_PULL;
    CUDA_TRY(pulls ? pull(r) : push(r));
    CUDA_TRY(read_counts(r, pulls ? "kernel pull" : "kernel push"));
    const cuda_counts *counts = &sl_cuda_device()->mailbox->counts[0];
    sl_step step = {.direction = direction,
                    .edges_exact = true,
                    .frontier = r->plan.frontier,
                    .edges = pulls ? counts->seen : r->plan.push_edges,
                    .seconds = sl_seconds() - started};
    if (pulls) {
        uint32_t *swap = r->frontier;
        r->frontier = r->found;
        r->found = swap;
    } else {
        r->head = r->tail;
        r->tail += counts->vertices;
    }
    found(r, counts->vertices, counts->edges);
    r->targets_left -= counts->targets;
    return log_step(r, &step);
}

/* Steps of one block, of which there are at most `most`. */
static sl_status small_steps(run *r, uint64_t most)
{
    sl_context *ctx = r->call->ctx;
    const sl_closure_options *o = r->options;
    cuda_mailbox *mailbox = sl_cuda_device()->mailbox;
    CUDA_TRY(frontier_to_queue(r));
    CUDA_TRY(
        check(r, "kernel small",
              sl_cuda_small(&r->s, r->head, r->tail, r->plan.push_edges, (long long)r->steps + 1,
                            most, o->until == SL_UNTIL_ALL ? r->targets_left : 1, r->boxes->steps,
                            &r->boxes->result, cuda_stream())));
    CUDA_TRY(sl_cuda_download(ctx, &mailbox->result, &r->boxes->result, sizeof mailbox->result));
    if (o->log)
        CUDA_TRY(sl_cuda_download(ctx, mailbox->steps, r->boxes->steps, sizeof mailbox->steps));
    CUDA_TRY(sl_cuda_wait(ctx, "kernel small"));

    const cuda_small_result *result = &mailbox->result;
    uint64_t all = result->tail - r->tail;
    r->pi->nvals += all;
    r->plan.missing = less(r->plan.missing, all);
    r->steps += result->steps;
    r->head = result->tail - result->frontier;
    r->tail = result->tail;
    r->plan.frontier = result->frontier;
    r->plan.push_edges = result->edges;
    r->plan.missing_edges = less(r->plan.missing_edges, result->found_edges);
    r->targets_left -= result->targets;
    for (uint64_t k = 0; o->log && k < result->steps; k++) {
        const cuda_small_step *done = &mailbox->steps[k];
        sl_step step = {.direction = SL_PUSH,
                        .edges_exact = true,
                        .frontier = done->frontier,
                        .edges = done->edges,
                        .seconds = 1e-9 * (double)done->nanoseconds};
        CUDA_TRY(log_step(r, &step));
    }
    return SL_OK;
}

static bool is_small(const run *r)
{
    return r->plan.frontier <= SMALL_FRONTIER && r->plan.push_edges <= SMALL_EDGES;
}

static sl_status all_steps(run *r)
{
    const sl_closure_options *o = r->options;
    while (r->plan.frontier > 0) {
        bool met = o->until == SL_UNTIL_ALL ? r->targets_left == 0 : r->targets_left < r->targets;
        if ((o->targets && met) || (o->bounded && r->steps >= o->max_steps))
            return SL_OK;
        sl_direction direction = o->direction;
        if (direction == SL_AUTO) {
            sl_plan_decide(&r->plan, r->s.n, r->edges);
            direction = r->plan.direction;
        }
        if (direction == SL_PUSH && is_small(r))
            CUDA_TRY(small_steps(r, o->bounded ? o->max_steps - r->steps : UINT64_MAX));
        else
            CUDA_TRY(one_step(r, direction));
    }
    return SL_OK;
}

/* ---- begin and end --------------------------------------------------------------------- */

/* The frontier is q; what pi holds is visited, and targets there are met. */
static sl_status begin(run *r, const cuda_vector *q)
{
    cuda_counts *counts = r->boxes->counts;
    CUDA_TRY(zero_counts(r));
    CUDA_TRY(check(r, "kernel bits_to_queue",
                   sl_cuda_bits_to_queue(&r->s, &counts[0], q->bits, 0, cuda_stream())));
    CUDA_TRY(
        check(r, "kernel count", sl_cuda_count(&r->s, &counts[0], q->bits, NULL, cuda_stream())));
    CUDA_TRY(check(r, "kernel count",
                   sl_cuda_count(&r->s, &counts[1], r->pi->bits, NULL, cuda_stream())));
    if (r->s.targets)
        CUDA_TRY(check(r, "kernel count",
                       sl_cuda_count(&r->s, &counts[2], r->s.targets, r->pi->bits, cuda_stream())));
    if (r->settled)
        CUDA_TRY(
            sl_cuda_copy(r->call->ctx, r->settled, r->pi->bits, r->s.words * sizeof *r->settled));
    if (r->s.choice != CUDA_ANY)
        CUDA_TRY(check(r, "kernel clear_parents", sl_cuda_clear_parents(&r->s, cuda_stream())));
    CUDA_TRY(read_counts(r, "the beginning of a search"));
    const cuda_counts *read = sl_cuda_device()->mailbox->counts;
    r->tail = q->nvals;
    r->plan.frontier = q->nvals;
    r->plan.push_edges = read[0].edges;
    r->plan.missing = r->s.n - r->pi->nvals;
    r->plan.missing_edges = r->edges - read[1].edges;
    r->targets_left = r->targets - read[2].vertices;
    return SL_OK;
}

/* What was visited and was not before becomes entries of level. */
static sl_status end(run *r)
{
    if (!r->level)
        return SL_OK;
    CUDA_TRY(zero_counts(r));
    CUDA_TRY(check(
        r, "kernel add_found",
        sl_cuda_add_found(&r->s, r->level->bits, r->settled, r->boxes->counts, cuda_stream())));
    CUDA_TRY(read_counts(r, "the end of a search"));
    r->level->nvals += sl_cuda_device()->mailbox->counts[0].vertices;
    return SL_OK;
}

static cuda_choice choice_of(sl_semiring semiring)
{
    if (!semiring->result_is_index)
        return CUDA_ANY;
    switch (semiring->add->code) {
    case SL_MONOID_MIN:
        return CUDA_MIN;
    case SL_MONOID_MAX:
        return CUDA_MAX;
    default:
        return CUDA_ANY;
    }
}

bool sl_cuda_searches_at_once(const sl_call *call)
{
    return sl_semiring_searches(call->semiring) && choice_of(call->semiring) == CUDA_ANY &&
           !call->traversal->options->targets;
}

static sl_status search(run *r, const cuda_vector *q)
{
    CUDA_TRY(allocate(r, q->nvals));
    sl_status status = begin(r, q);
    if (status == SL_OK) {
        status = all_steps(r);
        sl_status ended = end(r);
        status = status == SL_OK ? ended : status;
    }
    return status;
}

/* A kernel that made a vector did not count its entries. */
static sl_status count_operands(const sl_traversal *t)
{
    const sl_object *vectors[] = {t->q, t->pi, sl_object_of_vector(t->options->level),
                                  sl_object_of_vector(t->options->targets)};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (vectors[k])
            CUDA_TRY(sl_cuda_count_entries(vectors[k], cuda_vector_of(vectors[k])));
    for (size_t k = 1; k < 3; k++) /* pi and level, which are written */
        if (vectors[k])
            sl_cuda_drop_survey(cuda_vector_of(vectors[k]));
    return SL_OK;
}

sl_status sl_cuda_closure(sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_closure_options *o = t->options;
    const cuda_vector *q = cuda_vector_of(t->q);
    const cuda_matrix *A = sl_held(call->a, &sl_store_cuda);
    run r = {.call = call, .options = o, .pi = cuda_vector_of(t->pi), .edges = A->nnz};
    bool parents = call->semiring->result_is_index, done = false;
    if (sl_cuda_searches_at_once(call))
        CUDA_TRY(sl_cuda_search(call, &done));
    if (done)
        return SL_OK;
    if (A->ordered)
        return sl_fail(call->ctx, SL_UNSUPPORTED,
                       "cuda: the matrix is there in the order of searches alone, which are of "
                       "less than 2^%d vertices and 2^%d entries and begin where pi has entries",
                       64 - CUDA_LIST_EDGE_BITS, CUDA_LIST_EDGE_BITS);
    CUDA_TRY(sl_cuda_make_bitmaps_of(t));
    CUDA_TRY(count_operands(t));
    if (q->nvals == 0)
        return SL_OK;
    r.s = (cuda_search){.n = (uint32_t)call->a->nrows,
                        .words = (uint32_t)cuda_words(call->a->nrows),
                        .start = A->start,
                        .index = A->index,
                        .visited = r.pi->bits,
                        .parent = parents ? r.pi->values : NULL,
                        .truth = parents ? NULL : r.pi->values,
                        .choice = choice_of(call->semiring),
                        .multiprocessors = sl_cuda_device()->multiprocessors};
    if (o->level) {
        r.level = cuda_vector_of(sl_object_of_vector(o->level));
        r.s.level = r.level->values;
    }
    if (o->targets) {
        const cuda_vector *targets = cuda_vector_of(sl_object_of_vector(o->targets));
        r.targets = targets->nvals;
        r.s.targets = targets->nvals ? targets->bits : NULL;
    }
    sl_cuda_lock();
    sl_status status = search(&r, q);
    sl_cuda_free(r.scratch);
    sl_cuda_unlock();
    return status;
}

/* Both sides of the matrix on the device: its own has been brought. Where they are one,
 * also in the order in which it is searched best. */
sl_status sl_cuda_optimize(sl_call *call)
{
    sl_matrix *A = (sl_matrix *)call->a, *At;
    CUDA_TRY(sl_matrix_pull_side(&At, A, true));
    CUDA_TRY(sl_object_reach(&At->object, &sl_store_cuda));
    if (At == A)
        CUDA_TRY(sl_cuda_make_layout(call->a, cuda_matrix_of(call->a), call->purpose));
    return sl_cuda_rehearse_search(call);
}
