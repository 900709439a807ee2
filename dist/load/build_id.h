/*
 * Identifies the sources of this build: a hash that cmake/BuildId.cmake makes. libsemla.so, the module
 * libsemla_mpi.so and the command have a copy each, and compare them: two builds may have the same
 * version, and yet differ in the layout of a table or of a message.
 */
#ifndef SEMLA_BUILD_ID_H
#define SEMLA_BUILD_ID_H

extern const char sl_build_id[]; /* 16 digits */

#endif
