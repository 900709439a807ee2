# Rooms and doors. A door is a set of headers that a room shows to others; they
# are copied to doors/NAME/semla/, so that a room compiles against <semla/x.h> of
# the doors it names and cannot see any other. Doors are installed, but for those
# that are PRIVATE: SEMLA_PUBLIC_HEADERS (a global property) lists what users see.

# semla_door(NAME [PRIVATE] header...)
function(semla_door name)
  cmake_parse_arguments(arg "PRIVATE" "" "" ${ARGN})
  foreach(header ${arg_UNPARSED_ARGUMENTS})
    if(NOT arg_PRIVATE)
      set_property(GLOBAL APPEND PROPERTY SEMLA_PUBLIC_HEADERS ${CMAKE_SOURCE_DIR}/${header})
    endif()
    get_filename_component(file ${header} NAME)
    configure_file(${CMAKE_SOURCE_DIR}/${header} ${CMAKE_BINARY_DIR}/doors/${name}/semla/${file} COPYONLY)
  endforeach()
  add_library(door_${name} INTERFACE)
  target_include_directories(door_${name} INTERFACE ${CMAKE_BINARY_DIR}/doors/${name})
endfunction()

# Sources of a folder, not of its sub-rooms. Only the room of the GPU has *.cu.
function(semla_sources out folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c ${CMAKE_SOURCE_DIR}/${folder}/*.cu)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# semla_room(NAME [FOLDER folder] [PARTS folder...] DOORS door... [LINK target...])
# PARTS are folders inside a large room. They divide it for readers; it stays one room,
# whose files see each other's private headers.
function(semla_room name)
  cmake_parse_arguments(arg "" "FOLDER" "PARTS;DOORS;LINK" ${ARGN})
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  semla_sources(sources ${arg_FOLDER})
  add_library(room_${name} OBJECT ${sources})
  foreach(part ${arg_PARTS})
    semla_sources(sources ${arg_FOLDER}/${part})
    target_sources(room_${name} PRIVATE ${sources})
  endforeach()
  if(arg_PARTS)
    list(TRANSFORM arg_PARTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/)
    target_include_directories(room_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER} ${arg_PARTS})
  endif()
  set_target_properties(room_${name} PROPERTIES C_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden)
  target_link_libraries(room_${name} PRIVATE semla_compile_options ${arg_LINK})
  foreach(door ${arg_DOORS})
    target_link_libraries(room_${name} PRIVATE door_${door})
  endforeach()
  set_property(TARGET room_${name} PROPERTY SEMLA_LINK ${arg_LINK})
endfunction()

# The library that users link, of all rooms, each compiled once. NAME is shared and
# exports what public headers declare (they say so with a pragma). NAME_static is
# linked into one object first, in which what is not exported becomes local, so that
# its names meet none of the user's. NAME_rooms lets tests reach the rooms' functions.
function(semla_library name)
  cmake_parse_arguments(arg "" "" "ROOMS" ${ARGN})
  add_library(${name} SHARED)
  add_library(${name}_rooms STATIC)
  add_library(${name}_static STATIC ${name}.o)
  set_target_properties(${name}_static PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
  set(objects "")
  foreach(room ${arg_ROOMS})
    list(APPEND objects $<TARGET_OBJECTS:room_${room}>)
    get_property(link TARGET room_${room} PROPERTY SEMLA_LINK)
    foreach(library ${name} ${name}_rooms ${name}_static)
      target_link_libraries(${library} PRIVATE ${link})
    endforeach()
  endforeach()
  foreach(library ${name} ${name}_rooms ${name}_static)
    target_link_libraries(${library} PRIVATE m)
  endforeach()
  target_sources(${name} PRIVATE ${objects})
  target_sources(${name}_rooms PRIVATE ${objects})
  add_custom_command(OUTPUT ${name}.o DEPENDS ${objects} COMMAND_EXPAND_LISTS VERBATIM
    COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${name}.o ${objects}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${name}.o)

  # Before 1.0 the interface may change with any minor version.
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(map ${CMAKE_SOURCE_DIR}/cmake/exports.map)
  target_link_options(${name} PRIVATE -Wl,--version-script=${map})
  # OpenMP's workers still execute code of the library after its last parallel region has ended, so
  # dlclose must not unmap it (Python unloads its modules' libraries at exit).
  target_link_options(${name} PRIVATE -Wl,-z,nodelete)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${map})
  target_link_libraries(${name} PRIVATE semla_compile_options)
  if(NOT SEMLA_SANITIZE) # a sanitizer's symbols come with the program
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
endfunction()

# semla_program(TARGET FOLDER folder NAME file DOORS door... LINK target...)
function(semla_program target)
  cmake_parse_arguments(arg "" "FOLDER;NAME" "DOORS;LINK" ${ARGN})
  semla_sources(sources ${arg_FOLDER})
  add_executable(${target} ${sources})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${arg_NAME})
  target_link_libraries(${target} PRIVATE semla_compile_options ${arg_LINK})
  foreach(door ${arg_DOORS})
    target_link_libraries(${target} PRIVATE door_${door})
  endforeach()
endfunction()
