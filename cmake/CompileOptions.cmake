# Compiler flags of every target of the project, on one interface target.
add_library(semla_compile_options INTERFACE)
target_compile_options(semla_compile_options INTERFACE
  -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wno-unused-parameter)
target_compile_definitions(semla_compile_options INTERFACE _GNU_SOURCE)
if(SEMLA_WARNINGS_AS_ERRORS)
  target_compile_options(semla_compile_options INTERFACE -Werror)
endif()
if(SEMLA_NATIVE)
  target_compile_options(semla_compile_options INTERFACE -march=native)
endif()
if(SEMLA_SANITIZE)
  target_compile_options(semla_compile_options INTERFACE
    -fsanitize=${SEMLA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(semla_compile_options INTERFACE -fsanitize=${SEMLA_SANITIZE})
endif()
