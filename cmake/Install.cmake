# Installs the components library, development and command, and with MPI grid, the module that libsemla.so loads. Other projects find them with
# find_package(semla) or pkg-config. The installed files can be moved as a whole.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/semla)

# ---- files -------------------------------------------------------------------

get_property(headers GLOBAL PROPERTY SEMLA_PUBLIC_HEADERS)
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/semla COMPONENT development)
foreach(library semla semla_static)
  target_include_directories(${library} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
install(TARGETS semla EXPORT semlaTargets
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
if(SEMLA_HAS_MPI)
  install(TARGETS semla_mpi LIBRARY COMPONENT grid NAMELINK_SKIP)
endif()
install(TARGETS semla_static EXPORT semlaStaticTargets ARCHIVE COMPONENT development)

file(RELATIVE_PATH relative_libdir ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
if(SEMLA_EMULATED_GPU)
  semla_rpath(semla .) # libemulated_cudart.so is beside it
else()
  semla_rpath(semla)
endif()
semla_rpath(semla_command ${relative_libdir} .)
if(SEMLA_HAS_MPI)
  semla_rpath(semla_mpi .)
endif()
install(TARGETS semla_command RUNTIME COMPONENT command)

# The manual pages are made from the --help texts of the command.
set(man ${CMAKE_CURRENT_BINARY_DIR}/man)
add_custom_command(OUTPUT ${man}/semla.1 VERBATIM
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/docs/man/pages.sh $<TARGET_FILE:semla_command>
    ${CMAKE_CURRENT_SOURCE_DIR}/docs/man/semla.1.in ${man}
  DEPENDS semla_command docs/man/pages.sh docs/man/semla.1.in)
add_custom_target(semla_man ALL DEPENDS ${man}/semla.1)
install(DIRECTORY ${man}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)

# So are the scripts of completion, where the shells look for them.
set(completion ${CMAKE_CURRENT_BINARY_DIR}/completion)
file(MAKE_DIRECTORY ${completion})
foreach(shell bash zsh fish)
  add_custom_command(OUTPUT ${completion}/${shell} VERBATIM DEPENDS semla_command
    COMMAND $<TARGET_FILE:semla_command> completion ${shell} > ${completion}/${shell})
endforeach()
add_custom_target(semla_completion ALL DEPENDS ${completion}/bash ${completion}/zsh ${completion}/fish)
install(FILES ${completion}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME semla COMPONENT command)
install(FILES ${completion}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
  RENAME _semla COMPONENT command)
install(FILES ${completion}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  RENAME semla.fish COMPONENT command)

file(GLOB pages CONFIGURE_DEPENDS docs/*.md)
install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md SECURITY.md LICENSE ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY docs/guide docs/notes DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development FILES_MATCHING PATTERN *.md)
install(DIRECTORY docs/notebooks DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY docs/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development FILES_MATCHING PATTERN *.png)
install(FILES third_party/chartjs/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME LICENSE.chartjs COMPONENT command)
install(DIRECTORY docs/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development
  FILES_MATCHING PATTERN *.c PATTERN roads.txt PATTERN roads.csv PATTERN graphblas/CMakeLists.txt)

# ---- find_package(semla) -----------------------------------------------------

# A program that links the static library also needs the targets that the modules link.
# semlaConfig.cmake finds them as these CMake packages and these pkg-config modules.
set(SEMLA_STATIC_PACKAGES "")
set(SEMLA_STATIC_MODULES "")
get_target_property(links semla_static LINK_LIBRARIES)
list(REMOVE_DUPLICATES links)
foreach(link ${links})
  if(link MATCHES "^SuiteSparse::")
    list(APPEND SEMLA_STATIC_PACKAGES SuiteSparseGraphBLAS)
  elseif(link MATCHES "^(OpenMP|ZLIB|MPI)::")
    list(APPEND SEMLA_STATIC_PACKAGES ${CMAKE_MATCH_1})
  elseif(link MATCHES "^CUDA::")
    list(APPEND SEMLA_STATIC_PACKAGES CUDAToolkit)
  elseif(link MATCHES "^PkgConfig::(.*)")
    string(APPEND SEMLA_STATIC_MODULES "semla_find_module(${CMAKE_MATCH_1} ${${CMAKE_MATCH_1}_MODULE_NAME})\n")
  elseif(link MATCHES "::")
    message(FATAL_ERROR "Install.cmake: add the CMake package that provides ${link}")
  endif()
endforeach()

if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(semlaConfigVersion.cmake COMPATIBILITY ${compatibility})
configure_package_config_file(cmake/semlaConfig.cmake.in semlaConfig.cmake INSTALL_DESTINATION ${package_dir})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/semlaConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/semlaConfigVersion.cmake
  cmake/FindSuiteSparseGraphBLAS.cmake DESTINATION ${package_dir} COMPONENT development)
foreach(set semlaTargets semlaStaticTargets)
  install(EXPORT ${set} NAMESPACE semla:: DESTINATION ${package_dir} COMPONENT development)
endforeach()

include(PkgConfigFile)
