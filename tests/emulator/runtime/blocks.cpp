/* Runs the threads of a block: switches between fibres, barriers, and warp functions. */
#include "fibres.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <sched.h>
#include <sys/mman.h>
#include <vector>

/* emulator_switch(save, to): keeps the registers that a function preserves on the stack, stores the stack pointer in *save,
 * and continues where the other stack pointer was stored. x86-64 System V. */
asm(R"(
.text
.hidden emulator_switch
.type emulator_switch, @function
emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size emulator_switch, . - emulator_switch
)");
extern "C" void emulator_switch(void **save, void *to);

EMULATOR_LOCAL uint3 blockIdx;
EMULATOR_LOCAL dim3 blockDim, gridDim;

namespace emulator
{

enum { SAVED_REGISTERS = 6 };

struct block {
    const work *kernel;
    emulator::grid *grid;
    unsigned count, alive, waiting;
    const unsigned *order;          /* in which the threads run */
    unsigned position, ran, paused; /* in this turn of all threads */
    vote kind;       /* of the barrier at which threads wait */
    bool whole_grid; /* it is one of the grid */
    unsigned votes;
    fibre *fibres;
    void *scheduler; /* stack pointer */
};

EMULATOR_LOCAL fibre *self;
EMULATOR_LOCAL void *dynamic_shared;

uint3 thread_index()
{
    return self->index;
}
unsigned lane()
{
    return self->lane;
}

[[noreturn]] static void stop(const char *why)
{
    static const char *const states[] = {"ready", "at a warp function", "at a barrier", "ended"};
    const block *b = self->block;
    fprintf(stderr, "emulator: %s: block %u, thread %u; threads:", why, blockIdx.x, self->index.x);
    for (int state = READY; state <= ENDED; state++)
        fprintf(stderr, " %d %s",
                (int)std::count_if(b->fibres, b->fibres + b->count,
                                   [&](const fibre &f) { return f.state == state; }),
                states[state]);
    fprintf(stderr, "\n");
    abort();
}

/* The next thread of this turn that can run; NULL after the last. */
static fibre *next_ready(block *b)
{
    while (b->position < b->count) {
        fibre *f = &b->fibres[b->order[b->position++]];
        if (f->state == READY) {
            b->ran++;
            return f;
        }
    }
    return nullptr;
}

/* Continues another thread, without a detour by the scheduler while there is one in this turn. */
static void to_next()
{
    fibre *me = self, *next = next_ready(me->block);
    if (next)
        self = next;
    emulator_switch(&me->stack_pointer, next ? next->stack_pointer : me->block->scheduler);
}

void pause()
{
    self->block->paused++;
    to_next();
}

/* ---- warp functions ---- */

/* Completes the function in which lane `l` waits, if all lanes of its mask that are alive are there. */
static bool complete(warp *w, unsigned l)
{
    const unsigned lanes = w->mask[l] & w->alive;
    if ((w->waiting & lanes) != lanes)
        return false;
    for (unsigned rest = lanes; rest; rest &= rest - 1)
        if ((w->mask[__builtin_ctz(rest)] & w->alive) != lanes)
            return false;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        fibre *f = w->lane[__builtin_ctz(rest)];
        f->result = w->function[f->lane](w->value, w->argument, lanes, f->lane);
        f->state = READY;
    }
    w->waiting &= ~lanes;
    return true;
}

uint64_t meet(unsigned mask, uint64_t value, int argument, meeting function)
{
    fibre *me = self;
    warp *w = me->warp;
    const unsigned l = me->lane;
    if (!(mask >> l & 1))
        stop("a warp function with a mask that lacks the caller's bit");
    w->mask[l] = mask;
    w->value[l] = value;
    w->argument[l] = argument;
    w->function[l] = function;
    w->waiting |= 1u << l;
    me->state = AT_WARP_FUNCTION;
    if (!complete(w, l))
        to_next();
    return me->result;
}

/* ---- barriers ---- */

static void open_barrier(block *b)
{
    if (b->whole_grid)
        b->grid->wait();
    const unsigned votes = b->votes;
    const uint64_t result = b->kind == VOTE_OR    ? votes > 0
                            : b->kind == VOTE_AND ? votes == b->alive
                                                  : votes;
    for (unsigned k = 0; k < b->count; k++)
        if (b->fibres[k].state == AT_BARRIER) {
            b->fibres[k].result = result;
            b->fibres[k].state = READY;
        }
    b->waiting = b->votes = 0;
}

