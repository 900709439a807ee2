/*
 * The registry: one description of each algorithm of <semla/algorithms.h>, with its arguments,
 * results, documentation and check.
 *
 * The command `semla run`, its --help and manual page, the functions of the Python package with
 * their signatures and docstrings, and the table in docs/algorithms.md are made from these
 * descriptions. A program can run any registered algorithm by name:
 *
 *     sl_algorithm_call call;
 *     sl_algorithm_begin(&call, sl_algorithm_find("khop"), A);
 *     call.arguments[1] = (sl_value){.given = true, .count = 3};    (khop's argument 1 is `hops`)
 *     status = sl_algorithm_prepare(&call);
 *     if (status == SL_OK)
 *         status = sl_algorithm_run(&call);                         (call.results[0].vector)
 *     sl_algorithm_end(&call);
 */
#ifndef SEMLA_REGISTRY_H
#define SEMLA_REGISTRY_H

#include <semla/checks.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The kind of a value; the comments name the members of sl_value that hold it. */
typedef enum {
    SL_KIND_FLAG,          /* flag */
    SL_KIND_COUNT,         /* count */
    SL_KIND_NUMBER,        /* number */
    SL_KIND_TEXT,          /* text, a static string */
    SL_KIND_VERTEX,        /* count: a vertex */
    SL_KIND_COUNTS,        /* list, of `count` elements */
    SL_KIND_VERTICES,      /* list, of `count` vertices, in an order that has a meaning */
    SL_KIND_VECTOR,        /* vector with an element per vertex */
    SL_KIND_VERTEX_VECTOR, /* the same; its values are vertices */
    SL_KIND_MATRIX,        /* matrix with a row per source and a column per vertex */
    SL_KIND_VERTEX_MATRIX, /* the same; its values are vertices */
    SL_KIND_GRAPH,         /* matrix with a row and a column per vertex */
    SL_KIND_RANKING        /* numbers, one per vertex, of which the greatest are shown; NaN: none */
} sl_kind;

/* One value of an argument or a result. Zero-initialised: not given. */
typedef struct {
    bool given;        /* an argument has a value, a result was computed */
    bool flag;         /* of kind FLAG */
    uint64_t count;    /* of kind COUNT or VERTEX; of lists the number of elements */
    double number;     /* of kind NUMBER */
    const char *text;  /* of kind TEXT */
    uint64_t *list;    /* argument: the caller's; result: the call's, from sl_malloc */
    double *numbers;   /* the call's, from sl_malloc */
    sl_vector *vector; /* argument: the caller's; result: the call's */
    sl_matrix *matrix; /* the call's */
} sl_value;

/* How an argument is used. */
enum {
    SL_ARGUMENT_REQUIRED = 1 << 0,   /* the caller must give it */
    SL_ARGUMENT_POSITIONAL = 1 << 1, /* Python: may be given without its name */
    SL_ARGUMENT_HUB = 1 << 2,  /* default: a vertex of greatest out-degree, the first of them */
    SL_ARGUMENT_GRAPH = 1 << 3 /* a flag about the graph, with three states: true, false, not given;
                                  the command's options --directed and --symmetric give it */
};

/*
 * One argument besides the graph. `name` is the name in Python and in messages; the option of the
 * command is `name` with '-' for '_'. A list `sources` has the option --source, which can be
 * repeated.
 */
typedef struct {
    const char *name;     /* see above */
    sl_kind kind;         /* FLAG, COUNT, NUMBER, VERTEX, VERTICES or VECTOR */
    unsigned flags;       /* SL_ARGUMENT_... */
    const char *initial;  /* default value as text; NULL: none */
    uint64_t minimum;     /* COUNT: the least value that is allowed */
    double below;         /* NUMBER: above 0, and below this bound unless it is 0 */
    const char *excludes; /* an argument that must not be given as well, or NULL */
    const char *needs;    /* an argument that must be given as well, or NULL */
    const char *help;     /* one sentence without a capital and a full stop */
} sl_argument;

/* How a result is used. */
enum {
    SL_RESULT_FILE = 1 << 0, /* the command writes it to the file of the option --NAME, and computes
                                it only if that option or --check is given */
    SL_RESULT_KEYWORD = 1 << 1, /* Python returns it only if the keyword argument NAME is true */
    SL_RESULT_SUMMARY = 1 << 2  /* part of the summary, given after sl_algorithm_summarise; Python
                                   returns the summary as a dict if return_info is true, or if there
                                   is no other result */
};

