# The target `doc`: the reference of the public headers, made by Doxygen with warnings as errors.
find_program(DOXYGEN doxygen)
get_property(headers GLOBAL PROPERTY SEMLA_PUBLIC_HEADERS)
set(API_OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/docs/api)
set(input ${CMAKE_CURRENT_SOURCE_DIR}/docs/api/main.md ${headers})
list(JOIN input " " API_INPUT)
configure_file(docs/api/Doxyfile.in ${API_OUTPUT}/Doxyfile @ONLY)
if(DOXYGEN)
  add_custom_target(doc COMMAND ${DOXYGEN} ${API_OUTPUT}/Doxyfile VERBATIM)
endif()
if(BUILD_TESTING)
  add_test(NAME docs.api COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/docs/api/check.sh ${DOXYGEN} ${API_OUTPUT}
    ${CMAKE_NM} $<TARGET_FILE:semla>)
  set_tests_properties(docs.api PROPERTIES LABELS docs TIMEOUT 60)
  if(NOT DOXYGEN) # ctest lists it as disabled
    set_tests_properties(docs.api PROPERTIES DISABLED TRUE)
  endif()
endif()
