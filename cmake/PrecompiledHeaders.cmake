# Precompiled headers, each built once: three quarters of all preprocessed
# lines are the standard library and llvm/ADT; the rest is mostly LLVM's IR and
# clang's syntax tree.
#
#   base    standard library, llvm/ADT, llvm/Support
#   ir      base, and LLVM's IR, analyses and pass manager
#   clang   ir, and clang's syntax tree
#   tests   ir, and GoogleTest, without optimisation: tests are many and short
#
# A source still includes what it uses (scripts/check-sources-alone).
find_package(GTest REQUIRED)
option(GPU_ESTIMATE_PCH "Precompile the headers of LLVM and clang" ON)

# Options of unit tests and their precompiled header, which must agree.
set(GPU_ESTIMATE_TEST_OPTIONS $<$<CONFIG:Release>:-O0>)

# gpu_estimate_define_pch(NAME LINK TARGET [OPTIONS o ...] HEADERS h ...)
function(gpu_estimate_define_pch NAME)
  cmake_parse_arguments(PCH "" "" "LINK;OPTIONS;HEADERS" ${ARGN})
  set(SOURCE ${PROJECT_BINARY_DIR}/pch/${NAME}.cpp)
  file(CONFIGURE OUTPUT ${SOURCE} CONTENT "// Carries the precompiled header.\n")
  add_library(gpu-estimate-pch-${NAME} OBJECT ${SOURCE})
  target_link_libraries(gpu-estimate-pch-${NAME} PRIVATE gpu-estimate-settings ${PCH_LINK})
  target_compile_options(gpu-estimate-pch-${NAME} PRIVATE ${PCH_OPTIONS})
  target_precompile_headers(gpu-estimate-pch-${NAME} PRIVATE ${PCH_HEADERS})
endfunction()

# gpu_estimate_use_pch(TARGET base|ir|clang|"")
function(gpu_estimate_use_pch TARGET NAME)
  if(GPU_ESTIMATE_PCH AND NAME)
    target_precompile_headers(${TARGET} REUSE_FROM gpu-estimate-pch-${NAME})
  endif()
endfunction()

if(NOT GPU_ESTIMATE_PCH)
  return()
endif()

set(BASE_HEADERS
  <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <numeric>
  <optional> <set> <string> <tuple> <utility> <vector>
  <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h>
  <llvm/ADT/STLFunctionalExtras.h> <llvm/ADT/SmallPtrSet.h>
  <llvm/ADT/SmallString.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h>
  <llvm/ADT/StringMap.h> <llvm/ADT/StringRef.h> <llvm/ADT/StringSet.h>
  <llvm/ADT/StringSwitch.h> <llvm/ADT/Twine.h> <llvm/ADT/bit.h>
  <llvm/Support/Error.h> <llvm/Support/FileSystem.h> <llvm/Support/Format.h>
  <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h>
  <llvm/Support/MathExtras.h> <llvm/Support/MemoryBuffer.h>
  <llvm/Support/Path.h> <llvm/Support/raw_ostream.h>)
set(IR_HEADERS ${BASE_HEADERS}
  <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolutionExpressions.h>
  <llvm/IR/Dominators.h> <llvm/IR/IRBuilder.h> <llvm/IR/Instructions.h>
  <llvm/IR/IntrinsicInst.h> <llvm/IR/Module.h> <llvm/IR/Operator.h>
  <llvm/IR/PassManager.h> <llvm/IR/PatternMatch.h> <llvm/Passes/PassBuilder.h>
  <llvm/Transforms/Utils/Cloning.h>)
set(CLANG_HEADERS ${IR_HEADERS}
  <clang/AST/ASTContext.h> <clang/AST/Attr.h> <clang/AST/ExprCXX.h>
  <clang/AST/RecursiveASTVisitor.h> <clang/Basic/SourceManager.h>
  <clang/Frontend/CompilerInstance.h>)

gpu_estimate_define_pch(base LINK gpu-estimate-llvm HEADERS ${BASE_HEADERS})
gpu_estimate_define_pch(ir LINK gpu-estimate-llvm HEADERS ${IR_HEADERS})
gpu_estimate_define_pch(clang LINK gpu-estimate-clang HEADERS ${CLANG_HEADERS})
gpu_estimate_define_pch(tests LINK gpu-estimate-llvm GTest::gtest
  OPTIONS ${GPU_ESTIMATE_TEST_OPTIONS}
  HEADERS ${IR_HEADERS} <gtest/gtest.h>)
