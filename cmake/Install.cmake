# cmake --install PREFIX: a tree that works wherever it is moved to. Programs and
# the plugin find each other and their data from where they lie themselves
# (lib/Support/Installation.cpp, tools/gpu-estimate/main.cpp), so that the names
# of the folders are fixed.
#
#   bin/gpu-estimate                   the command
#   libexec/gpu-estimate-tool          what it runs
#   libexec/gpu-estimate-execute       what executes kernels for --emulate
#   libexec/gpu-estimate-web           what serves a page for browsers
#   lib/gpu-estimate/GpuEstimate.so    the plugin of clang
#   lib/gpu-estimate/libgpu-estimate-cudart.so  the runtime of `gpu-estimate run`
#   lib/cmake/GpuEstimate              find_package(GpuEstimate)
#   share/gpu-estimate                 models, CUDA headers, microbenchmarks, datasets,
#                                      the package for Python, scripts for CI,
#                                      a tool of Compiler Explorer
#   share/doc/gpu-estimate, share/man, completions of three shells
include(CMakePackageConfigHelpers)

install(TARGETS gpu-estimate RUNTIME DESTINATION bin)
install(TARGETS gpu-estimate-tool gpu-estimate-execute gpu-estimate-web RUNTIME DESTINATION libexec)
install(TARGETS GpuEstimate gpu-estimate-cudart LIBRARY DESTINATION lib/gpu-estimate)
# LLVM outside of the system's folders is found where it was linked.
if(NOT LLVM_LIBRARY_DIR MATCHES "^/usr/")
  set_target_properties(gpu-estimate-tool gpu-estimate-execute gpu-estimate-web GpuEstimate PROPERTIES
    INSTALL_RPATH_USE_LINK_PATH ON)
endif()

install(DIRECTORY hwmodels cpumodels fpgamodels DESTINATION share/gpu-estimate
  FILES_MATCHING PATTERN "*.yaml")
install(DIRECTORY cuda-headers microbench packaging/bazel validation
  DESTINATION share/gpu-estimate)
install(DIRECTORY packaging/ci packaging/compiler-explorer DESTINATION share/gpu-estimate USE_SOURCE_PERMISSIONS)
install(DIRECTORY python/gpu_estimate DESTINATION share/gpu-estimate/python
  PATTERN __pycache__ EXCLUDE PATTERN tests EXCLUDE)
install(FILES scaling/clusters.txt DESTINATION share/gpu-estimate/scaling)
install(DIRECTORY docs DESTINATION share/doc/gpu-estimate)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION share/doc/gpu-estimate)

# What is made from the tables in the code.
set(MADE ${PROJECT_BINARY_DIR}/installed)
set(MADE_FILES
  lib/cmake/GpuEstimate/GpuEstimateNames.cmake
  share/bash-completion/completions/gpu-estimate
  share/fish/vendor_completions.d/gpu-estimate.fish
  share/man/man1/gpu-estimate.1
  share/zsh/site-functions/_gpu-estimate)
file(GLOB MODEL_FILES CONFIGURE_DEPENDS hwmodels/*.yaml) # GPUs that shells complete
list(TRANSFORM MADE_FILES PREPEND ${MADE}/ OUTPUT_VARIABLE MADE_PATHS)
# LLVM's library is not instrumented: a sanitized build must not fail for it.
add_custom_command(OUTPUT ${MADE_PATHS}
  COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=0
    $<TARGET_FILE:gpu-estimate-docs> --installed ${MADE}
  DEPENDS gpu-estimate-docs ${MODEL_FILES}
  VERBATIM)
add_custom_target(installed-files ALL DEPENDS ${MADE_PATHS})
foreach(FILE ${MADE_FILES})
  get_filename_component(FOLDER ${FILE} DIRECTORY)
  install(FILES ${MADE}/${FILE} DESTINATION ${FOLDER})
endforeach()

set(PACKAGE ${PROJECT_BINARY_DIR}/cmake/GpuEstimate)
configure_file(cmake/GpuEstimateConfig.cmake.in ${PACKAGE}/GpuEstimateConfig.cmake @ONLY)
write_basic_package_version_file(${PACKAGE}/GpuEstimateConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  ${PACKAGE}/GpuEstimateConfig.cmake
  ${PACKAGE}/GpuEstimateConfigVersion.cmake
  cmake/GpuEstimateEnable.cmake
  DESTINATION lib/cmake/GpuEstimate)
