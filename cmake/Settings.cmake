# C++20, warnings and the INTERFACE target that carries them to every room.
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()
# The time of an analysis is not in loops that -O3 would unroll; builds are
# faster without it.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -fPIC for executables too (below), since a precompiled header and its users
# must agree.
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

option(GPU_ESTIMATE_WERROR "Treat warnings as errors" OFF)
option(GPU_ESTIMATE_SANITIZE "Build with address and undefined-behaviour sanitizers" OFF)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache does not see into precompiled headers unless it is told that it may.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# lld links the plugin and the tests in a fraction of the time of ld.
include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld GPU_ESTIMATE_HAS_LLD)

add_library(gpu-estimate-settings INTERFACE)
target_compile_features(gpu-estimate-settings INTERFACE cxx_std_20)
target_include_directories(gpu-estimate-settings INTERFACE ${PROJECT_SOURCE_DIR}/include)
# LLVM is built without RTTI and exceptions; a class derived from one of its
# classes would otherwise miss its type information at link time.
target_compile_options(gpu-estimate-settings INTERFACE
  -Wall -Wextra -fPIC -fno-rtti -fno-exceptions
  $<$<CXX_COMPILER_ID:Clang>:-Xclang;-fno-pch-timestamp> # for ccache
  # A precompiled header forgets where libstdc++ silences a warning of its own.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  # g++ 12 sees overlapping copies and copies out of bounds in the concatenation
  # of std::strings.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds>
  # g++ takes the sources of a room that are compiled together for headers, and
  # moves a returned value into llvm::Expected without being told.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-redundant-move>
  $<$<BOOL:${GPU_ESTIMATE_WERROR}>:-Werror>
  $<$<BOOL:${GPU_ESTIMATE_SANITIZE}>:-fsanitize=address,undefined>)
target_link_options(gpu-estimate-settings INTERFACE
  $<$<BOOL:${GPU_ESTIMATE_HAS_LLD}>:-fuse-ld=lld>
  $<$<BOOL:${GPU_ESTIMATE_SANITIZE}>:-fsanitize=address,undefined>)
