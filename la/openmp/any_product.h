/*
 * Products over `any`, the levels of searches: w<mask> = u A and w<mask> = A u, where each product is
 * 1 (pair), the vector's value (first or second) or its index (firstj, secondi), so that the matrix's
 * values are not read. An entry of the result is any of its products.
 *
 * Such a product is one level of a search (search.h): the vector's entries are the frontier, indices that the mask
 * does not allow are visited, and the parents that the level finds tell which product each entry is. It reads the graph
 * that searches of the matrix read, in the order of that graph.
 */
#ifndef SEMLA_OPENMP_ANY_PRODUCT_H
#define SEMLA_OPENMP_ANY_PRODUCT_H

#include "openmp/products.h"
#include "openmp/search.h"

#pragma GCC visibility push(hidden)

/* Products are few if they are fewer than 1 / LEAST_SHARE of the sizes. */
enum { LEAST_SHARE = 32 };
/* Pulls in the caller's order, before the graph of searches is made: it takes about as long as so many. */
enum { ANY_PULLS_BEFORE_ORDER = 48 };

typedef enum { VALUE_ONE, VALUE_OF_VECTOR, VALUE_INDEX, VALUE_OTHER } product_value;

/* The entries of an operand, as a list of indices or as arrays of its size. */
typedef struct {
    const sl_object *object; /* NULL: not open */
    bool is_list;
    sl_arrays list;   /* a copy */
    sl_bitmap arrays; /* moved out of the object until it is closed */
} any_operand;

/* One product. */
typedef struct {
    const sl_call *call;
    sl_matrix *A;
    sl_object *u;
    bool by_vector;      /* row k of A belongs to entry k of the vector */
    product_value value; /* never VALUE_OTHER */
    size_t size;         /* bytes of a value */
    uint64_t entries;    /* of the matrix */
    uint64_t products;   /* their number, or an estimate: see count_products */
    bool listed;         /* the products are few, and listed (any_few.c) */
    bool counts_later;   /* the products are counted when the frontier is known */
    any_operand vector, mask;
    search s;
    sl_bitmap result; /* the new contents of w, or, if the entries are few, */
    sl_arrays list;
} any_product;

/* The operands that are a matrix and a vector. */
static inline sl_object *any_matrix(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->b : call->a;
}

static inline sl_object *any_vector(const sl_call *call)
{
    return call->op == SL_OP_VXM ? call->a : call->b;
}

/* Whether row k of the matrix belongs to entry k of the vector. */
static inline bool any_by_vector(const sl_call *call)
{
    return call->op == SL_OP_VXM ? !(call->flags & SL_TRANSPOSE_B) : call->flags & SL_TRANSPOSE_A;
}

/* Counts the rows with entries of some ids, whose bits are given, and these entries; the first bit is the id `base`. */
static inline void any_count_rows(uint64_t *rows, uint64_t *entries, const uint64_t *start,
                                  uint64_t base, uint64_t bits)
{
    for (; bits; bits &= bits - 1) {
        const uint64_t v = base + (uint64_t)__builtin_ctzll(bits);
        *rows += start[v + 1] > start[v];
        *entries += start[v + 1] - start[v];
    }
}

/* ---- any_begin.c ---- */

/* Opens an operand, and closes it if it is open. as_arrays: whatever form the vector has. */
sl_status sl_openmp_any_open(any_operand *o, const sl_object *object, bool as_arrays);
sl_status sl_openmp_any_close(any_operand *o);

/* Sets the visited bits of the ids that the mask does not allow, the frontier and the counts of the plan, when the
 * operands are open. */
void sl_openmp_any_begin(any_product *p);

/* ---- any_choice.c ---- */

/* *reason: why SuiteSparse multiplies, or NULL. Sets entries, products, listed and counts_later. */
sl_status sl_openmp_any_examine(const char **reason, any_product *p);

/* Finds the graph of the search, with the rows of one direction at least, unless it has been found. */
sl_status sl_openmp_any_graph(any_product *p);

/* Chooses the direction by the counts of the plan, and finds its rows. */
sl_status sl_openmp_any_direction(sl_direction *direction, any_product *p);

/* ---- any_few.c ---- */

/* Sets listed: whether the product is listed here if it has few terms, rather than left to SuiteSparse; and
 * counts_later, where the vector has arrays, which take time for their size anyhow. */
sl_status sl_openmp_any_may_list(any_product *p);

/* Makes the result, a list, once the graph is known and the operands are open. */
sl_status sl_openmp_any_few(any_product *p);

/* ---- any_results.c ---- */

/* Sets p->list to new arrays for so many entries. */
sl_status sl_openmp_any_new_list(any_product *p, uint64_t count);

/* Sets the message. */
sl_status sl_openmp_any_no_memory(const any_product *p);

/* Makes the result of the ids that the level reached, whose bits are in s->frontier. */
sl_status sl_openmp_any_results(any_product *p);
/* Makes it the contents of w. */
sl_status sl_openmp_any_take(any_product *p);

#pragma GCC visibility pop
#endif
