/*
 * semla doctor: lists what is installed and checks whether the parts work together: each engine
 * searches a small graph, the NVIDIA driver must be as new as the CUDA runtime of the build, MPI must
 * be able to reach GPU memory. A part that is missing but not needed is no fault.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command_output.h"
#include "cli/grid_ranks.h"
#include "cli/json.h"
#include "cli/machine.h"
#include "cli/options.h"
#include "cli/tree.h"

#ifdef SEMLA_HAS_MPI
#include <semla/mpi_module.h>
#endif

/* ---- the list of findings ------------------------------------------------ */

typedef enum { OK, ABSENT, WARNING, FAULT } finding_verdict;
static const char *const verdict_names[] = {"ok", "absent", "warning", "fault"};

typedef struct {
    finding_verdict verdict;
    const char *part; /* static */
    char text[320];
} finding;

enum { MOST_FINDINGS = 48 };
typedef struct {
    finding at[MOST_FINDINGS];
    size_t count;
    bool cpu_works; /* every engine of the host gave a valid tree */
} findings;

static void add(findings *f, finding_verdict verdict, const char *part, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add(findings *f, finding_verdict verdict, const char *part, const char *format, ...)
{
    va_list list;
    if (f->count == MOST_FINDINGS)
        return;
    finding *next = &f->at[f->count++];
    *next = (finding){.verdict = verdict, .part = part};
    va_start(list, format);
    vsnprintf(next->text, sizeof next->text, format, list);
    va_end(list);
}

/* ---- the machine and libraries ----------------------------------------------- */

static void check_machine(findings *f)
{
    const machine m = machine_describe();
    library_version libraries[MACHINE_LIBRARIES];
#ifdef SEMLA_HAS_MPI
    add(f, OK, "semla", "%s, build %s", sl_version(), sl_build_id); /* ranks must agree on both */
#else
    add(f, OK, "semla", "%s", sl_version());
#endif
    add(f, OK, "system", "%s", m.system);
    add(f, OK, "processor", "%s%s%d that this process may use", m.processor,
        *m.processor ? ", " : "", m.processors);
    if (m.threads > m.processors)
        add(f, WARNING, "threads",
            "%d, but only %d processors: threads wait for each other; set OMP_NUM_THREADS=%d",
            m.threads, m.processors, m.processors);
    else
        add(f, OK, "threads", "%d (OMP_NUM_THREADS or --threads changes that)", m.threads);
    const double least = 5e8;
    add(f, (double)m.available_memory < least ? WARNING : OK, "memory",
        "%.1f GB, of which %.1f GB are available", 1e-9 * (double)m.memory,
        1e-9 * (double)m.available_memory);
    machine_libraries(libraries);
    for (int k = 0; k < MACHINE_LIBRARIES; k++)
        add(f, *libraries[k].version ? OK : WARNING, libraries[k].name, "%s",
            *libraries[k].version ? libraries[k].version : "its version is unknown");
}

/* ---- engines ------------------------------------------------------------------ */

/* Searches a small graph on an engine and validates the tree. */
static sl_status search(sl_check_result *result, sl_context *ctx)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 10, .edge_factor = 8};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    sl_matrix *A = NULL;
    sl_vector *parent = NULL, *level = NULL;
    int64_t *degrees = NULL;
    tree t = {0};
    uint64_t source = 0;
    sl_status status = sl_matrix_generate(&A, ctx, &model, &options);
    if (status == SL_OK)
        status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL);
    if (status == SL_OK)
        status = graph_degrees(&degrees, A, false);
    if (status == SL_OK) {
        source = greatest_degree(degrees, sl_matrix_nrows(A));
        status = sl_bfs(&parent, &level, A, source, NULL);
    }
    if (status == SL_OK)
        status = tree_of_vectors(&t, parent, level);
    if (status == SL_OK)
        status = tree_validate(result, &t, A, source, -1);
    tree_free(&t);
    sl_free(degrees);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_matrix_free(A);
    return status;
}

