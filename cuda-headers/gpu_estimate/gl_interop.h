/// \file
/// Sharing buffers with OpenGL. GL's names for integers are spelled out, so
/// that no OpenGL header is needed.

#ifndef GPU_ESTIMATE_CUDA_GL_INTEROP_H
#define GPU_ESTIMATE_CUDA_GL_INTEROP_H

#include "runtime.h"

GPU_ESTIMATE_C_BEGIN
cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **,
                                         unsigned int, unsigned int);
cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **,
                                        unsigned int, unsigned int,
                                        unsigned int);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(unsigned int);
cudaError_t cudaGLUnregisterBufferObject(unsigned int);
cudaError_t cudaGLMapBufferObject(void **, unsigned int);
cudaError_t cudaGLUnmapBufferObject(unsigned int);
GPU_ESTIMATE_C_END

#endif
