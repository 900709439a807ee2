# Turns files into arrays of a C source:
#     cmake -DOUTPUT=file.c -DHEADER=file.h -DTYPE=type -DTABLE=name -DFILES=NAME=PATH|... -P Embed.cmake
# The source defines the table, an array of structs {name, text} that ends with {0, 0}; HEADER declares it.
set(arrays "")
set(rows "")
set(number 0)
string(REPLACE "|" ";" FILES "${FILES}")
foreach(pair ${FILES})
  string(REGEX MATCH "^([^=]*)=(.*)$" pair ${pair})
  set(name ${CMAKE_MATCH_1})
  set(path ${CMAKE_MATCH_2})
  string(MAKE_C_IDENTIFIER ${path} text)
  if(NOT arrays MATCHES "char ${text}\\[") # several names may refer to one file
    file(READ ${path} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    string(REGEX REPLACE "(.....................................................................................)"
      "\\1\n    " bytes "${bytes}")
    string(APPEND arrays "static const char ${text}[] = {\n    ${bytes}0};\n")
  endif()
  string(APPEND rows "    {\"${name}\", ${text}},\n")
endforeach()
file(WRITE ${OUTPUT} "/* Made by cmake/Embed.cmake. */\n#include \"${HEADER}\"\n\n${arrays}\n"
  "const ${TYPE} ${TABLE}[] = {\n${rows}    {0, 0}};\n")
