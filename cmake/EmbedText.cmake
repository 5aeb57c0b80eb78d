# cmake -DINPUT=FILE -DOUTPUT=FILE -P EmbedText.cmake: a text as a raw string of C++.
file(READ "${INPUT}" TEXT)
file(WRITE "${OUTPUT}" "R\"__text__(${TEXT})__text__\"\n")
