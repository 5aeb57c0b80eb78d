# gpu_estimate_add_room(NAME SOURCES a.cpp ... LINK roomsOrTargets ...)
#   one static library per room: gpu-estimate-<NAME>.
function(gpu_estimate_add_room NAME)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK" ${ARGN})
  add_library(gpu-estimate-${NAME} STATIC ${ROOM_SOURCES})
  target_link_libraries(gpu-estimate-${NAME} PUBLIC gpu-estimate-settings ${ROOM_LINK})
endfunction()

# gpu_estimate_add_unit_test(NAME SOURCES a.cpp ... LINK ...): a GoogleTest
#   executable of one room, registered with CTest.
find_package(GTest REQUIRED)
function(gpu_estimate_add_unit_test NAME)
  cmake_parse_arguments(UNIT "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${NAME} ${UNIT_SOURCES})
  target_link_libraries(${NAME} PRIVATE ${UNIT_LINK} gpu-estimate-settings GTest::gtest GTest::gtest_main)
  target_compile_definitions(${NAME} PRIVATE GPU_ESTIMATE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${NAME} COMMAND ${NAME})
endfunction()
