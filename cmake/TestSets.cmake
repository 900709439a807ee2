# Small sets of tests, which continuous integration runs with another compiler or without a GPU: a regular expression of the names of
# each. Its name is a label of the tests (the test presets clang-ci and emulated-ci), and the target tests_SET builds what they run.
set(SEMLA_TEST_SETS clang emulated)
foreach(set ${SEMLA_TEST_SETS})
  file(STRINGS ${CMAKE_SOURCE_DIR}/tests/sets/${set}.txt names REGEX "^[^#]")
  list(JOIN names "|" SEMLA_TEST_SET_${set})
  add_custom_target(tests_${set})
endforeach()

# semla_join_sets(TEST [TARGET...]): adds the labels of a test's sets; it runs the targets. The global property SEMLA_TESTS_SET has
# the names of the tests.
function(semla_join_sets name)
  foreach(set ${SEMLA_TEST_SETS})
    if(name MATCHES "^(${SEMLA_TEST_SET_${set}})$")
      set_property(TEST ${name} APPEND PROPERTY LABELS ${set})
      set_property(GLOBAL APPEND PROPERTY SEMLA_TESTS_${set} ${name})
      if(ARGN)
        add_dependencies(tests_${set} ${ARGN})
      endif()
    endif()
  endforeach()
endfunction()
