# gpu_estimate_add_room(NAME [PCH base|ir|clang] SOURCES a.cpp ... LINK roomsOrTargets ...)
#   one static library per room: gpu-estimate-<NAME>.
function(gpu_estimate_add_room NAME)
  cmake_parse_arguments(ROOM "" "PCH" "SOURCES;LINK" ${ARGN})
  add_library(gpu-estimate-${NAME} STATIC ${ROOM_SOURCES})
  target_link_libraries(gpu-estimate-${NAME} PUBLIC gpu-estimate-settings ${ROOM_LINK})
  # Headers that only the room sees: "Evaluate/Cache/Traffic.h".
  target_include_directories(gpu-estimate-${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
  gpu_estimate_use_pch(gpu-estimate-${NAME} "${ROOM_PCH}")
endfunction()

# gpu_estimate_add_unit_test(NAME [NO_LLVM] SOURCES a.cpp ... LINK ...): a GoogleTest
#   executable of one room, registered with CTest under the label unit.
function(gpu_estimate_add_unit_test NAME)
  cmake_parse_arguments(UNIT "NO_LLVM" "" "SOURCES;LINK" ${ARGN})
  add_executable(${NAME} ${UNIT_SOURCES})
  target_link_libraries(${NAME} PRIVATE ${UNIT_LINK} gpu-estimate-settings GTest::gtest GTest::gtest_main)
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/lib
    ${PROJECT_SOURCE_DIR}/test/unit) # "helpers/TestKernel.h"
  target_compile_definitions(${NAME} PRIVATE GPU_ESTIMATE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(NOT UNIT_NO_LLVM)
    gpu_estimate_use_pch(${NAME} tests)
  endif()
  add_test(NAME ${NAME} COMMAND ${NAME})
  set_tests_properties(${NAME} PROPERTIES LABELS unit)
endfunction()
