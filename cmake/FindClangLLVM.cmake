# LLVM 19 and Clang 19 from their CONFIG packages; linked as the two shared
# libraries only, because a second static copy would register every option twice.
find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_DIR}/../clang)

add_library(gpu-estimate-llvm INTERFACE)
target_include_directories(gpu-estimate-llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(gpu-estimate-llvm INTERFACE ${LLVM_DEFINITIONS_LIST})
target_link_libraries(gpu-estimate-llvm INTERFACE LLVM)

add_library(gpu-estimate-clang INTERFACE)
target_include_directories(gpu-estimate-clang SYSTEM INTERFACE ${CLANG_INCLUDE_DIRS})
target_link_libraries(gpu-estimate-clang INTERFACE clang-cpp gpu-estimate-llvm)
# g++ 12 sees a null `this` in an inlined function of clang's ASTContext.
target_compile_options(gpu-estimate-clang INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull>)