static void check_engine(findings *f, const sl_engine_info *engine)
{
    sl_context *ctx;
    sl_check_result result = {0};
    const bool on_host = engine->choice != SL_ENGINE_CUDA;
    if (!engine->present) {
        add(f, on_host ? FAULT : ABSENT, engine->name, "%s", engine->unavailable_reason);
        f->cpu_works = f->cpu_works && !on_host;
        return;
    }
    sl_status status = sl_context_create(&ctx, engine->choice);
    if (status == SL_OK)
        status = search(&result, ctx);
    if (status == SL_OK && result.valid)
        add(f, OK, engine->name, "%s%sa search of a small graph is valid", engine->version,
            *engine->version ? "; " : "");
    else
        add(f, FAULT, engine->name, "a search of a small graph fails: %s",
            status == SL_OK ? result.reason
            : ctx           ? sl_context_message(ctx)
                            : sl_status_string(status));
    f->cpu_works = f->cpu_works && (!on_host || (status == SL_OK && result.valid));
    sl_context_free(ctx);
}

static void check_engines(findings *f)
{
    sl_engine_info engine;
    int major = 0, minor = 0;
    for (size_t k = 0; sl_engine_describe(k, &engine) == SL_OK; k++)
        if (engine.choice == SL_ENGINE_SUITESPARSE) {
            const bool read = sscanf(engine.version, "%d.%d", &major, &minor) == 2;
            const bool supported = read && (major > 7 || (major == 7 && minor >= 4)) && major <= 10;
            add(f, supported ? OK : WARNING, "SuiteSparse:GraphBLAS", "%s%s", engine.version,
                supported ? " (supported: 7.4 to 10.x)"
                          : ": not tested; supported are 7.4 to 10.x");
        }
    f->cpu_works = true;
    for (size_t k = 0; sl_engine_describe(k, &engine) == SL_OK; k++)
        check_engine(f, &engine);
}

/* ---- GPUs ------------------------------------------------------------------------ */

static void check_cuda(findings *f)
{
    cuda_driver d;
    int major = 0, minor = 0;
    const char *runtime = machine_cuda_runtime();
    machine_cuda(&d);
    if (runtime)
        add(f, OK, "CUDA runtime", "%s, part of libsemla", runtime);
    else
        add(f, ABSENT, "CUDA runtime", "this semla was built without CUDA");
    if (!d.present)
        add(f, ABSENT, "NVIDIA driver", "%s", d.absence);
    else if (runtime && sscanf(runtime, "%d.%d", &major, &minor) == 2 && d.version / 1000 < major)
        add(f, FAULT, "NVIDIA driver",
            "for CUDA up to %d.%d; the runtime of this semla needs a driver for CUDA %d",
            d.version / 1000, d.version % 1000 / 10, major);
    else
        add(f, OK, "NVIDIA driver", "for CUDA up to %d.%d", d.version / 1000,
            d.version % 1000 / 10);
    for (int k = 0; k < d.gpus && k < MACHINE_MOST_GPUS; k++)
        add(f, 10 * d.gpu[k].major + d.gpu[k].minor < 75 ? WARNING : OK, "GPU",
            "%s, %.0f GB, compute capability %d.%d (needed: 7.5)", d.gpu[k].name,
            1e-9 * (double)d.gpu[k].memory, d.gpu[k].major, d.gpu[k].minor);
    const int nccl = d.gpus > 1 ? machine_nccl() : 0;
    if (nccl)
        add(f, OK, "NCCL", "%d.%d.%d", nccl / 10000, nccl % 10000 / 100, nccl % 100);
    else if (d.gpus > 1)
        add(f, ABSENT, "NCCL", "libnccl.so.2 was not found (SEMLA_NCCL names its file)");
    else
        add(f, ABSENT, "NCCL", "not needed: there are fewer than two GPUs");
}

/* ---- MPI --------------------------------------------------------------------------- */

/* Whether a program is in one of the folders of PATH. */
static bool is_in_path(const char *program)
{
    char *path = strdup(getenv("PATH") ? getenv("PATH") : ""), *rest = path;
    bool found = false;
    if (!path)
        out_of_memory();
    for (char *folder; !found && (folder = strsep(&rest, ":"));) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", folder, program);
        found = access(name, X_OK) == 0;
    }
    free(path);
    return found;
}

