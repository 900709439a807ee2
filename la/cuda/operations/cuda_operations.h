/* Private to the CUDA engine: the functions of its operation table (engine.c). */
#ifndef SEMLA_CUDA_OPERATIONS_H
#define SEMLA_CUDA_OPERATIONS_H

#include "cuda/data/order.h"
#include <semla/engine.h>

/* Each executes one call. The operands are on the device in a form that the function supports. */

/* operations/ */
/* elementwise.c: vectors; calls sl_cuda_map_matrix for matrices */
sl_status sl_cuda_map(sl_call *call);
sl_status sl_cuda_map_matrix(sl_call *call); /* matrix_elementwise.c */
sl_status sl_cuda_reduce_all(sl_call *call); /* reductions.c */
sl_status sl_cuda_reduce_pair(sl_call *call);
sl_status sl_cuda_assign(sl_call *call); /* assign.c */
sl_status sl_cuda_assign_scalar(sl_call *call);
sl_status sl_cuda_extract(sl_call *call);
sl_status sl_cuda_assign_matrix(sl_call *call); /* submatrix.c */
sl_status sl_cuda_assign_scalar_matrix(sl_call *call);
sl_status sl_cuda_extract_matrix(sl_call *call);
sl_status sl_cuda_gather_matrix(sl_call *call);
sl_status sl_cuda_sort_vector(sl_call *call);   /* vector_sort.c */
sl_status sl_cuda_gather_vector(sl_call *call); /* index_vectors.c */
sl_status sl_cuda_scatter_vector(sl_call *call);
sl_status sl_cuda_assign_row(sl_call *call); /* slices.c */
sl_status sl_cuda_assign_column(sl_call *call);
sl_status sl_cuda_extract_column(sl_call *call);
sl_status sl_cuda_diag(sl_call *call);
sl_status sl_cuda_kronecker_product(sl_call *call); /* kronecker.c */
sl_status sl_cuda_build(sl_call *call);             /* build.c */
sl_status sl_cuda_build_on_device(sl_call *call);   /* the same of arrays in device memory */
sl_status sl_cuda_resize(sl_call *call);            /* resize.c */
sl_status sl_cuda_check_tree(sl_call *call);        /* tree_check.c */
sl_status sl_cuda_nvals(sl_call *call);             /* entries.c */
sl_status sl_cuda_is_pattern(sl_call *call);
sl_status sl_cuda_row_entries(sl_call *call);
sl_status sl_cuda_get(sl_call *call);
sl_status sl_cuda_set(sl_call *call);
sl_status sl_cuda_remove(sl_call *call);
sl_status sl_cuda_sum_mirrors(sl_call *call);
sl_status sl_cuda_tuples(sl_call *call);

/* products/ */
sl_status sl_cuda_matrix_vector(sl_call *call); /* vxm, mxv: products.c */
sl_status sl_cuda_reduce_rows(sl_call *call);
sl_status sl_cuda_mxm(sl_call *call); /* mxm.c */
/* Whether vxm or mxv is a product, without a mask, of a vector whose few entries the host has, done by
 * sl_cuda_few_entries_product (few_entries.c). */
bool sl_cuda_is_few_entries_product(const sl_call *call);
sl_status sl_cuda_few_entries_product(sl_call *call);
/* Whether vxm or mxv is a product over a pattern, done by sl_cuda_pattern_product
 * (pattern_product.c). */
bool sl_cuda_is_pattern_product(const sl_call *call);
/* Whether the call, an assign, only notes a write that waits (data/device_vector.h). */
bool sl_cuda_lets_write_wait(const sl_call *call);
/* Whether such a product does the writes that its mask waits for, together with its work or before. */
bool sl_cuda_takes_writes(const sl_call *call);
/* Whether vxm or mxv sums the values of a full vector over a symmetric pattern, or, if *valued, their products with the
 * values of the rows as they are stored; without a mask. */
bool sl_cuda_sums_reordered(const sl_call *call, bool *valued);
/* The order in which such a call wants its vectors: of the reordered graph, if no value of the matrix is read, or of
 * the matrix's tiles (sum_order.h); on a grid the order of the process's vertices. NULL: the caller's. */
cuda_degree_order *sl_cuda_order_of_sums(const sl_call *call, bool valued);
/* The order of the reordered graph, if vxm, mxv or an advance that reads the pattern of its matrix may read that. Or
 * NULL. */
cuda_degree_order *sl_cuda_order_of_graph(const sl_call *call);
/* The same for a product over a pattern, or an advance that is one. NULL if it wants the least or the greatest id,
 * which a pull finds sooner in the caller's rows. */
cuda_degree_order *sl_cuda_order_of_pattern(const sl_call *call);
/* Whether enough products over the pattern of the call's matrix have pulled for its reordering to pay; true once. */
bool sl_cuda_wants_order(const sl_call *call);
sl_status sl_cuda_pattern_product(sl_call *call);
/* Whether an advance is such a product, done by sl_cuda_pattern_advance, which waits for the counts
 * of delta and describes in *step what was done. */
bool sl_cuda_is_pattern_advance(const sl_call *call);
sl_status sl_cuda_pattern_advance(sl_call *call, sl_iteration *step);

/* generate/ */
/* True if the device has memory for the generated matrix with weights and for its generation. */
bool sl_cuda_has_room_for_weights(const struct sl_edge_generator *source);
sl_status sl_cuda_generate(sl_call *call); /* generate.c */
sl_status sl_cuda_edge_degrees(sl_call *call);

/* reorder/, bfs/, paths/, fixpoint/ */
sl_status sl_cuda_optimize(sl_call *call);      /* closure.c */
sl_status sl_cuda_prepare_paths(sl_call *call); /* shortest_paths.c */
sl_status sl_cuda_closure(sl_call *call);
sl_status sl_cuda_closures(sl_call *call);     /* closures.c */
sl_status sl_cuda_components(sl_call *call);   /* components.c */
sl_status sl_cuda_predecessors(sl_call *call); /* predecessors.c */
bool sl_cuda_has_predecessors(const sl_call *call);
sl_status sl_cuda_dependencies(sl_call *call);   /* dependencies.c */
sl_status sl_cuda_shortest_paths(sl_call *call); /* shortest_paths.c */
sl_status sl_cuda_relax(sl_call *call);   /* relax_closure.c: closures that are not searches */
sl_status sl_cuda_advance(sl_call *call); /* advance.c */

#endif
