/* Marks private functions that libsemla.so exports to the module libsemla_mpi.so and to the command. They are listed
 * as SEMLA_PRIVATE in cmake/exports.map; programs must not call them. */
#ifndef SEMLA_FOR_MODULE_H
#define SEMLA_FOR_MODULE_H

#define SL_FOR_MODULE __attribute__((visibility("default")))

#endif
