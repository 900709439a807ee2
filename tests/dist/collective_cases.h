/*
 * Every public function, in the order of the headers, and a call of each that is collective. The
 * test collective.c includes this list; collective.py compares it with the headers.
 *
 * COLLECTIVE(function, status, call)
 *     A call with a wrong argument on the ranks where `wrong` is true. `status` is the result when
 *     it is right on all ranks.
 * DIFFERENT(function, name, call)
 *     A call whose argument `name` is valid on every rank, but has another value where `wrong`.
 * ONLY_NULL(function)
 *     Collective, but no argument can be wrong besides an object or a context that is NULL, and
 *     then a rank does not know with whom to agree.
 * LOCAL(function)
 *     Not collective.
 */

/* ---- la/context.h ---- */
LOCAL(sl_status_string)
LOCAL(sl_version)
LOCAL(sl_context_create)
LOCAL(sl_context_free)
LOCAL(sl_context_message)
LOCAL(sl_fail)
COLLECTIVE(sl_agree, SL_OK, sl_agree(ctx, wrong ? sl_fail(ctx, SL_IO, "wrong") : SL_OK))
COLLECTIVE(sl_agree_arguments, SL_OK,
           sl_agree_arguments(ctx, wrong ? sl_fail(ctx, SL_IO, "wrong") : SL_OK, "test", "n 1\n"))
DIFFERENT(sl_agree_arguments, "n", sl_agree_arguments(ctx, SL_OK, "test", "n %d\n", wrong))
LOCAL(sl_list_hash)
COLLECTIVE(sl_gather, SL_OK,
           sl_gather(ctx, wrong ? sl_fail(ctx, SL_IO, "wrong") : SL_OK, &memory, NULL, "", 1))
COLLECTIVE(sl_write_extents, SL_OK,
           sl_write_extents(ctx, wrong ? "/nowhere/file" : written, &part, 1))
LOCAL(sl_context_processes)
LOCAL(sl_context_local_range)
LOCAL(sl_context_engine)
LOCAL(sl_context_get_counts)
LOCAL(sl_context_set_observer)
LOCAL(sl_context_set_threads)
LOCAL(sl_context_threads)
ONLY_NULL(sl_context_set_memory_limit)
LOCAL(sl_context_get_memory)
LOCAL(sl_context_charge)
LOCAL(sl_context_energy)
LOCAL(sl_engine_describe)
LOCAL(sl_descriptor_get)
LOCAL(sl_descriptor_flags)
LOCAL(sl_set_allocator)
LOCAL(sl_malloc)
LOCAL(sl_calloc)
LOCAL(sl_realloc)
LOCAL(sl_free)

/* ---- la/progress.h ---- */
LOCAL(sl_context_cancel)
LOCAL(sl_context_resume)
LOCAL(sl_context_is_cancelled)
LOCAL(sl_context_set_progress)
LOCAL(sl_interrupted)
LOCAL(sl_progress_begin)
LOCAL(sl_progress_end)

/* ---- la/matrix.h ---- */
COLLECTIVE(sl_matrix_new, SL_OK, sl_matrix_new(&M, ctx, wrong ? SL_TYPE_COUNT : SL_INT64, N, N))
DIFFERENT(sl_matrix_new, "nrows", sl_matrix_new(&M, ctx, SL_INT64, wrong ? N : N + 1, N))
COLLECTIVE(sl_vector_new, SL_OK, sl_vector_new(&w, ctx, SL_INT64, wrong ? UINT64_MAX : N))
DIFFERENT(sl_vector_new, "type", sl_vector_new(&w, ctx, wrong ? SL_INT64 : SL_FP64, N))
COLLECTIVE(sl_matrix_dup, SL_OK, sl_matrix_dup(wrong ? NULL : &M, A))
COLLECTIVE(sl_vector_dup, SL_OK, sl_vector_dup(wrong ? NULL : &w, v))
LOCAL(sl_matrix_free)
LOCAL(sl_vector_free)
ONLY_NULL(sl_matrix_clear)
ONLY_NULL(sl_vector_clear)
COLLECTIVE(sl_matrix_resize, SL_OK, sl_matrix_resize(A, wrong ? UINT64_MAX : N, N))
DIFFERENT(sl_matrix_resize, "nrows", sl_matrix_resize(A, wrong ? N - 1 : N, N))
COLLECTIVE(sl_vector_resize, SL_OK, sl_vector_resize(v, wrong ? UINT64_MAX : N))
DIFFERENT(sl_vector_resize, "nrows", sl_vector_resize(v, wrong ? N - 1 : N))
COLLECTIVE(sl_matrix_diag, SL_OK, sl_matrix_diag(wrong ? NULL : &M, v, 1))
DIFFERENT(sl_matrix_diag, "nrows", sl_matrix_diag(&M, v, wrong))
COLLECTIVE(sl_vector_diag, SL_OK, sl_vector_diag(wrong ? NULL : &w, A, 1))
DIFFERENT(sl_vector_diag, "size", sl_vector_diag(&w, A, wrong))
LOCAL(sl_matrix_context)
LOCAL(sl_vector_context)
LOCAL(sl_matrix_type)
LOCAL(sl_vector_type)
LOCAL(sl_matrix_nrows)
LOCAL(sl_matrix_ncols)
LOCAL(sl_vector_size)
COLLECTIVE(sl_matrix_nvals, SL_OK, sl_matrix_nvals(wrong ? NULL : &count, A))
COLLECTIVE(sl_vector_nvals, SL_OK, sl_vector_nvals(wrong ? NULL : &count, v))
COLLECTIVE(sl_matrix_is_pattern, SL_OK, sl_matrix_is_pattern(wrong ? NULL : &flag, A))
COLLECTIVE(sl_matrix_equal, SL_OK, sl_matrix_equal(&flag, A, wrong ? NULL : B))
COLLECTIVE(sl_vector_equal, SL_OK, sl_vector_equal(&flag, v, wrong ? NULL : u))
COLLECTIVE(sl_matrix_same_pattern, SL_OK, sl_matrix_same_pattern(&flag, A, wrong ? NULL : B))
COLLECTIVE(sl_vector_same_pattern, SL_OK, sl_vector_same_pattern(&flag, v, wrong ? NULL : u))
COLLECTIVE(sl_matrix_build, SL_OK,
           sl_matrix_build(empty_matrix, wrong ? beyond : second, second, NULL, 1, SL_FIRST_INT64))
