# Compiler flags of every target of the project, on one interface target.
add_library(semla_compile_options INTERFACE)
# Those for C are not nvcc's, which gets few of its own.
function(semla_options language)
  foreach(option ${ARGN})
    target_compile_options(semla_compile_options INTERFACE $<$<COMPILE_LANGUAGE:${language}>:${option}>)
  endforeach()
endfunction()

semla_options(C
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wno-unused-parameter)
target_compile_definitions(semla_compile_options INTERFACE _GNU_SOURCE)
if(SEMLA_WARNINGS_AS_ERRORS)
  semla_options(C -Werror)
  semla_options(CUDA -Werror=all-warnings)
endif()
if(SEMLA_NATIVE)
  semla_options(C -march=native)
endif()
if(SEMLA_SANITIZE)
  semla_options(C -fsanitize=${SEMLA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(semla_compile_options INTERFACE -fsanitize=${SEMLA_SANITIZE})
endif()
