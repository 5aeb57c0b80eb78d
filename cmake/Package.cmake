# cpack -G DEB: a package for Debian and its relatives with LLVM 19.
set(GPU_ESTIMATE_CONTACT "gpu-estimate developers <developers@gpu-estimate.invalid>"
  CACHE STRING "Maintainer of the package")
# As Debian writes dates; noon of the day of the version.
execute_process(COMMAND date -u -R -d "${GPU_ESTIMATE_DATE} 12:00"
  OUTPUT_VARIABLE GPU_ESTIMATE_DEBIAN_DATE OUTPUT_STRIP_TRAILING_WHITESPACE)
foreach(FILE IN ITEMS copyright changelog)
  configure_file(packaging/${FILE}.in ${PROJECT_BINARY_DIR}/packaging/${FILE} @ONLY)
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gpu-estimate)
set(CPACK_PACKAGE_CONTACT "${GPU_ESTIMATE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "predict, without a GPU, how long a GPU kernel takes")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Reads CUDA, HIP, or loops of plain C and C++, and says how long each kernel
takes on a GPU that is named, what bounds it, and what would help. A plugin of
clang 19, a command, and a wrapper of compilers in the manner of ccache.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/prepare-deb.cmake)
set(CPACK_GPU_ESTIMATE_PACKAGING ${PROJECT_BINARY_DIR}/packaging)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # libllvm19, libclang-cpp19, libstdc++6 ...
# Headers of the clang that parses: what dpkg-shlibdeps cannot see.
set(CPACK_DEBIAN_PACKAGE_DEPENDS libclang-common-${LLVM_VERSION_MAJOR}-dev)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS clang-${LLVM_VERSION_MAJOR})
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, cmake")
include(CPack)
