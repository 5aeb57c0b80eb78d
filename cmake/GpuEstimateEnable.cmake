# gpu_estimate_enable(TARGET GPU... [MODEL M] [RESULTS DIR] [BUDGET_ERROR]
#                     [OPTIONS --KEY=VALUE...])
#
# Every compile of TARGET also says what its kernels take on the GPUs: an id,
# alias or architecture of `gpu-estimate gpus`, or a model file.
#
#   MODEL M        performance model
#   RESULTS DIR    records for `gpu-estimate report DIR`; relative to the
#                  current binary folder
#   BUDGET_ERROR   a budget that is exceeded fails the compile
#   OPTIONS        any option of `gpu-estimate analyze` that is one word
#
# CUDA and HIP go through `gpu-estimate cc` as the target's compiler launcher,
# before one that is set already. C and C++ get the plugin where the compiler is
# the clang that can load it, else the launcher, too: with RESULTS, since each
# source has a record of its own; beside another launcher, which may answer from
# a cache without running the compiler; and with OPTIONS that the plugin has not.
function(gpu_estimate_enable TARGET)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "BUDGET_ERROR" "MODEL;RESULTS" "OPTIONS")
  set(HERE "gpu_estimate_enable(${TARGET})")
  if(NOT TARGET ${TARGET})
    message(FATAL_ERROR "${HERE}: there is no such target")
  endif()
  if(ARG_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${HERE}: no value for ${ARG_KEYWORDS_MISSING_VALUES}")
  endif()
  set(WORDS "")
  foreach(GPU IN LISTS ARG_UNPARSED_ARGUMENTS)
    if(GPU MATCHES "\\.ya?ml$")
      get_filename_component(GPU "${GPU}" ABSOLUTE)
    endif()
    _gpu_estimate_check_gpu("${HERE}" "${GPU}")
    list(APPEND WORDS "gpu=${GPU}")
  endforeach()
  if(NOT WORDS)
    message(FATAL_ERROR "${HERE}: name a GPU, as nvidia-h200; "
      "`gpu-estimate gpus` lists them")
  endif()
  if(ARG_MODEL)
    if(NOT ARG_MODEL IN_LIST GpuEstimate_MODELS)
      list(JOIN GpuEstimate_MODELS ", " KNOWN)
      message(FATAL_ERROR "${HERE}: no model is called '${ARG_MODEL}'; there are: ${KNOWN}")
    endif()
    list(APPEND WORDS "model=${ARG_MODEL}")
  endif()
  if(ARG_BUDGET_ERROR)
    list(APPEND WORDS "error=budget")
  endif()
  foreach(OPTION IN LISTS ARG_OPTIONS)
    if(NOT OPTION MATCHES "^--([a-z].*)$")
      message(FATAL_ERROR "${HERE}: expected --KEY=VALUE, got '${OPTION}'")
    endif()
    list(APPEND WORDS "${CMAKE_MATCH_1}")
  endforeach()
  if(ARG_RESULTS)
    get_filename_component(ARG_RESULTS "${ARG_RESULTS}" ABSOLUTE
      BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  endif()

  get_property(ENABLED GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(LANGUAGE IN ITEMS CUDA HIP C CXX)
    if(LANGUAGE IN_LIST ENABLED)
      _gpu_estimate_takes_plugin(${TARGET} ${LANGUAGE} "${ARG_RESULTS}" "${WORDS}" PLUGIN)
      if(PLUGIN)
        _gpu_estimate_add_plugin(${TARGET} ${LANGUAGE} "${WORDS}")
      else()
        _gpu_estimate_add_launcher(${TARGET} ${LANGUAGE} "${WORDS}" "${ARG_RESULTS}")
      endif()
    endif()
  endforeach()
endfunction()

# Ends with the command's own message where no GPU model has the name. Each name
# is asked for once.
function(_gpu_estimate_check_gpu HERE GPU)
  get_property(KNOWN GLOBAL PROPERTY GPU_ESTIMATE_KNOWN_GPUS)
  if(GPU IN_LIST KNOWN)
    return()
  endif()
  execute_process(COMMAND "${GpuEstimate_EXECUTABLE}" gpus "${GPU}"
    RESULT_VARIABLE STATUS OUTPUT_QUIET ERROR_VARIABLE PROBLEM)
  if(NOT STATUS EQUAL 0)
    string(REGEX REPLACE "^gpu-estimate: error: " "" PROBLEM "${PROBLEM}")
    string(STRIP "${PROBLEM}" PROBLEM)
    message(FATAL_ERROR "${HERE}: ${PROBLEM}")
  endif()
  set_property(GLOBAL APPEND PROPERTY GPU_ESTIMATE_KNOWN_GPUS "${GPU}")
endfunction()

function(_gpu_estimate_takes_plugin TARGET LANGUAGE RESULTS WORDS RESULT)
  set(${RESULT} OFF PARENT_SCOPE)
  foreach(WORD IN LISTS WORDS) # what only the wrapper knows
    if(WORD MATCHES "^(quiet|timeout|own-process|no-cuda-sdk|cuda-path|gpu-arch)(=|$)")
      return()
    endif()
  endforeach()
  get_target_property(LAUNCHER ${TARGET} ${LANGUAGE}_COMPILER_LAUNCHER)
  if(NOT LANGUAGE MATCHES "^C(XX)?$" OR RESULTS OR LAUNCHER)
    return()
  endif()
  get_filename_component(COMPILER "${CMAKE_${LANGUAGE}_COMPILER}" REALPATH)
  get_filename_component(CLANG "${GpuEstimate_PLUGIN_CLANG}" REALPATH)
  if(COMPILER STREQUAL CLANG)
    set(${RESULT} ON PARENT_SCOPE)
  endif()
endfunction()

function(_gpu_estimate_add_plugin TARGET LANGUAGE WORDS)
  # A problem of ours never fails a build.
  list(PREPEND WORDS keep-going)
  list(TRANSFORM WORDS PREPEND "-fplugin-arg-gpu_estimate-")
  list(PREPEND WORDS "-fplugin=${GpuEstimate_PLUGIN}")
  foreach(OPTION IN LISTS WORDS)
    target_compile_options(${TARGET} PRIVATE "$<$<COMPILE_LANGUAGE:${LANGUAGE}>:${OPTION}>")
  endforeach()
endfunction()

function(_gpu_estimate_add_launcher TARGET LANGUAGE WORDS RESULTS)
  list(TRANSFORM WORDS PREPEND "--")
  if(RESULTS)
    list(APPEND WORDS "--results=${RESULTS}")
  endif()
  get_target_property(BEFORE ${TARGET} ${LANGUAGE}_COMPILER_LAUNCHER)
  if(NOT BEFORE)
    set(BEFORE "")
  endif()
  set_property(TARGET ${TARGET} PROPERTY ${LANGUAGE}_COMPILER_LAUNCHER
    "${GpuEstimate_EXECUTABLE}" cc ${WORDS} ${BEFORE})
endfunction()
