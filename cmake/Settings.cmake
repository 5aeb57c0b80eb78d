# C++20, warnings and the INTERFACE target that carries them to every room.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
# The time of an analysis is not in loops that -O3 would unroll; builds are
# faster without it.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

option(GPU_ESTIMATE_WERROR "Treat warnings as errors" OFF)
option(GPU_ESTIMATE_SANITIZE "Build with address and undefined-behaviour sanitizers" OFF)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(gpu-estimate-settings INTERFACE)
target_compile_features(gpu-estimate-settings INTERFACE cxx_std_20)
target_include_directories(gpu-estimate-settings INTERFACE ${PROJECT_SOURCE_DIR}/include)
# LLVM is built without RTTI and exceptions; a class derived from one of its
# classes would otherwise miss its type information at link time.
target_compile_options(gpu-estimate-settings INTERFACE
  -Wall -Wextra -fno-rtti -fno-exceptions
  # g++ 12 sees overlapping copies in the concatenation of std::strings.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<BOOL:${GPU_ESTIMATE_WERROR}>:-Werror>
  $<$<BOOL:${GPU_ESTIMATE_SANITIZE}>:-fsanitize=address,undefined>)
target_link_options(gpu-estimate-settings INTERFACE
  $<$<BOOL:${GPU_ESTIMATE_SANITIZE}>:-fsanitize=address,undefined>)
