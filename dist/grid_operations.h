/* The operations of the grid engine. Each is collective; the dispatcher has the ranks agree on the
 * arguments before it and on the status after it. */
#ifndef SEMLA_DIST_OPERATIONS_H
#define SEMLA_DIST_OPERATIONS_H

#include <semla/engine.h>

struct sl_grid;

/* build.c */
sl_status sl_grid_build(sl_call *call);
sl_status sl_grid_resize(sl_call *call);

/* entries.c */
sl_status sl_grid_nvals(sl_call *call); /* nvals, local_nvals: of this rank's block */
sl_status sl_grid_is_pattern(sl_call *call);
sl_status sl_grid_tuples(sl_call *call);
sl_status sl_grid_set_or_remove(sl_call *call);
sl_status sl_grid_get(sl_call *call);
sl_status sl_grid_arrays(sl_call *call); /* take, give, copy_out; on a grid of one rank only */

/* symmetry.c */
sl_status sl_grid_sum_mirrors(sl_call *call);

/* slices.c */
sl_status sl_grid_slice(sl_call *call);

/* products.c */
sl_status sl_grid_product(sl_call *call); /* vxm, mxv */
/* Sets call->outcome.figures, of vxm and mxv, before the ranks agree on them. Not collective. */
sl_status sl_grid_product_figures(sl_call *call);
/* Runs a vxm or mxv without an order of devices; `products` is an estimate of the products of the
 * rank that has the most of them, the same on every rank; 0, if there is a mask: there are none. A
 * failure may be on this rank alone. */
sl_status sl_grid_multiply(sl_call *call, uint64_t products);
/* An estimate of the products of this rank, from its part of the vector: 0 only if that is empty. Not collective. */
sl_status sl_grid_estimate_products(uint64_t *products, struct sl_grid *grid,
                                    const sl_object *matrix, const sl_object *vector,
                                    bool over_rows);
sl_status sl_grid_row_entries(sl_call *call);

/* index_sums.c: replaces the numbers of products of this rank's part of the output by the sums of
 * as many indices of the output, by the monoid of the call. Not collective. */
sl_status sl_grid_sum_indices(sl_vector **sums, const sl_call *call);

/* mxm.c, kronecker.c */
sl_status sl_grid_mxm(sl_call *call);
sl_status sl_grid_kronecker(sl_call *call);

/* elementwise.c */
sl_status sl_grid_map(sl_call *call); /* elementwise, apply, select */
/* Whether it exchanges nothing and needs no agreement before. */
bool sl_grid_maps_in_place(const sl_call *call);
sl_status sl_grid_transpose(sl_call *call);

/* reduce.c */
sl_status sl_grid_reduce(sl_call *call); /* reduce and reduce_pair */
sl_status sl_grid_reduce_rows(sl_call *call);

/* assign.c, extract.c */
sl_status sl_grid_assign(sl_call *call);
sl_status sl_grid_assign_scalar(sl_call *call);
sl_status sl_grid_assign_line(sl_call *call); /* to a row or a column */
/* Whether an assign or assign_scalar exchanges nothing. */
bool sl_grid_assigns_in_place(const sl_call *call);
sl_status sl_grid_extract(sl_call *call); /* extract, extract_column */

/* index_vectors.c */
sl_status sl_grid_gather(sl_call *call);
sl_status sl_grid_scatter(sl_call *call);
sl_status sl_grid_on_one_process(sl_call *call); /* gather_matrix, sort */

/* diag.c */
sl_status sl_grid_diag(sl_call *call);

/* search/search_operation.c */
sl_status sl_grid_optimize(sl_call *call);

/* closures/relax_devices.c; without devices there is nothing to prepare */
sl_status sl_grid_prepare_paths(sl_call *call);

#endif