/* One result. The command's --out writes the first object among the results that is not
 * SL_RESULT_FILE. */
typedef struct {
    const char *name; /* in Python, and in JSON beside the facts of every run, such as "edges" */
    sl_kind kind;     /* any but VERTEX */
    unsigned flags;   /* SL_RESULT_... */
    const char *help; /* RANKING: what the numbers are */
} sl_result;

enum { SL_MAX_ARGUMENTS = 8, SL_MAX_RESULTS = 8 };

typedef struct sl_algorithm_call sl_algorithm_call;

/* The description of an algorithm. The arrays end with an element without a name. */
typedef struct {
    const char *name;                            /* that of the C function without "sl_" */
    const char *summary;                         /* one line */
    const char *details;                         /* more about inputs and results, or NULL */
    const char *check;                           /* how the check works: "ok, by ..." */
    bool reads_values;                           /* the values of the edges matter: their lengths or
                                                    weights */
    sl_argument arguments[SL_MAX_ARGUMENTS + 1]; /* besides the graph */
    sl_result results[SL_MAX_RESULTS + 1];       /* objects, values and the summary */
    /* Called by sl_algorithm_prepare after it has checked the arguments; may be NULL. */
    sl_status (*prepare)(sl_algorithm_call *call);
    /* Called by sl_algorithm_run. */
    sl_status (*run)(sl_algorithm_call *call);
    /* Called by sl_algorithm_check. */
    sl_status (*verify)(sl_check_result *result, const sl_algorithm_call *call,
                        const sl_csr *graph);
    /* Called by sl_algorithm_summarise; may be NULL. */
    sl_status (*summarise)(sl_algorithm_call *call);
} sl_algorithm;

/* One call of an algorithm. */
struct sl_algorithm_call {
    const sl_algorithm *algorithm;        /* the description */
    const sl_matrix *A;                   /* the graph; the caller's */
    sl_value arguments[SL_MAX_ARGUMENTS]; /* in the order of the description */
    sl_value results[SL_MAX_RESULTS];     /* likewise */
    bool wanted[SL_MAX_RESULTS]; /* results to compute; all are set by sl_algorithm_begin */
    uint64_t *owned_sources;     /* the list that sl_algorithm_prepare made, or NULL */
    uint64_t *for_check;         /* more input of the check, besides the results; or NULL */
};

/* The description at `position`, in the order of docs/algorithms.md; NULL beyond the last. */
const sl_algorithm *sl_algorithm_at(size_t position);

/* The description of a name, in which '-' stands for '_'; NULL if there is none. */
const sl_algorithm *sl_algorithm_find(const char *name);

/* Starts a call on the graph A, which must live until sl_algorithm_end: arguments have their
 * defaults, all results are wanted. Nothing happens if call is NULL. */
void sl_algorithm_begin(sl_algorithm_call *call, const sl_algorithm *algorithm, const sl_matrix *A);

/*
 * Checks the arguments that were set after sl_algorithm_begin, and computes defaults that depend on
 * the graph. Errors: SL_INVALID (NULL; an argument that is required, excluded or out of its
 * bounds, named in the message), SL_OUT_OF_RANGE (a vertex; the graph has no vertex), SL_NO_MEMORY.
 * Collective on a grid.
 */
sl_status sl_algorithm_prepare(sl_algorithm_call *call);

/* Runs the algorithm. Fills the results that are wanted, except summaries. Errors: those of the C
 * function; then no result is given. Collective on a grid. */
sl_status sl_algorithm_run(sl_algorithm_call *call);

/*
 * Checks the results by code that shares nothing with the algorithm. `graph` holds the rows of A,
 * on every process of a grid. All results that sl_algorithm_run computes must have been wanted.
 * Errors: SL_INVALID (NULL), SL_NO_MEMORY; then the result is not valid and has no reason.
 * Collective on a grid.
 */
sl_status sl_algorithm_check(sl_check_result *result, const sl_algorithm_call *call,
                             const sl_csr *graph);

/* Fills the results that are summaries, from the others. Errors: SL_NO_MEMORY. Collective on a
 * grid. */
sl_status sl_algorithm_summarise(sl_algorithm_call *call);

/* Frees the results that the caller has not taken (by setting the member to NULL). */
void sl_algorithm_end(sl_algorithm_call *call);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
