# cmake -DOUTPUT=FILE -DROOT=DOCS -P EmbedPages.cmake PAGE...: the pages below
# ROOT as rows {name, text} of a C++ table, sorted by name. As raw strings: no
# page has the delimiter.
set(ROWS "")
set(INDEX 0)
while(INDEX LESS CMAKE_ARGC)
  set(PAGE "${CMAKE_ARGV${INDEX}}")
  math(EXPR INDEX "${INDEX} + 1")
  if(PAGE MATCHES "\\.md$")
    file(READ "${ROOT}/${PAGE}" TEXT)
    string(REGEX REPLACE "\\.md$" "" NAME "${PAGE}")
    string(APPEND ROWS "{\"${NAME}\", R\"__page__(${TEXT})__page__\"},\n")
  endif()
endwhile()
file(WRITE "${OUTPUT}" "${ROWS}")
