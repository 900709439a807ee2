# Installs the build folder BUILD in FIRST and moves the result to PREFIX: no installed file may depend on the
# original folder.
file(REMOVE_RECURSE ${FIRST} ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FIRST} --config ${CONFIG}
  COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${FIRST} ${PREFIX})
