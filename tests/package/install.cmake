# Installs the build folder BUILD under FIRST and moves what was installed to PREFIX:
# nothing in it may depend on where it was put first.
file(REMOVE_RECURSE ${FIRST} ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FIRST} --config ${CONFIG}
  COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${FIRST} ${PREFIX})
