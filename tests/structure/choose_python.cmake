# Tests semla_choose_python with stand-ins for python3: one that has few modules is first in PATH, and one that has all is
# installed later.
#
#     cmake -DSOURCE=folder -DWORK=folder -P choose_python.cmake
include(${SOURCE}/cmake/Testing.cmake)
file(REMOVE_RECURSE ${WORK})

# make_python(FOLDER MODULE...): a program FOLDER/python3 that imports these modules only.
function(make_python folder)
  list(JOIN ARGN "|" modules)
  file(WRITE ${WORK}/${folder}/python3 "#!/bin/sh
for module in $(echo \"$2\" | sed 's/import//; s/,//g'); do
    case $module in ${modules}) ;; *) exit 1 ;; esac
done
")
  file(CHMOD ${WORK}/${folder}/python3 PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()

function(expect folder)
  semla_choose_python("semla_a;semla_b;semla_c" "semla_a;semla_b" "semla_a")
  set(expected "")
  if(folder)
    set(expected ${WORK}/${folder}/python3)
  endif()
  if(NOT "$CACHE{SEMLA_PYTHON_EXECUTABLE}" STREQUAL "${expected}")
    message(SEND_ERROR "chose \"$CACHE{SEMLA_PYTHON_EXECUTABLE}\", not \"${expected}\"")
  endif()
endfunction()

set(ENV{PATH} "${WORK}/poor:${WORK}/later:$ENV{PATH}")
expect("")
make_python(poor semla_a)
expect(poor)
make_python(later semla_a semla_b semla_c) # as make test does after make demo
expect(later)
make_python(poor semla_a semla_b semla_c)
expect(later) # still has all
make_python(later semla_b)
expect(poor)
file(REMOVE ${WORK}/poor/python3)
make_python(later semla_a semla_b)
expect(later)
make_python(poor semla_a semla_b semla_c)
set(SEMLA_PYTHON_EXECUTABLE ${WORK}/later/python3 CACHE FILEPATH "" FORCE)
set(SEMLA_PYTHON_FOUND ${WORK}/poor/python3 CACHE INTERNAL "")
expect(later) # the user's choice stays
