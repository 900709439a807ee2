# Debian packages, made by CPack: `cpack -G DEB` or `make package`. The preset `package` uses the folders of
# Debian, below /usr.
set(CPACK_PACKAGE_NAME semla)
set(CPACK_PACKAGE_CONTACT "semla maintainers <maintainers@semla.invalid>" CACHE STRING "The maintainer in the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development command)
if(SEMLA_HAS_MPI)
  list(APPEND CPACK_COMPONENTS_ALL grid)
endif()
set(CPACK_COMPONENT_GRID_DEPENDS library)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
set(CPACK_COMPONENT_COMMAND_DEPENDS library)

# The name of the library package contains the interface version: several versions can be installed.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsemla${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_GRID_PACKAGE_NAME ${CPACK_DEBIAN_LIBRARY_PACKAGE_NAME}-mpi)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS ${CPACK_DEBIAN_GRID_PACKAGE_NAME})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsemla-dev)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME semla)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_GRID_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_GRID_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GRID_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR}) # the folder of libsemla
# Needed by programs that link the static library.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libgraphblas-dev, zlib1g-dev, libzstd-dev")
set(about "Graph algorithms as sparse linear algebra over semirings, in the style of the
GraphBLAS, on CPUs, GPUs and grids of MPI ranks.
.
")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${about}This package contains the shared library.")
set(CPACK_COMPONENT_GRID_DESCRIPTION
  "${about}This package contains the module for grids of MPI ranks, which the library loads at run time.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "${about}This package contains the headers, the static library and documentation.")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${about}This package contains the command, which works on graphs in files.")

set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/finish.cmake)
include(CPack)
