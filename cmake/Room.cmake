# Rooms and doors. A door is a set of headers that a room shows to others; they
# are copied to doors/NAME/semla/, so that a room compiles against <semla/x.h> of
# the doors it names and cannot see any other.

function(semla_door name)
  foreach(header ${ARGN})
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

# semla_room(NAME [FOLDER folder] DOORS door... [LINK target...])
function(semla_room name)
  cmake_parse_arguments(arg "" "FOLDER" "DOORS;LINK" ${ARGN})
  if(NOT arg_FOLDER)
    set(arg_FOLDER ${name})
  endif()
  semla_sources(sources ${arg_FOLDER})
  add_library(room_${name} OBJECT ${sources})
  target_link_libraries(room_${name} PRIVATE semla_compile_options ${arg_LINK})
  foreach(door ${arg_DOORS})
    target_link_libraries(room_${name} PRIVATE door_${door})
  endforeach()
  set_property(TARGET room_${name} PROPERTY SEMLA_LINK ${arg_LINK})
endfunction()

# The library that users link, of all rooms.
function(semla_library name)
  cmake_parse_arguments(arg "" "" "ROOMS" ${ARGN})
  add_library(${name} SHARED)
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  foreach(room ${arg_ROOMS})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:room_${room}>)
    get_property(link TARGET room_${room} PROPERTY SEMLA_LINK)
    target_link_libraries(${name} PRIVATE ${link})
  endforeach()
  target_link_libraries(${name} PRIVATE semla_compile_options m)
  if(SEMLA_HAS_CUDA) # a program may have a CUDA runtime of its own
    target_link_options(${name} PRIVATE -Wl,--exclude-libs,libcudart_static.a)
  endif()
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
