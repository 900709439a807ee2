# What tests share: the limit of time, the search for a python3, and tests that cannot run here.

# A limit catches a test that hangs; it is many times what the slowest takes on two busy cores (four minutes), so that no
# test fails because a machine is slow.
set(DART_TESTING_TIMEOUT 3600) # seconds, the default of include(CTest)

# GNU nm, whose versions of symbols tests read. CMake chooses llvm-nm with clang, which prints them in another way.
find_program(SEMLA_NM nm)

# semla_find_python(OUT MODULE...): the path of the first python3 that imports all modules: OUT itself if it does, then
# those of PATH and of the system. Empty if there is none.
function(semla_find_python out)
  string(JOIN ", " modules ${ARGN})
  string(REPLACE ":" ";" folders "$ENV{PATH}")
  list(TRANSFORM folders APPEND /python3)
  foreach(candidate "${Python3_EXECUTABLE}" "${${out}}" ${folders} /usr/bin/python3 /usr/local/bin/python3)
    if(IS_ABSOLUTE "${candidate}" AND EXISTS "${candidate}")
      execute_process(COMMAND ${candidate} -c "import ${modules}" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
      if(NOT missing)
        set(${out} ${candidate} PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# semla_choose_python(MODULES...): sets SEMLA_PYTHON_EXECUTABLE, in the cache, to the user's choice, or else to the first
# python3 that has the first list of modules, else the second, and so on. Each configuration searches anew, because packages
# may have been installed since the last.
function(semla_choose_python)
  if(NOT "${SEMLA_PYTHON_EXECUTABLE}" STREQUAL "${SEMLA_PYTHON_FOUND}")
    return() # the user named it
  endif()
  set(python "")
  set(list 0)
  while(NOT python AND list LESS ARGC)
    set(python "${SEMLA_PYTHON_FOUND}")
    semla_find_python(python ${ARGV${list}})
    math(EXPR list "${list} + 1")
  endwhile()
  set(SEMLA_PYTHON_EXECUTABLE "${python}" CACHE FILEPATH "The python3 to build and test the package with" FORCE)
  set(SEMLA_PYTHON_FOUND "${python}" CACHE INTERNAL "The python3 that the last search found" FORCE)
endfunction()

# semla_skipped_test(NAME LABEL WHY): a test that cannot run here; cmake/skipped.sh counts the reasons.
function(semla_skipped_test name label why)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${why}")
  set_tests_properties(${name} PROPERTIES LABELS "${label}" SKIP_REGULAR_EXPRESSION "^skipped: ")
endfunction()

# semla_failing_test(NAME LABEL WHY): a test that cannot run although it must.
function(semla_failing_test name label why)
  add_test(NAME ${name} COMMAND sh -c "echo \"$1\" >&2; exit 1" sh "${why}")
  set_tests_properties(${name} PROPERTIES LABELS "${label}")
endfunction()
