/*
 * The engines of this build, in the order in which a context tries them: the fastest first,
 * SuiteSparse, which supports every operation, last. Each is defined in the folder of its name. To
 * add an engine, add it to this list.
 */
#include <semla/engine.h>

extern const sl_engine sl_engine_cuda;
extern const sl_engine sl_engine_openmp;
extern const sl_engine sl_engine_suitesparse;

const sl_engine *const sl_engines[] = {
    &sl_engine_cuda,
    &sl_engine_openmp,
    &sl_engine_suitesparse,
    NULL,
};