static int wait_at_barrier(vote kind, bool yes, bool whole_grid)
{
    fibre *me = self;
    block *b = me->block;
    if (b->waiting > 0 && (b->kind != kind || b->whole_grid != whole_grid))
        stop("threads of a block wait at different barriers");
    b->kind = kind;
    b->whole_grid = whole_grid;
    b->votes += yes;
    me->state = AT_BARRIER;
    if (++b->waiting == b->alive)
        open_barrier(b);
    else
        to_next();
    return (int)me->result;
}

int block_barrier(vote kind, bool yes)
{
    return wait_at_barrier(kind, yes, false);
}

void grid_barrier()
{
    if (!self->block->grid)
        stop("a barrier of the grid in a kernel that is not cooperative");
    wait_at_barrier(NO_VOTE, false, true);
}

void grid::open()
{
    waiting = 0;
    turn++;
    opened.notify_all();
}

void grid::wait()
{
    std::unique_lock<std::mutex> held(lock);
    const unsigned long now = turn;
    if (++waiting == alive)
        open();
    else
        opened.wait(held, [&] { return turn != now; });
}

void grid::leave()
{
    std::lock_guard<std::mutex> held(lock);
    if (--alive > 0 && waiting == alive)
        open();
}

/* ---- a block ---- */

/* What a thread of the operating system keeps from one block to the next. */
struct workspace {
    std::vector<fibre> fibres = std::vector<fibre>(MOST_THREADS);
    std::vector<warp> warps = std::vector<warp>(MOST_THREADS / WARP);
    std::vector<unsigned> order;
    std::vector<uint4> shared;
    char *stacks;
    std::mt19937 random{(unsigned)setting("EMULATED_ORDER", 0)};
    workspace()
    {
        stacks = (char *)mmap(nullptr, (size_t)STACK_BYTES * MOST_THREADS, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (stacks == MAP_FAILED)
            abort();
    }
    ~workspace()
    {
        munmap(stacks, (size_t)STACK_BYTES * MOST_THREADS);
    }
};

/* The first function of a fibre. A thread that ends may complete what others wait for. */
static void run_thread()
{
    fibre *me = self;
    block *b = me->block;
    warp *w = me->warp;
    (*b->kernel)();
    me->state = ENDED;
    b->alive--;
    w->alive &= ~(1u << me->lane);
    for (unsigned l = 0; l < WARP; l++)
        if (w->waiting >> l & 1)
            complete(w, l);
    if (b->alive > 0 && b->waiting == b->alive)
        open_barrier(b);
    to_next();
    abort();
}

static void prepare_threads(workspace &w, block *b, const dim3 &size)
{
    w.order.resize(b->count);
    for (unsigned k = 0; k < b->count; k++) {
        fibre *f = &b->fibres[k];
        warp *own = &w.warps[k / WARP];
        if (k % WARP == 0) {
            own->alive = b->count - k >= WARP ? ~0u : (1u << (b->count - k)) - 1;
            own->waiting = 0;
        }
        own->lane[k % WARP] = f;
        /* As if run_thread had been called: the stack is aligned as after a call. */
        void **top = (void **)(w.stacks + (size_t)STACK_BYTES * (k + 1)) - 3;
        *--top = (void *)run_thread;
        top -= SAVED_REGISTERS;
        *f = {top, READY, {k % size.x, k / size.x % size.y, k / size.x / size.y}, k % WARP, own,
              b,   0};
        w.order[k] = k;
    }
    static const bool drawn = setting("EMULATED_ORDER", 0) != 0;
    if (drawn)
        std::shuffle(w.order.begin(), w.order.end(), w.random);
}

void run_block(const launch_shape &shape, uint3 index, const work &kernel, grid *all)
{
    static thread_local workspace w;
    const unsigned count = shape.block.x * shape.block.y * shape.block.z;
    block b = {};
    b.kernel = &kernel;
    b.grid = all;
    b.count = b.alive = count;
    b.fibres = w.fibres.data();
    gridDim = shape.grid;
    blockDim = shape.block;
    blockIdx = index;
    if (w.shared.size() * sizeof(uint4) < shape.shared)
        w.shared.resize(shape.shared / sizeof(uint4) + 1);
    dynamic_shared = w.shared.data();
    prepare_threads(w, &b, shape.block);
    b.order = w.order.data();
    while (b.alive > 0) {
        b.position = b.ran = b.paused = 0;
        fibre *first = next_ready(&b);
        if (!first)
            stop("no thread of the block can continue");
        self = first;
        emulator_switch(&b.scheduler, first->stack_pointer);
        if (b.ran == b.paused) /* all wait for other blocks or processes */
            sched_yield();
    }
}

} // namespace emulator