COLLECTIVE(sl_vector_build, SL_OK,
           sl_vector_build(empty, wrong ? beyond : second, NULL, 1, SL_FIRST_INT64))
COLLECTIVE(sl_matrix_extract_tuples, SL_OK,
           sl_matrix_extract_tuples(NULL, NULL, NULL, wrong ? NULL : &count, A))
COLLECTIVE(sl_vector_extract_tuples, SL_OK,
           sl_vector_extract_tuples(NULL, NULL, wrong ? NULL : &count, v))
COLLECTIVE(sl_matrix_set, SL_OK, sl_matrix_set(A, wrong ? N : 0, 0, one))
DIFFERENT(sl_matrix_set, "row", sl_matrix_set(A, wrong ? 1 : 0, 0, one))
COLLECTIVE(sl_vector_set, SL_OK, sl_vector_set(v, wrong ? N : 0, one))
DIFFERENT(sl_vector_set, "scalar", sl_vector_set(v, 0, sl_scalar_int64(wrong)))
COLLECTIVE(sl_matrix_get, SL_OK, sl_matrix_get(&scalar, A, wrong ? N : 0, 1))
COLLECTIVE(sl_vector_get, SL_OK, sl_vector_get(&scalar, v, wrong ? N : 0))
COLLECTIVE(sl_matrix_remove, SL_OK, sl_matrix_remove(A, 0, wrong ? N : 1))
COLLECTIVE(sl_vector_remove, SL_OK, sl_vector_remove(v, wrong ? N : 0))
COLLECTIVE(sl_matrix_take_csr, SL_UNSUPPORTED, sl_matrix_take_csr(&M, ctx, wrong ? NULL : &csr))
COLLECTIVE(sl_matrix_copy_csr, SL_UNSUPPORTED, sl_matrix_copy_csr(wrong ? NULL : &rows_of_A, A))
LOCAL(sl_matrix_set_ids)
LOCAL(sl_matrix_id)
LOCAL(sl_matrix_ids)
COLLECTIVE(sl_matrix_is_symmetric, SL_OK, sl_matrix_is_symmetric(wrong ? NULL : &flag, A))
LOCAL(sl_matrix_promise_symmetric)
LOCAL(sl_matrix_is_declared_symmetric)
COLLECTIVE(sl_matrix_value_range, SL_OK, sl_matrix_value_range(wrong ? NULL : &range, A))
COLLECTIVE(sl_matrix_optimize, SL_OK, sl_matrix_optimize(A, wrong ? 99 : SL_FOR_TRAVERSAL))
DIFFERENT(sl_matrix_optimize, "flags",
          sl_matrix_optimize(A, wrong ? SL_FOR_TRAVERSAL | SL_PRUNED : SL_FOR_TRAVERSAL))
DIFFERENT(sl_matrix_optimize, "flags",
          sl_matrix_optimize(A, wrong ? SL_FOR_TRAVERSAL | SL_FOR_PATHS : SL_FOR_TRAVERSAL))
LOCAL(sl_matrix_placement)

/* ---- la/arrays.h ---- */
LOCAL(sl_arrays_free)
LOCAL(sl_arrays_check)
LOCAL(sl_arrays_expand)
COLLECTIVE(sl_matrix_take, SL_UNSUPPORTED, sl_matrix_take(&M, ctx, wrong ? &wrong_arrays : &taken))
COLLECTIVE(sl_vector_take, SL_UNSUPPORTED,
           sl_vector_take(&w, ctx, wrong ? &wrong_arrays : &taken_vector))
COLLECTIVE(sl_matrix_give, SL_UNSUPPORTED, sl_matrix_give(&arrays, &A, wrong ? 99 : SL_FORMAT_CSR))
COLLECTIVE(sl_vector_give, SL_UNSUPPORTED, sl_vector_give(&arrays, &v, wrong ? 99 : SL_FORMAT_LIST))
COLLECTIVE(sl_matrix_copy_out, SL_UNSUPPORTED,
           sl_matrix_copy_out(&arrays, A, wrong ? SL_FORMAT_LIST : SL_FORMAT_CSR))
DIFFERENT(sl_matrix_copy_out, "format",
          sl_matrix_copy_out(&arrays, A, wrong ? SL_FORMAT_CSC : SL_FORMAT_CSR))
COLLECTIVE(sl_vector_copy_out, SL_UNSUPPORTED,
           sl_vector_copy_out(&arrays, v, wrong ? SL_FORMAT_CSR : SL_FORMAT_LIST))
COLLECTIVE(sl_matrix_copy_slice, SL_OK, sl_matrix_copy_slice(wrong ? NULL : &arrays, A))
COLLECTIVE(sl_vector_copy_slice, SL_OK, sl_vector_copy_slice(wrong ? NULL : &arrays, v))
COLLECTIVE(sl_matrix_copy_whole, SL_OK, sl_matrix_copy_whole(wrong ? NULL : &arrays, A))
COLLECTIVE(sl_vector_copy_whole, SL_OK, sl_vector_copy_whole(wrong ? NULL : &arrays, v))

