# Modules and interfaces. An interface is a set of headers that a module offers to others; the
# headers are copied to build/*/interfaces/NAME/semla/. A module is compiled with the include paths of
# the interfaces that it names and no others, so a header <semla/x.h> of any other interface is not
# found. Interfaces are installed unless they are PRIVATE; the global property SEMLA_PUBLIC_HEADERS
# lists the installed headers.


# semla_interface(NAME [PRIVATE] header...)
function(semla_interface name)
  cmake_parse_arguments(arg "PRIVATE" "" "" ${ARGN})
  foreach(header ${arg_UNPARSED_ARGUMENTS})
    if(NOT arg_PRIVATE)
      set_property(GLOBAL APPEND PROPERTY SEMLA_PUBLIC_HEADERS ${CMAKE_SOURCE_DIR}/${header})
    endif()
    get_filename_component(file ${header} NAME)
    configure_file(${CMAKE_SOURCE_DIR}/${header} ${CMAKE_BINARY_DIR}/interfaces/${name}/semla/${file} COPYONLY)
  endforeach()
  add_library(interface_${name} INTERFACE)
  target_include_directories(interface_${name} INTERFACE ${CMAKE_BINARY_DIR}/interfaces/${name})
endfunction()

# The sources of a folder, without its subfolders. Only la/cuda has *.cu files.
function(semla_sources out folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c ${CMAKE_SOURCE_DIR}/${folder}/*.cu)
  if(SEMLA_EMULATED_GPU)
    semla_emulated_sources(sources)
  endif()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# The folder from which the includes of a folder's private headers begin: la/ for the modules in it, else the project's.
function(semla_include_root target folder)
  if(folder MATCHES "^la/")
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/la)
  else()
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  endif()
endfunction()

# semla_module(NAME [FOLDER folder] [PARTS folder...] INTERFACES interface... [LINK target...] [HEADERS target...])
# PARTS are subfolders of a large module, which remains one target. A private header is included by its path from the
# folder that contains the module's, as "cuda/links/links.h"; structure.includes checks that it is the module's own. Of HEADERS only the headers are used.
function(semla_module name)
  cmake_parse_arguments(arg "" "FOLDER" "PARTS;INTERFACES;LINK;HEADERS" ${ARGN})
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  semla_sources(sources ${arg_FOLDER})
  add_library(module_${name} OBJECT ${sources})
  foreach(part ${arg_PARTS})
    semla_sources(sources ${arg_FOLDER}/${part})
    target_sources(module_${name} PRIVATE ${sources})
  endforeach()
  semla_include_root(module_${name} ${arg_FOLDER})
  set_target_properties(module_${name} PROPERTIES C_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden)
  target_link_libraries(module_${name} PRIVATE semla_compile_options ${arg_LINK})
  foreach(interface ${arg_INTERFACES})
    target_link_libraries(module_${name} PRIVATE interface_${interface})
  endforeach()
  semla_headers(module_${name} ${arg_HEADERS})
  set_property(TARGET module_${name} PROPERTY SEMLA_LINK ${arg_LINK})
endfunction()

# Compiles a target with the headers of other targets, which it does not link.
function(semla_headers target)
  foreach(other ${ARGN})
    target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:${other},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
endfunction()

# The library that users link, made of modules; each source is compiled once. NAME is shared and exports what the
# public headers declare between their visibility pragmas, and a few private symbols (exports.map). NAME_static is
# linked into one object first, in which every other symbol becomes local, so that it cannot clash with the
# user's symbols. Tests of private functions link NAME_modules. The modules of SHARED are in NAME only, those of STATIC
# in the other two.
function(semla_library name)
  cmake_parse_arguments(arg "" "" "MODULES;SHARED;STATIC" ${ARGN})
  add_library(${name} SHARED)
  add_library(${name}_modules STATIC)
  add_library(${name}_static STATIC ${name}.o)
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
  semla_link_modules(${name} ${arg_MODULES} ${arg_SHARED})
  semla_link_modules(${name}_modules ${arg_MODULES} ${arg_STATIC})
  set(objects "")
  foreach(module ${arg_MODULES} ${arg_STATIC})
    list(APPEND objects $<TARGET_OBJECTS:module_${module}>)
    get_property(link TARGET module_${module} PROPERTY SEMLA_LINK)
    target_link_libraries(${name}_static PRIVATE ${link})
  endforeach()
  target_link_libraries(${name}_static PRIVATE m)
  set(map ${CMAKE_SOURCE_DIR}/cmake/exports.map)
  semla_private_symbols(private ${map})
  list(TRANSFORM private PREPEND --localize-symbol=)
  add_custom_command(OUTPUT ${name}.o DEPENDS ${objects} ${map} COMMAND_EXPAND_LISTS VERBATIM
    COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${name}.o ${objects}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${private} ${name}.o)
  semla_shared(${name} ${map})
endfunction()

# Makes a library of the objects of modules.
function(semla_link_modules library)
  foreach(module ${ARGN})
    get_property(link TARGET module_${module} PROPERTY SEMLA_LINK)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:module_${module}>)
    target_link_libraries(${library} PRIVATE ${link})
  endforeach()
  target_link_libraries(${library} PRIVATE m)
endfunction()

# The version, the exported symbols and the linker's options of a shared library.
function(semla_shared library map)
  # Before 1.0 the interface may change with any minor version.
  set_target_properties(${library} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_link_options(${library} PRIVATE -Wl,--version-script=${map})
  # OpenMP's workers still execute code of the library after its last parallel region has ended, so
  # dlclose must not unmap it (Python unloads its modules' libraries at exit).
  target_link_options(${library} PRIVATE -Wl,-z,nodelete)
  set_property(TARGET ${library} APPEND PROPERTY LINK_DEPENDS ${map})
  target_link_libraries(${library} PRIVATE semla_compile_options)
  if(NOT SEMLA_SANITIZE) # a sanitizer's symbols come with the program
    target_link_options(${library} PRIVATE -Wl,-z,defs)
  endif()
endfunction()

# The symbols of the version SEMLA_PRIVATE in a version script.
function(semla_private_symbols out map)
  file(READ ${map} text)
  string(REGEX MATCH "SEMLA_PRIVATE[ \n]*{[^}]*}" text "${text}")
  string(REGEX MATCHALL "sl_[a-z0-9_]+" symbols "${text}")
  set(${out} ${symbols} PARENT_SCOPE)
endfunction()

# semla_program(TARGET FOLDER folder NAME file INTERFACES interface... LINK target...)
function(semla_program target)
  cmake_parse_arguments(arg "" "FOLDER;NAME" "INTERFACES;LINK" ${ARGN})
  semla_sources(sources ${arg_FOLDER})
  add_executable(${target} ${sources})
  semla_include_root(${target} ${arg_FOLDER})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_NAME})
  target_link_libraries(${target} PRIVATE semla_compile_options ${arg_LINK})
  foreach(interface ${arg_INTERFACES})
    target_link_libraries(${target} PRIVATE interface_${interface})
  endforeach()
endfunction()

# semla_rpath(TARGET folder...): the RPATH of an installed target, relative to its own folder: where libsemla.so is when
# it is installed, and where it is in the build folder. One RPATH serves both: to replace one by another at installation, CMake
# would append an empty element to the first, which stands for the working directory. The folders of other libraries follow.
function(semla_rpath target)
  foreach(folder ${ARGN})
    string(REGEX REPLACE "/\\.$" "" folder "$ORIGIN/${folder}")
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH ${folder})
  endforeach()
  if(NOT CMAKE_SKIP_INSTALL_RPATH)
    set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
endfunction()
