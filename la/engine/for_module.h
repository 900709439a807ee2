/* Marks private symbols that libsemla.so exports to the module libsemla_mpi.so and to the command.
 * cmake/exports.map lists them as SEMLA_PRIVATE; programs must not use them. */
#ifndef SEMLA_FOR_MODULE_H
#define SEMLA_FOR_MODULE_H

#define SL_FOR_MODULE __attribute__((visibility("default")))

#endif