/* ---- la/lend.h ---- */
LOCAL(sl_vector_lend)

/* ---- la/operators.h ---- */
COLLECTIVE(sl_type_new, SL_OK, new_type("pair", wrong ? 0 : 16))
DIFFERENT(sl_type_new, "size", new_type("pair", wrong ? 24 : 16))
LOCAL(sl_type_free)
COLLECTIVE(sl_unary_op_new, SL_OK,
           sl_unary_op_new(&unary, ctx, wrong ? "" : "f", SL_INT64, SL_INT64, negate, NULL))
DIFFERENT(sl_unary_op_new, "name",
          sl_unary_op_new(&unary, ctx, wrong ? "g" : "f", SL_INT64, SL_INT64, negate, NULL))
COLLECTIVE(sl_binary_op_new, SL_OK,
           sl_binary_op_new(&binary, ctx, "f", wrong ? SL_TYPE_COUNT : SL_INT64, SL_INT64, SL_INT64,
                            subtract, NULL))
DIFFERENT(sl_binary_op_new, "result",
          sl_binary_op_new(&binary, ctx, "f", wrong ? SL_BOOL : SL_INT64, SL_INT64, SL_INT64,
                           subtract, NULL))
COLLECTIVE(sl_index_op_new, SL_OK,
           sl_index_op_new(&indexed, ctx, "f", SL_BOOL, SL_INT64, SL_INT64,
                           wrong ? NULL : on_diagonal, NULL))
COLLECTIVE(sl_monoid_new, SL_OK,
           sl_monoid_new(&monoid, ctx, "f", wrong ? SL_LT_INT64 : SL_PLUS_INT64, sl_scalar_int64(0),
                         NULL))
COLLECTIVE(sl_semiring_new, SL_OK,
           sl_semiring_new(&semiring, ctx, "f", SL_MIN_MONOID_INT64,
                           wrong ? SL_PLUS_FP64 : SL_PLUS_INT64))
LOCAL(sl_monoid_promise_idempotent)
LOCAL(sl_unary_op_free)
LOCAL(sl_binary_op_free)
LOCAL(sl_index_op_free)
LOCAL(sl_monoid_free)
LOCAL(sl_semiring_free)

/* ---- la/operations.h ---- */
COLLECTIVE(sl_vxm, SL_OK, sl_vxm(v, NULL, NULL, wrong ? NULL : SL_PLUS_TIMES_INT64, u, A, NULL))
DIFFERENT(sl_vxm, "semiring",
          sl_vxm(v, NULL, NULL, wrong ? SL_MIN_PLUS_INT64 : SL_PLUS_TIMES_INT64, u, A, NULL))
COLLECTIVE(sl_mxv, SL_OK, sl_mxv(v, NULL, NULL, SL_PLUS_TIMES_INT64, A, wrong ? shorter : u, NULL))
DIFFERENT(sl_mxv, "desc",
          sl_mxv(v, NULL, NULL, SL_PLUS_TIMES_INT64, A, u,
                 wrong ? sl_descriptor_get(SL_REPLACE) : NULL))
COLLECTIVE(sl_mxm, SL_OK, sl_mxm(B, wrong ? smaller : NULL, NULL, SL_PLUS_TIMES_INT64, A, A, NULL))
COLLECTIVE(sl_vector_ewise_add, SL_OK,
           sl_vector_ewise_add(v, NULL, NULL, SL_PLUS_INT64, u, wrong ? shorter : v, NULL))
COLLECTIVE(sl_matrix_ewise_add, SL_OK,
           sl_matrix_ewise_add(B, NULL, NULL, SL_PLUS_INT64, A, wrong ? smaller : B, NULL))
COLLECTIVE(sl_vector_ewise_mult, SL_OK,
           sl_vector_ewise_mult(v, NULL, NULL, SL_PLUS_INT64, u, wrong ? shorter : v, NULL))
COLLECTIVE(sl_matrix_ewise_mult, SL_OK,
           sl_matrix_ewise_mult(B, NULL, NULL, wrong ? NULL : SL_PLUS_INT64, A, B, NULL))
COLLECTIVE(sl_vector_ewise_union, SL_OK,
           sl_vector_ewise_union(v, NULL, NULL, SL_PLUS_INT64, u, one, wrong ? shorter : v, one,
                                 NULL))
COLLECTIVE(sl_matrix_ewise_union, SL_OK,
           sl_matrix_ewise_union(B, NULL, NULL, SL_PLUS_INT64, A, wrong ? no_type : one, B, one,
                                 NULL))
COLLECTIVE(sl_kronecker, SL_OK,
           sl_kronecker(wrong ? B : large, NULL, NULL, SL_PLUS_INT64, A, A, NULL))
COLLECTIVE(sl_vector_apply, SL_OK,
           sl_vector_apply(v, NULL, NULL, wrong ? NULL : SL_AINV_INT64, u, NULL))
COLLECTIVE(sl_matrix_apply, SL_OK,
           sl_matrix_apply(B, NULL, NULL, SL_AINV_INT64, wrong ? smaller : A, NULL))
COLLECTIVE(sl_vector_apply_first, SL_OK,
           sl_vector_apply_first(v, NULL, NULL, SL_PLUS_INT64, wrong ? no_type : one, u, NULL))
DIFFERENT(sl_vector_apply_first, "scalar",
          sl_vector_apply_first(v, NULL, NULL, SL_PLUS_INT64, sl_scalar_int64(wrong), u, NULL))
COLLECTIVE(sl_matrix_apply_first, SL_OK,
           sl_matrix_apply_first(B, NULL, NULL, SL_PLUS_INT64, wrong ? no_type : one, A, NULL))
