# The compiler beside this file as CMake's CUDA compiler, without a look at what
# it can do: it is no nvcc.
set(CMAKE_CUDA_COMPILER ${CMAKE_CURRENT_LIST_DIR}/nvcc)
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 12.5.0)
set(CMAKE_CUDA_ARCHITECTURES 80)
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_CUDA_COMPILER_TOOLKIT_LIBRARY_ROOT ${CMAKE_CURRENT_LIST_DIR})
# What CMake reads from a verbose run of nvcc; programs are not linked.
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT
  "#$ PATH=/usr/bin:/bin\n#$ LIBRARIES=-L/nowhere\n#$ cicc -arch compute_80\n#$ /bin/true a.o -L/nowhere\n")
