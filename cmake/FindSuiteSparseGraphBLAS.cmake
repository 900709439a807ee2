# Defines the target SuiteSparse::GraphBLAS. Finds both the package of upstream (GraphBLASConfig.cmake) and
# that of Debian (a header and a library); CMAKE_PREFIX_PATH selects one. This file is installed with semla,
# because its static library and <semla/grb.h> need SuiteSparse, too.

# No version is requested here: the packages of upstream reject requests for an older major version. The package of the
# same name that semla installs (graphblas/) is another library.
find_package(GraphBLAS CONFIG QUIET)
if(TARGET GraphBLAS::GraphBLAS AND NOT GRAPHBLAS_OVER_SEMLA)
  set(found GraphBLAS_DIR)
  set(library GraphBLAS::GraphBLAS)
  get_target_property(SuiteSparseGraphBLAS_INCLUDE_DIRS GraphBLAS::GraphBLAS INTERFACE_INCLUDE_DIRECTORIES)
  set(SuiteSparseGraphBLAS_VERSION ${GraphBLAS_VERSION})
else()
  find_path(SuiteSparseGraphBLAS_INCLUDE_DIR GraphBLAS.h PATH_SUFFIXES suitesparse)
  find_library(SuiteSparseGraphBLAS_LIBRARY graphblas)
  mark_as_advanced(SuiteSparseGraphBLAS_INCLUDE_DIR SuiteSparseGraphBLAS_LIBRARY)
  set(found SuiteSparseGraphBLAS_LIBRARY SuiteSparseGraphBLAS_INCLUDE_DIR)
  set(library ${SuiteSparseGraphBLAS_LIBRARY})
  set(SuiteSparseGraphBLAS_INCLUDE_DIRS ${SuiteSparseGraphBLAS_INCLUDE_DIR})
  if(SuiteSparseGraphBLAS_INCLUDE_DIR)
    file(STRINGS ${SuiteSparseGraphBLAS_INCLUDE_DIR}/GraphBLAS.h numbers
      REGEX "^#define +GxB_IMPLEMENTATION_(MAJOR|MINOR|SUB) +[0-9]+")
    string(REGEX MATCHALL "[0-9]+" numbers "${numbers}")
    list(JOIN numbers "." SuiteSparseGraphBLAS_VERSION)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparseGraphBLAS REQUIRED_VARS ${found}
  VERSION_VAR SuiteSparseGraphBLAS_VERSION
  REASON_FAILURE_MESSAGE "SuiteSparse:GraphBLAS is needed (Debian: libgraphblas-dev)")

if(SuiteSparseGraphBLAS_FOUND AND NOT TARGET SuiteSparse::GraphBLAS)
  add_library(SuiteSparse::GraphBLAS INTERFACE IMPORTED)
  target_link_libraries(SuiteSparse::GraphBLAS INTERFACE ${library})
  target_include_directories(SuiteSparse::GraphBLAS SYSTEM INTERFACE ${SuiteSparseGraphBLAS_INCLUDE_DIR})
endif()