COLLECTIVE(sl_vector_apply_second, SL_OK,
           sl_vector_apply_second(v, NULL, NULL, SL_PLUS_INT64, u, wrong ? no_type : one, NULL))
COLLECTIVE(sl_matrix_apply_second, SL_OK,
           sl_matrix_apply_second(B, NULL, NULL, SL_PLUS_INT64, A, wrong ? no_type : one, NULL))
COLLECTIVE(sl_vector_apply_index, SL_OK,
           sl_vector_apply_index(v, NULL, NULL, wrong ? NULL : SL_ROWINDEX_INT64, u, one, NULL))
COLLECTIVE(sl_matrix_apply_index, SL_OK,
           sl_matrix_apply_index(B, NULL, NULL, SL_ROWINDEX_INT64, A, wrong ? no_type : one, NULL))
COLLECTIVE(sl_vector_select, SL_OK,
           sl_vector_select(v, NULL, NULL, wrong ? SL_ROWINDEX_INT64 : SL_VALUEGT_INT64, u, one,
                            NULL))
COLLECTIVE(sl_matrix_select, SL_OK,
           sl_matrix_select(B, NULL, NULL, wrong ? SL_ROWINDEX_INT64 : SL_TRIL_BOOL, A, one, NULL))
COLLECTIVE(sl_vector_reduce, SL_OK,
           sl_vector_reduce(wrong ? NULL : &scalar, NULL, SL_PLUS_MONOID_INT64, v))
DIFFERENT(sl_vector_reduce, "monoid",
          sl_vector_reduce(&scalar, NULL, wrong ? SL_MIN_MONOID_INT64 : SL_PLUS_MONOID_INT64, v))
COLLECTIVE(sl_vector_reduce_pair, SL_OK,
           sl_vector_reduce_pair(&scalar, NULL, SL_PLUS_MONOID_INT64, NULL,
                                 wrong ? NULL : SL_TIMES_INT64, v, u))
DIFFERENT(sl_vector_reduce_pair, "unary",
          sl_vector_reduce_pair(&scalar, NULL, SL_PLUS_MONOID_INT64, wrong ? SL_ABS_INT64 : NULL,
                                SL_TIMES_INT64, v, u))
COLLECTIVE(sl_matrix_reduce, SL_OK,
           sl_matrix_reduce(&scalar, NULL, wrong ? NULL : SL_PLUS_MONOID_INT64, A))
COLLECTIVE(sl_matrix_reduce_rows, SL_OK,
           sl_matrix_reduce_rows(wrong ? shorter : v, NULL, NULL, SL_PLUS_MONOID_INT64, A, NULL))
COLLECTIVE(sl_vector_assign, SL_OK,
           sl_vector_assign(v, NULL, NULL, single, wrong ? beyond : second, 1, NULL))
DIFFERENT(sl_vector_assign, "rows",
          sl_vector_assign(v, NULL, NULL, single, wrong ? third : second, 1, NULL))
COLLECTIVE(sl_vector_assign_scalar, SL_OK,
           sl_vector_assign_scalar(v, NULL, NULL, one, wrong ? beyond : second, 1, NULL))
COLLECTIVE(sl_matrix_assign, SL_OK,
           sl_matrix_assign(B, NULL, NULL, A, SL_ALL, 0, wrong ? beyond : SL_ALL, 1, NULL))
COLLECTIVE(sl_matrix_assign_scalar, SL_OK,
           sl_matrix_assign_scalar(B, NULL, NULL, wrong ? no_type : one, SL_ALL, 0, second, 1,
                                   NULL))
COLLECTIVE(sl_matrix_assign_row, SL_OK,
           sl_matrix_assign_row(B, NULL, NULL, v, wrong ? N : 0, SL_ALL, 0, NULL))
DIFFERENT(sl_matrix_assign_row, "row",
          sl_matrix_assign_row(B, NULL, NULL, v, wrong ? 1 : 0, SL_ALL, 0, NULL))
COLLECTIVE(sl_matrix_assign_column, SL_OK,
           sl_matrix_assign_column(B, NULL, NULL, v, SL_ALL, 0, wrong ? N : 0, NULL))
COLLECTIVE(sl_vector_extract, SL_OK,
           sl_vector_extract(single, NULL, NULL, v, wrong ? beyond : second, 1, NULL))
COLLECTIVE(sl_matrix_extract, SL_OK,
           sl_matrix_extract(B, NULL, NULL, A, wrong ? beyond : SL_ALL, 1, SL_ALL, 0, NULL))
COLLECTIVE(sl_matrix_extract_column, SL_OK,
           sl_matrix_extract_column(v, NULL, NULL, A, SL_ALL, 0, wrong ? N : 0, NULL))
COLLECTIVE(sl_vector_gather, SL_OK, sl_vector_gather(empty, NULL, NULL, v, wrong ? reals : u, NULL))
COLLECTIVE(sl_vector_gather, SL_OK,
           sl_vector_gather(wrong ? shorter : empty, NULL, NULL, v, u, NULL))
DIFFERENT(sl_vector_gather, "accum",
          sl_vector_gather(empty, NULL, wrong ? SL_MAX_INT64 : SL_MIN_INT64, v, u, NULL))
COLLECTIVE(sl_vector_scatter, SL_OK,
           sl_vector_scatter(empty, NULL, NULL, SL_PLUS_MONOID_INT64, wrong ? shorter : v, u, NULL))
DIFFERENT(sl_vector_scatter, "monoid",
          sl_vector_scatter(empty, NULL, NULL, wrong ? SL_MIN_MONOID_INT64 : SL_PLUS_MONOID_INT64,
                            v, u, NULL))
COLLECTIVE(sl_matrix_gather, SL_UNSUPPORTED,
           sl_matrix_gather(B, NULL, NULL, A, wrong ? reals : u, NULL))
