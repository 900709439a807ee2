# Adds the files that Debian requires in each package: copyright, changelog, compressed manual pages. Removes the RUNPATH
# of programs and libraries, whose folders are those of the system. CPack runs this script after installing and before
# packing.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # uses SOURCE_DATE_EPOCH if set
set(changes "semla (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * See CHANGELOG.md in libsemla-dev.\n\n")
string(APPEND changes " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  set(doc ${root}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/copyright DESTINATION ${doc}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(WRITE ${doc}/changelog "${changes}")
  file(GLOB pages ${root}/man/*/*.1)
  file(GLOB_RECURSE binaries ${root}/../bin/semla ${root}/../lib*/*.so.*)
  foreach(binary ${binaries})
    if(NOT IS_SYMLINK ${binary})
      file(RPATH_REMOVE FILE ${binary})
    endif()
  endforeach()
  execute_process(COMMAND gzip -9nf ${doc}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
