# Packages by CPack: cpack -G DEB, or make package. The preset `package` installs as
# Debian does, below /usr and in the folder of the machine's kind.
set(CPACK_PACKAGE_NAME semla)
set(CPACK_PACKAGE_CONTACT "semla maintainers <maintainers@semla.invalid>" CACHE STRING "Whom packages name as maintainer")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development command)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
set(CPACK_COMPONENT_COMMAND_DEPENDS library)

# The library's package is named for its interface, as several may be installed.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsemla${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsemla-dev)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME semla)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR}) # where libsemla is
# For the static library.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libgraphblas-dev, zlib1g-dev, libzstd-dev")
set(about "Operations of the GraphBLAS through SuiteSparse:GraphBLAS, and searches of
graphs through engines of its own.
.
")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${about}This is the shared library.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "${about}These are the headers, the static library and documentation.")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "${about}This is the command, for graphs in files.")

set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/cmake/debian/finish.cmake)
include(CPack)