COLLECTIVE(sl_matrix_gather, SL_UNSUPPORTED,
           sl_matrix_gather(wrong ? smaller : B, NULL, NULL, A, u, NULL))
COLLECTIVE(sl_vector_sort, SL_UNSUPPORTED,
           sl_vector_sort(NULL, empty, wrong ? SL_PLUS_INT64 : SL_LT_INT64, u))
COLLECTIVE(sl_vector_sort, SL_UNSUPPORTED,
           sl_vector_sort(NULL, wrong ? shorter : empty, SL_LT_INT64, u))
COLLECTIVE(sl_transpose, SL_OK, sl_transpose(wrong ? smaller : B, NULL, NULL, A, NULL))

/* ---- la/traversal.h ---- */
LOCAL(sl_direction_name)
LOCAL(sl_iteration_log_append)
LOCAL(sl_iteration_log_clear)
COLLECTIVE(sl_plan_iteration, SL_OK, sl_plan_iteration(wrong ? NULL : &plan, v, u, A))
COLLECTIVE(sl_advance, SL_OK,
           sl_advance(empty, v, v, A, SL_MIN_PLUS_INT64, wrong ? 9 : SL_PUSH, NULL))
DIFFERENT(sl_advance, "direction",
          sl_advance(empty, v, v, A, SL_ANY_SECONDI_INT64, wrong ? SL_AUTO : SL_PULL, NULL))
COLLECTIVE(sl_closure, SL_OK,
           sl_closure(empty, NULL, A, SL_ANY_SECONDI_INT64,
                      &(sl_closure_options){.from_source = true, .source = wrong ? N : 0}))
DIFFERENT(sl_closure, "source",
          sl_closure(empty, NULL, A, SL_ANY_SECONDI_INT64,
                     &(sl_closure_options){.from_source = true, .source = wrong ? 2 : 1}))
DIFFERENT(sl_closure, "from_source",
          sl_closure(wrong ? empty : v, wrong ? NULL : v, A, SL_MIN_PLUS_INT64,
                     &(sl_closure_options){.from_source = wrong,
                                           .source_value = sl_scalar_int64(0)}))
COLLECTIVE(sl_closure, SL_OK,
           sl_closure(v, v, A, SL_MIN_PLUS_INT64,
                      &(sl_closure_options){.parent = wrong ? levels : empty}))
DIFFERENT(sl_closure, "parent",
          sl_closure(v, v, A, SL_MIN_PLUS_INT64,
                     &(sl_closure_options){.parent = wrong ? NULL : empty}))
COLLECTIVE(sl_closures, SL_OK,
           sl_closures(wrong ? smaller : empty_matrix, A, A, SL_MIN_SECONDI_INT64, NULL))
DIFFERENT(sl_closures, "max_iterations",
          sl_closures(empty_matrix, A, A, SL_MIN_SECONDI_INT64,
                      &(sl_closures_options){.bounded = true, .max_iterations = wrong ? 1 : 2}))
DIFFERENT(sl_closures, "level",
          sl_closures(empty_matrix, A, A, SL_MIN_SECONDI_INT64,
                      &(sl_closures_options){.level = wrong ? B : NULL}))
COLLECTIVE(sl_dependencies, SL_OK, sl_dependencies(reals, A, wrong ? beyond : second, 1))
DIFFERENT(sl_dependencies, "sources", sl_dependencies(reals, A, wrong ? third : second, 1))
DIFFERENT(sl_dependencies, "count", sl_dependencies(reals, A, second, wrong ? 0 : 1))

/* ---- la/io/io.h ---- */
LOCAL(sl_edges_free)
LOCAL(sl_labels_free)
LOCAL(sl_unread_columns_free)
LOCAL(sl_labels_find)
LOCAL(sl_format_describe)
LOCAL(sl_format_of_name)
COLLECTIVE(sl_edges_read, SL_OK,
           sl_edges_read(&edges, ctx, wrong ? "/nowhere/g.el" : edge_list, NULL))
COLLECTIVE(sl_matrix_from_edges, SL_OK,
           sl_matrix_from_edges(&M, ctx, &tuples, wrong ? &unknown_flags : NULL))
DIFFERENT(sl_matrix_from_edges, "duplicates",
          sl_matrix_from_edges(&M, ctx, &tuples,
                               &(sl_read_options){.duplicates = wrong ? SL_DUPLICATES_SUM
                                                                      : SL_DUPLICATES_MIN}))
COLLECTIVE(sl_matrix_read, SL_OK, sl_matrix_read(&M, ctx, edge_list, wrong ? 1u << 31 : 0))
DIFFERENT(sl_matrix_read, "path", sl_matrix_read(&M, ctx, wrong ? matrix_market : edge_list, 0))
DIFFERENT(sl_matrix_read, "path", sl_matrix_read(&M, ctx, wrong ? native : edge_list, 0))
DIFFERENT(sl_matrix_read, "path", sl_matrix_read(&M, ctx, wrong ? metis : matrix_market, 0))
DIFFERENT(sl_matrix_read, "flags",
          sl_matrix_read(&M, ctx, edge_list, wrong ? SL_READ_SYMMETRIC : SL_READ_NO_LOOPS))
COLLECTIVE(sl_matrix_read_with, SL_OK,
           sl_matrix_read_with(wrong ? NULL : &M, NULL, ctx, edge_list, NULL))
COLLECTIVE(sl_matrix_read_labelled, SL_OK,
           sl_matrix_read_labelled(wrong ? NULL : &M, NULL, NULL, ctx, edge_list, NULL))
DIFFERENT(sl_matrix_read_labelled, "no_header",
          sl_matrix_read_labelled(&M, NULL, NULL, ctx, edge_list,
                                  &(sl_read_options){.no_header = wrong}))
