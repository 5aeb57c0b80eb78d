# gpu_estimate_add_check(NAME TIER [PARALLEL] [CASES FILE] COMMAND...): a test of
# CTest that records what it took (scripts/record-check). Exit status 77 of COMMAND
# says that it cannot be run here, with the reason as the last line. PARALLEL:
# COMMAND uses all cores. CASES: the JUnit file that COMMAND writes.
file(READ ${CMAKE_CURRENT_LIST_DIR}/time-budget.json GPU_ESTIMATE_TIME_BUDGET)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_LIST_DIR}/time-budget.json)

function(gpu_estimate_add_check NAME TIER)
  cmake_parse_arguments(PARSE_ARGV 2 CHECK "PARALLEL" "CASES" "")
  set(RECORD ${PROJECT_SOURCE_DIR}/scripts/record-check ${NAME})
  if(CHECK_CASES)
    list(APPEND RECORD --cases ${CHECK_CASES})
  endif()
  add_test(NAME ${NAME} COMMAND ${RECORD} -- ${CHECK_UNPARSED_ARGUMENTS})
  string(JSON COST ERROR_VARIABLE UNKNOWN
    GET "${GPU_ESTIMATE_TIME_BUDGET}" processor_seconds ${NAME})
  if(UNKNOWN)
    set(COST 1)
  endif()
  if(CHECK_PARALLEL)
    cmake_host_system_information(RESULT CORES QUERY NUMBER_OF_LOGICAL_CORES)
    set_tests_properties(${NAME} PROPERTIES PROCESSORS ${CORES})
  endif()
  set_tests_properties(${NAME} PROPERTIES LABELS ${TIER} COST ${COST}
    SKIP_RETURN_CODE 77 ENVIRONMENT "BUILD=${PROJECT_BINARY_DIR};BUILT=1")
endfunction()
