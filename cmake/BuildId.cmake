# The constant sl_build_id (dist/load/build_id.h) in a C source: a hash of the library's sources, by their names and
# contents, so that builds of the same sources have the same, whatever the compiler and the folder.
#
#     include(BuildId)                                  defines the target module_build_id
#     cmake -DSOURCE=folder -DOUTPUT=file.c -P BuildId.cmake
set(library_folders semirings la bfs algorithms dist)

if(CMAKE_SCRIPT_MODE_FILE)
  set(patterns "")
  foreach(folder ${library_folders})
    list(APPEND patterns ${SOURCE}/${folder}/*.[ch] ${SOURCE}/${folder}/*.cu ${SOURCE}/${folder}/*.cuh)
  endforeach()
  file(GLOB_RECURSE sources RELATIVE ${SOURCE} ${patterns})
  list(SORT sources)
  set(hashes "")
  foreach(source ${sources})
    file(SHA256 ${SOURCE}/${source} hash)
    string(APPEND hashes "${source} ${hash}\n")
  endforeach()
  string(SHA256 id "${hashes}")
  string(SUBSTRING ${id} 0 16 id)
  file(WRITE ${OUTPUT} "/* Made by cmake/BuildId.cmake. */\n#include \"dist/load/build_id.h\"\n\nconst char sl_build_id[] = \"${id}\";\n")
  return()
endif()

set(patterns "")
foreach(folder ${library_folders})
  list(APPEND patterns ${folder}/*.[ch] ${folder}/*.cu ${folder}/*.cuh)
endforeach()
file(GLOB_RECURSE library_sources CONFIGURE_DEPENDS ${patterns})
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/build_id.c VERBATIM
  DEPENDS ${library_sources} ${CMAKE_CURRENT_LIST_FILE}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${CMAKE_BINARY_DIR}/build_id.c -P ${CMAKE_CURRENT_LIST_FILE})
add_library(module_build_id OBJECT ${CMAKE_BINARY_DIR}/build_id.c)
semla_include_root(module_build_id dist)
target_link_libraries(module_build_id PRIVATE semla_compile_options)
set_target_properties(module_build_id PROPERTIES C_VISIBILITY_PRESET hidden)
