# SuiteSparse:GraphBLAS as the target SuiteSparse::GraphBLAS, found both as
# upstream installs it (GraphBLASConfig.cmake, GraphBLAS::GraphBLAS) and as Debian
# does (a header and a library).
find_package(GraphBLAS 7.4 CONFIG QUIET)
add_library(SuiteSparse::GraphBLAS INTERFACE IMPORTED)
if(TARGET GraphBLAS::GraphBLAS)
  target_link_libraries(SuiteSparse::GraphBLAS INTERFACE GraphBLAS::GraphBLAS)
else()
  find_path(GRAPHBLAS_INCLUDE_DIR GraphBLAS.h PATH_SUFFIXES suitesparse)
  find_library(GRAPHBLAS_LIBRARY graphblas)
  if(NOT GRAPHBLAS_INCLUDE_DIR OR NOT GRAPHBLAS_LIBRARY)
    message(FATAL_ERROR "SuiteSparse:GraphBLAS >= 7.4 is needed (Debian: libgraphblas-dev)")
  endif()
  target_include_directories(SuiteSparse::GraphBLAS SYSTEM INTERFACE ${GRAPHBLAS_INCLUDE_DIR})
  target_link_libraries(SuiteSparse::GraphBLAS INTERFACE ${GRAPHBLAS_LIBRARY})
endif()