DIFFERENT(sl_matrix_read_labelled, "unread",
          sl_matrix_read_labelled(&M, NULL, NULL, ctx, edge_list,
                                  &(sl_read_options){.unread = wrong ? &(sl_unread_columns){0}
                                                                     : NULL}))
COLLECTIVE(sl_matrix_write, SL_OK,
           sl_matrix_write(A, wrong ? "/nowhere/g.el" : written, SL_FORMAT_AUTO))
DIFFERENT(sl_matrix_write, "format",
          sl_matrix_write(A, written, wrong ? SL_FORMAT_NATIVE : SL_FORMAT_MATRIX_MARKET))
COLLECTIVE(sl_matrix_write_with, SL_OK,
           sl_matrix_write_with(A, written, &(sl_write_options){.base = wrong ? 7 : 0}))
DIFFERENT(sl_matrix_write_with, "no_overwrite",
          sl_matrix_write_with(A, written, &(sl_write_options){.no_overwrite = wrong}))
COLLECTIVE(sl_edges_write, SL_OK,
           sl_edges_write(wrong ? &wrong_edges : &tuples, ctx, written, NULL))
DIFFERENT(sl_edges_write, "no_overwrite",
          sl_edges_write(&tuples, ctx, written, &(sl_write_options){.no_overwrite = wrong}))
COLLECTIVE(sl_vector_write, SL_OK, sl_vector_write(v, wrong ? NULL : written, SL_VECTOR_AUTO))
DIFFERENT(sl_vector_write, "format",
          sl_vector_write(v, written, wrong ? SL_VECTOR_NPY : SL_VECTOR_TEXT))
COLLECTIVE(sl_vector_write_with, SL_OK,
           sl_vector_write_with(v, written, &(sl_vector_options){.format = wrong ? 99 : 0}))
DIFFERENT(sl_vector_write_with, "no_overwrite",
          sl_vector_write_with(v, written, &(sl_vector_options){.no_overwrite = wrong}))
COLLECTIVE(sl_vector_read, SL_OK, sl_vector_read(&w, ctx, vector_file, wrong ? 99 : SL_VECTOR_AUTO))
DIFFERENT(sl_vector_read, "path",
          sl_vector_read(&w, ctx, wrong ? matrix_market : vector_file, SL_VECTOR_AUTO))
COLLECTIVE(sl_vector_read_with, SL_OK,
           sl_vector_read_with(wrong ? NULL : &w, ctx, vector_file, NULL))
LOCAL(sl_file_create)
LOCAL(sl_file_finish)
LOCAL(sl_files_discard)
COLLECTIVE(sl_generate, SL_OK,
           sl_generate(&edges, ctx,
                       &(sl_generator){.model = wrong ? 99 : SL_MODEL_PATH, .vertices = N}))
DIFFERENT(sl_generate, "vertices",
          sl_generate(&edges, ctx,
                      &(sl_generator){.model = SL_MODEL_PATH, .vertices = wrong ? N : N + 1}))
COLLECTIVE(sl_matrix_generate, SL_OK,
           sl_matrix_generate(wrong ? NULL : &M, ctx,
                              &(sl_generator){.model = SL_MODEL_KRONECKER, .scale = 3}, NULL))
COLLECTIVE(sl_matrix_generate, SL_OK,
           sl_matrix_generate(&M, ctx,
                              &(sl_generator){.model = SL_MODEL_KRONECKER, .scale = wrong ? 99 : 3},
                              NULL))
DIFFERENT(sl_matrix_generate, "seed",
          sl_matrix_generate(
              &M, ctx, &(sl_generator){.model = SL_MODEL_KRONECKER, .scale = 3, .seed = wrong},
              NULL))
LOCAL(sl_generator_supported)
COLLECTIVE(sl_generator_degrees, SL_UNSUPPORTED,
           sl_generator_degrees(&w, wrong ? NULL : &x, ctx,
                                &(sl_generator){.model = SL_MODEL_KRONECKER, .scale = 3}))
COLLECTIVE(sl_generator_check_tree, SL_UNSUPPORTED,
           sl_generator_check_tree(wrong ? NULL : &tree, v,
                                   &(sl_generator){.model = SL_MODEL_KRONECKER, .scale = 3}, 0))

/* ---- la/suitesparse/public/grb.h: not supported on a grid ---- */
LOCAL(sl_matrix_from_grb)
LOCAL(sl_vector_from_grb)
LOCAL(sl_matrix_to_grb)
LOCAL(sl_vector_to_grb)

/* ---- bfs/bfs.h ---- */
COLLECTIVE(sl_bfs, SL_OK, sl_bfs(&w, &x, A, wrong ? N : 0, NULL))
COLLECTIVE(sl_bfs, SL_OK, sl_bfs(wrong ? NULL : &w, NULL, A, 0, NULL))
COLLECTIVE(sl_bfs, SL_OK, sl_bfs(&w, NULL, A, 0, &(sl_bfs_options){.direction = wrong ? 9 : 0}))
DIFFERENT(sl_bfs, "source", sl_bfs(&w, NULL, A, wrong ? 1 : 0, NULL))
DIFFERENT(sl_bfs, "level", sl_bfs(&w, wrong ? &x : NULL, A, 0, NULL))
DIFFERENT(sl_bfs, "int32", sl_bfs(&w, NULL, A, 0, &(sl_bfs_options){.int32 = wrong}))
DIFFERENT(sl_bfs, "targets",
          sl_bfs(&w, NULL, A, 0,
                 &(sl_bfs_options){.targets = wrong ? second : third, .ntargets = 1}))