/* What a start of MPI showed. */
typedef enum { MPI_ABSENT, MPI_FAILS, MPI_STARTS } mpi_probe;

#ifdef SEMLA_HAS_MPI

/* Starts MPI in a child process, because a start that fails ends the process, and may hang. Call it
 * before threads and devices are used. */
static mpi_probe probe_mpi(void)
{
    enum { PATIENCE = 20 }; /* seconds */
    int status = 0;
    const sl_mpi_module *mpi = sl_mpi_load(NULL);
    if (!mpi)
        return MPI_ABSENT;
    if (mpi->is_started())
        return MPI_STARTS;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(PATIENCE);
        const mpi_probe result = mpi->start() ? MPI_STARTS : MPI_FAILS;
        if (result != MPI_FAILS)
            mpi->finish();
        _exit((int)result);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return MPI_FAILS;
    return WEXITSTATUS(status) == MPI_STARTS ? MPI_STARTS : MPI_FAILS;
}

#else

static mpi_probe probe_mpi(void)
{
    return MPI_ABSENT;
}

#endif

static void check_mpi(findings *f, mpi_probe probe)
{
    const grid_mpi mpi = grid_describe_mpi();
    if (mpi.absence) {
        add(f, ABSENT, "MPI", "no grids: %s", mpi.absence);
        return;
    }
    if (probe == MPI_FAILS)
        add(f, FAULT, "MPI", "%s does not start: no grids", mpi.library);
    else
        add(f, OK, "MPI", "%s, loaded at run time", mpi.library);
    const bool found = is_in_path("mpirun") || is_in_path("mpiexec") || is_in_path("srun");
    add(f, found ? OK : WARNING, "mpirun", "%s",
        found ? "found in PATH" : "neither mpirun, mpiexec nor srun is in PATH: no grids");
}

/* ---- the command ----------------------------------------------------------------------- */

static error_t parse(int key, char *argument, struct argp_state *state)
{
    if (key != ARGP_KEY_INIT)
        return ARGP_ERR_UNKNOWN;
    state->child_inputs[0] = state->input;
    return 0;
}

static const struct argp argp = {
    .parser = parse,
    .help_filter = help_filter,
    .doc =
        "Lists the libraries, processors, GPUs and MPI that semla finds, with their versions, "
        "searches a small graph on each engine, and says whether the parts work together: "
        "versions, driver and runtime of CUDA, MPI.\v"
        "Each line begins with ok, absent (a part that is not there, which is no fault), warning "
        "or fault. The exit status is 0 if the engines of the host work, whatever is absent; "
        "else 1.\n\n"
        "Examples:\n"
        "  semla doctor\n"
        "  semla doctor --json",
    .children = (const struct argp_child[]){{&common_argp_without_engine, 0, NULL, 0}, {0}},
};

static void print_json(const findings *f)
{
    cJSON *root = json_object(NULL, NULL);
    json_bool(root, "works", f->cpu_works);
    cJSON *array = json_array(root, "findings");
    for (size_t k = 0; k < f->count; k++) {
        cJSON *o = json_object(array, NULL);
        json_text(o, "part", f->at[k].part);
        json_text(o, "verdict", verdict_names[f->at[k].verdict]);
        json_text(o, "text", f->at[k].text);
    }
    json_print(root);
}

int run_doctor(int argc, char **argv)
{
    common_options o = {.command = "semla doctor"};
    findings f = {0};
    int exit_status = options_parse(&argp, argc, argv, &o, &o);
    if (exit_status != EXIT_DONE)
        return exit_status;
    const mpi_probe probe = probe_mpi();
    check_machine(&f);
    check_engines(&f);
    check_cuda(&f);
    check_mpi(&f, probe);
    if (o.json)
        print_json(&f);
    for (size_t k = 0; !o.json && k < f.count; k++)
        printf("%-8s %-22s %s\n", verdict_names[f.at[k].verdict], f.at[k].part,
               shown(f.at[k].text));
    return f.cpu_works ? EXIT_DONE : failed("an engine of the host does not work; see the list");
}
