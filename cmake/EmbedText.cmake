# cmake -DINPUT=FILE -DOUTPUT=FILE -P EmbedText.cmake: a text as a raw string of C++.
# Styles and scripts lose their indentation and the lines of their comments: pages carry them.
file(READ "${INPUT}" TEXT)
if(INPUT MATCHES "\\.(css|js)$")
  string(REGEX REPLACE "\n +" "\n" TEXT "${TEXT}")
  string(REGEX REPLACE "(^|\n)//[^\n]*" "" TEXT "${TEXT}")
endif()
file(WRITE "${OUTPUT}" "R\"__text__(${TEXT})__text__\"\n")