DIFFERENT(sl_bfs, "A", sl_bfs(&w, NULL, wrong ? smaller : A, 0, NULL))
COLLECTIVE(sl_bfs_plain, SL_OK, sl_bfs_plain(&w, NULL, A, wrong ? N : 0, false))
DIFFERENT(sl_bfs_plain, "deterministic", sl_bfs_plain(&w, NULL, A, 0, wrong))
LOCAL(sl_queue_search)
LOCAL(sl_validate_search)
COLLECTIVE(sl_search_array, SL_OK, sl_search_array(&array, wrong ? reals : v))
COLLECTIVE(sl_search_table, SL_OK, sl_search_table(wrong ? NULL : &array, A))
COLLECTIVE(sl_validate_search_in_place, SL_OK,
           sl_validate_search_in_place(&verdict, A, 0, wrong ? shorter : v, NULL, -1))
DIFFERENT(sl_validate_search_in_place, "source",
          sl_validate_search_in_place(&verdict, A, wrong ? 1 : 0, v, NULL, -1))
COLLECTIVE(sl_graph500, SL_OK,
           sl_graph500(&report, ctx, wrong ? NULL : &(sl_graph500_options){.scale = 4, .roots = 1}))
COLLECTIVE(sl_graph500, SL_OK,
           sl_graph500(&report, ctx, &(sl_graph500_options){.scale = wrong ? 99 : 4, .roots = 1}))
DIFFERENT(sl_graph500, "roots",
          sl_graph500(&report, ctx, &(sl_graph500_options){.scale = 4, .roots = wrong ? 1 : 2}))
DIFFERENT(sl_graph500, "sssp",
          sl_graph500(&report, ctx, &(sl_graph500_options){.scale = 4, .roots = 1, .sssp = wrong}))
LOCAL(sl_statistics_of)

/* ---- algorithms/algorithms.h ---- */
COLLECTIVE(sl_components, SL_OK, sl_components(wrong ? NULL : &w, A))
COLLECTIVE(sl_scc, SL_OK, sl_scc(wrong ? NULL : &w, NULL, A))
DIFFERENT(sl_scc, "count", sl_scc(&w, wrong ? &count : NULL, A))
COLLECTIVE(sl_sssp, SL_OK, sl_sssp(&w, NULL, A, wrong ? N : 0))
DIFFERENT(sl_sssp, "source", sl_sssp(&w, NULL, A, wrong ? 1 : 0))
DIFFERENT(sl_sssp, "parent", sl_sssp(&w, wrong ? &x : NULL, A, 0))
COLLECTIVE(sl_spanning_forest, SL_OK, sl_spanning_forest(wrong ? NULL : &M, NULL, A))
DIFFERENT(sl_spanning_forest, "summary",
          sl_spanning_forest(&M, wrong ? &(sl_forest_summary){0} : NULL, A))
COLLECTIVE(sl_pagerank, SL_OK,
           sl_pagerank(&w, A, &(sl_pagerank_options){.damping = wrong ? 2 : 0.5}, NULL))
COLLECTIVE(sl_pagerank, SL_OK,
           sl_pagerank(&w, A, &(sl_pagerank_options){.personalisation = wrong ? shorter : v}, NULL))
DIFFERENT(sl_pagerank, "tolerance",
          sl_pagerank(&w, A, &(sl_pagerank_options){.tolerance = wrong ? 1e-3 : 1e-2}, NULL))
DIFFERENT(sl_pagerank, "damping",
          sl_pagerank(&w, A, &(sl_pagerank_options){.damping = wrong ? 0.25 : 0.5}, NULL))
COLLECTIVE(sl_betweenness, SL_OK, sl_betweenness(&w, A, wrong ? beyond : second, 1, NULL))
DIFFERENT(sl_betweenness, "sources", sl_betweenness(&w, A, wrong ? third : second, 1, NULL))
DIFFERENT(sl_betweenness, "batch",
          sl_betweenness(&w, A, SL_ALL, 0, &(sl_betweenness_options){.batch = wrong ? 2 : 3}))
DIFFERENT(sl_betweenness, "sampled",
          sl_betweenness(&w, A, SL_ALL, 0, &(sl_betweenness_options){.sampled = wrong}))
DIFFERENT(sl_betweenness, "edges",
          sl_betweenness(&w, A, SL_ALL, 0,
                         &(sl_betweenness_options){.edges = wrong ? SL_EDGES_DIRECTED : 0}))
COLLECTIVE(sl_closeness, SL_OK, sl_closeness(&w, A, wrong ? beyond : second, 1, NULL))
DIFFERENT(sl_closeness, "sources", sl_closeness(&w, A, wrong ? third : second, 1, NULL))
DIFFERENT(sl_closeness, "estimate",
          sl_closeness(&w, A, second, 1, &(sl_closeness_options){.estimate = wrong}))
COLLECTIVE(sl_triangles, SL_OK, sl_triangles(wrong ? NULL : &count, NULL, A))
DIFFERENT(sl_triangles, "per_vertex", sl_triangles(&count, wrong ? &w : NULL, A))
COLLECTIVE(sl_local_clustering, SL_OK, sl_local_clustering(wrong ? NULL : &w, A, NULL))
COLLECTIVE(sl_core_numbers, SL_OK, sl_core_numbers(wrong ? NULL : &w, NULL, A))
COLLECTIVE(sl_ktruss, SL_OK, sl_ktruss(&M, A, wrong ? 2 : 3))
DIFFERENT(sl_ktruss, "k", sl_ktruss(&M, A, wrong ? 4 : 3))
COLLECTIVE(sl_multi_source_bfs, SL_OK,
           sl_multi_source_bfs(&M, NULL, A, wrong ? beyond : second, 1, NULL))
DIFFERENT(sl_multi_source_bfs, "sources",
          sl_multi_source_bfs(&M, NULL, A, wrong ? third : second, 1, NULL))
