# Run by CPack between installing and packing: what Debian's policy asks of a
# tree (12.1, 12.7) and an ordinary installation has no use for.
find_program(GZIP gzip REQUIRED)
set(SHARE ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
if(NOT CPACK_GENERATOR STREQUAL "DEB" OR NOT EXISTS ${SHARE})
  return()
endif()
foreach(FILE IN ITEMS copyright changelog)
  file(COPY ${CPACK_GPU_ESTIMATE_PACKAGING}/${FILE} DESTINATION ${SHARE}/doc/gpu-estimate)
endforeach()
# `copyright` has the licence, and the changelog is Debian's.
file(REMOVE ${SHARE}/doc/gpu-estimate/LICENSE ${SHARE}/doc/gpu-estimate/CHANGELOG.md)
foreach(FILE IN ITEMS man/man1/gpu-estimate.1 doc/gpu-estimate/changelog)
  execute_process(COMMAND ${GZIP} -9nf ${SHARE}/${FILE} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
