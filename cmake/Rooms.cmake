# Several sources of a target compile as one, which parses the headers that they
# share once: less than half of the work of a build. A source still includes what
# it uses (scripts/check-sources-alone), and a name in a source's unnamed namespace
# is the only one of its room. OFF where one room is edited all day.
option(GPU_ESTIMATE_UNITY "Compile up to 25 sources of a room together" ON)

# gpu_estimate_use_unity(TARGET...)
function(gpu_estimate_use_unity)
  if(GPU_ESTIMATE_UNITY)
    set_target_properties(${ARGV} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 25)
  endif()
endfunction()

# gpu_estimate_optimize_less(TARGET): for code in which no time is spent, -O1
# builds in 15% less. (Analyses spend theirs in Lowering, Symbolic and Evaluate.)
function(gpu_estimate_optimize_less TARGET)
  target_compile_options(${TARGET} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# gpu_estimate_embed_text(TARGET FILE): the text of FILE for sources of TARGET, as
#   the string literal #include "FILE.inc".
function(gpu_estimate_embed_text TARGET FILE)
  set(INC ${CMAKE_CURRENT_BINARY_DIR}/${FILE}.inc)
  set(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake)
  add_custom_command(OUTPUT ${INC}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_CURRENT_SOURCE_DIR}/${FILE} -DOUTPUT=${INC} -P ${SCRIPT}
    DEPENDS ${FILE} ${SCRIPT} VERBATIM)
  target_sources(${TARGET} PRIVATE ${INC})
  target_include_directories(${TARGET} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# gpu_estimate_add_room(NAME [COLD] [PCH base|ir|clang] SOURCES a.cpp ... [TEXTS a.css ...]
#                       LINK roomsOrTargets ...)
#   one static library per room: gpu-estimate-<NAME>. COLD: see
#   gpu_estimate_optimize_less. TEXTS: see gpu_estimate_embed_text.
function(gpu_estimate_add_room NAME)
  cmake_parse_arguments(ROOM "COLD" "PCH" "SOURCES;TEXTS;LINK" ${ARGN})
  add_library(gpu-estimate-${NAME} STATIC ${ROOM_SOURCES})
  target_link_libraries(gpu-estimate-${NAME} PUBLIC gpu-estimate-settings ${ROOM_LINK})
  # Headers that only the room sees: "Evaluate/Cache/Traffic.h".
  target_include_directories(gpu-estimate-${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
  gpu_estimate_use_pch(gpu-estimate-${NAME} "${ROOM_PCH}")
  gpu_estimate_use_unity(gpu-estimate-${NAME})
  foreach(TEXT IN LISTS ROOM_TEXTS)
    gpu_estimate_embed_text(gpu-estimate-${NAME} ${TEXT})
  endforeach()
  if(ROOM_COLD)
    gpu_estimate_optimize_less(gpu-estimate-${NAME})
  endif()
endfunction()

# gpu_estimate_add_unit_test(NAME [NO_LLVM] SOURCES a.cpp ... LINK ... [SLOW test ...]):
#   a GoogleTest executable of one room, a check of the tier quick. The tests named by
#   SLOW take many seconds: a check of their own, NAMEOfSeconds of the tier gate.
function(gpu_estimate_add_unit_test NAME)
  cmake_parse_arguments(UNIT "NO_LLVM" "" "SOURCES;LINK;SLOW" ${ARGN})
  add_executable(${NAME} ${UNIT_SOURCES})
  target_link_libraries(${NAME} PRIVATE ${UNIT_LINK} gpu-estimate-settings GTest::gtest GTest::gtest_main)
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/lib
    ${PROJECT_SOURCE_DIR}/test/unit) # "helpers/TestKernel.h"
  target_compile_definitions(${NAME} PRIVATE GPU_ESTIMATE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(NOT UNIT_NO_LLVM)
    gpu_estimate_use_pch(${NAME} tests)
  endif()
  target_compile_options(${NAME} PRIVATE ${GPU_ESTIMATE_TEST_OPTIONS})
  list(JOIN UNIT_SLOW ":" SLOW)
  gpu_estimate_add_unit_check(${NAME} ${NAME} quick "-${SLOW}")
  if(SLOW)
    gpu_estimate_add_unit_check(${NAME}OfSeconds ${NAME} gate ${SLOW})
  endif()
endfunction()

# gpu_estimate_add_unit_check(NAME PROGRAM TIER FILTER): the tests of PROGRAM that
# FILTER of GoogleTest selects.
function(gpu_estimate_add_unit_check NAME PROGRAM TIER FILTER)
  set(CASES ${PROJECT_BINARY_DIR}/test-results/${NAME}.xml)
  gpu_estimate_add_check(${NAME} ${TIER} CASES ${CASES} $<TARGET_FILE:${PROGRAM}>
    --gtest_brief=1 --gtest_output=xml:${CASES} --gtest_filter=${FILTER})
endfunction()