DIFFERENT(sl_multi_source_bfs, "max_depth",
          sl_multi_source_bfs(&M, NULL, A, second, 1,
                              &(sl_multi_source_options){.bounded = true, .max_depth = wrong}))
COLLECTIVE(sl_khop, SL_OK, sl_khop(&w, A, wrong ? beyond : second, 1, 2))
DIFFERENT(sl_khop, "hops", sl_khop(&w, A, second, 1, wrong ? 2 : 1))
COLLECTIVE(sl_st_connected, SL_OK, sl_st_connected(&flag, NULL, NULL, A, wrong ? N : 0, 2))
DIFFERENT(sl_st_connected, "t", sl_st_connected(&flag, NULL, NULL, A, 0, wrong ? 1 : 2))
COLLECTIVE(sl_pseudo_diameter, SL_OK,
           sl_pseudo_diameter(&diameter, A, &(sl_diameter_options){.has_start = wrong, .start = N}))
DIFFERENT(sl_pseudo_diameter, "max_searches",
          sl_pseudo_diameter(&diameter, A, &(sl_diameter_options){.max_searches = wrong ? 1 : 2}))
COLLECTIVE(sl_bipartite, SL_OK, sl_bipartite(wrong ? NULL : &flag, NULL, NULL, A))
DIFFERENT(sl_bipartite, "side", sl_bipartite(&flag, wrong ? &w : NULL, NULL, A))
COLLECTIVE(sl_independent_set, SL_OK, sl_independent_set(wrong ? NULL : &w, A, 1))
DIFFERENT(sl_independent_set, "seed", sl_independent_set(&w, A, wrong ? 1 : 2))
COLLECTIVE(sl_label_propagation, SL_OK, sl_label_propagation(wrong ? NULL : &w, A, 2, NULL))
DIFFERENT(sl_label_propagation, "max_iterations", sl_label_propagation(&w, A, wrong ? 1 : 2, NULL))

/* ---- algorithms/checks.h ---- */
LOCAL(sl_plain_components)
LOCAL(sl_plain_scc)
LOCAL(sl_plain_label_propagation)
LOCAL(sl_plain_pagerank)
LOCAL(sl_plain_betweenness)
LOCAL(sl_plain_closeness)
LOCAL(sl_plain_triangles)
LOCAL(sl_plain_local_clustering)
LOCAL(sl_plain_core_numbers)
LOCAL(sl_plain_ktruss)
LOCAL(sl_check_multi_source)
LOCAL(sl_check_khop)
LOCAL(sl_check_st_connected)
LOCAL(sl_check_diameter)
LOCAL(sl_check_bipartite)
LOCAL(sl_check_label_propagation)
LOCAL(sl_check_independent_set)
LOCAL(sl_check_components)
LOCAL(sl_check_scc)
LOCAL(sl_check_spanning_forest)
COLLECTIVE(sl_distance_array, SL_OK, sl_distance_array(&memory, wrong ? levels : v))
LOCAL(sl_check_sssp)
LOCAL(sl_check_pagerank)
LOCAL(sl_check_betweenness)
LOCAL(sl_check_closeness)
LOCAL(sl_check_triangles)
LOCAL(sl_check_local_clustering)
LOCAL(sl_check_core_numbers)
LOCAL(sl_check_ktruss)

/* ---- algorithms/registry.h ---- */
LOCAL(sl_algorithm_at)
LOCAL(sl_algorithm_find)
LOCAL(sl_algorithm_begin)
COLLECTIVE(sl_algorithm_prepare, SL_OK, prepare("khop", wrong ? N : 0))
DIFFERENT(sl_algorithm_prepare, "sources", prepare("khop", wrong))
COLLECTIVE(sl_algorithm_run, SL_OK, run_registered(wrong ? N : 0))
DIFFERENT(sl_algorithm_run, "source", run_registered(wrong))
COLLECTIVE(sl_algorithm_check, SL_OK, check_registered(wrong))
ONLY_NULL(sl_algorithm_summarise)
LOCAL(sl_algorithm_end)

/* ---- dist/dist.h ---- */
COLLECTIVE(sl_grid_context_create, SL_OK,
           create(wrong ? 7 * world_size() : 0, SL_ENGINE_SUITESPARSE))
COLLECTIVE(sl_grid_context_create, SL_OK, create(0, wrong ? 99 : SL_ENGINE_SUITESPARSE))
LOCAL(sl_grid_describe)

/* ---- dist/world.h ---- */
LOCAL(sl_mpi_describe)
COLLECTIVE(sl_grid_context_create_world, SL_OK, create_world(wrong ? 7 * world_size() : 0))

/* ---- dist/dist.h ---- */
LOCAL(sl_grid_matrix_owner)
LOCAL(sl_grid_vector_owner)
LOCAL(sl_grid_vector_range)
COLLECTIVE(sl_grid_gather_matrix, SL_OK, sl_grid_gather_matrix(&arrays, A, wrong ? 99 : 0))
DIFFERENT(sl_grid_gather_matrix, "root", sl_grid_gather_matrix(&arrays, A, wrong))
COLLECTIVE(sl_grid_gather_vector, SL_OK, sl_grid_gather_vector(wrong ? NULL : &arrays, v, 0))
LOCAL(sl_grid_get_traffic)
LOCAL(sl_grid_reset_traffic)

/* ---- semirings/semirings.h ---- */
LOCAL(sl_type_size)
LOCAL(sl_type_name)
LOCAL(sl_scalar_cast)
LOCAL(sl_scalar_load)
LOCAL(sl_scalar_equal)
LOCAL(sl_unary_op_get)
LOCAL(sl_binary_op_get)
LOCAL(sl_index_op_get)
LOCAL(sl_monoid_get)
LOCAL(sl_semiring_get)
