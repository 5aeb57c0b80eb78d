/// \file
/// The list of texture geometries, expanded by texture.h.
///
/// Deliberately without a guard: it is the data of that one header.

// Linear memory by integer index, unfiltered.
GPU_ESTIMATE_TEX(1Dfetch, (int x), (x))
GPU_ESTIMATE_TEXREF(1Dfetch, cudaTextureType1D, (int x), (x))

// Arrays by coordinate.
GPU_ESTIMATE_TEX(1D, (float x), (x))
GPU_ESTIMATE_TEX(2D, (float x, float y), (x, y))
GPU_ESTIMATE_TEX(3D, (float x, float y, float z), (x, y, z))
GPU_ESTIMATE_TEX(1DLayered, (float x, int layer), (x, layer))
GPU_ESTIMATE_TEX(2DLayered, (float x, float y, int layer), (x, y, layer))
GPU_ESTIMATE_TEX(Cubemap, (float x, float y, float z), (x, y, z))
GPU_ESTIMATE_TEX(CubemapLayered, (float x, float y, float z, int layer),
                 (x, y, z, layer))
GPU_ESTIMATE_TEXREF(1D, cudaTextureType1D, (float x), (x))
GPU_ESTIMATE_TEXREF(2D, cudaTextureType2D, (float x, float y), (x, y))
GPU_ESTIMATE_TEXREF(3D, cudaTextureType3D, (float x, float y, float z),
                    (x, y, z))
GPU_ESTIMATE_TEXREF(1DLayered, cudaTextureType1DLayered, (float x, int layer),
                    (x, layer))
GPU_ESTIMATE_TEXREF(2DLayered, cudaTextureType2DLayered,
                    (float x, float y, int layer), (x, y, layer))
GPU_ESTIMATE_TEXREF(Cubemap, cudaTextureTypeCubemap,
                    (float x, float y, float z), (x, y, z))

// With an explicit level of detail.
GPU_ESTIMATE_TEX(1DLod, (float x, float level), (x, level))
GPU_ESTIMATE_TEX(2DLod, (float x, float y, float level), (x, y, level))
GPU_ESTIMATE_TEX(3DLod, (float x, float y, float z, float level),
                 (x, y, z, level))
GPU_ESTIMATE_TEX(1DLayeredLod, (float x, int layer, float level),
                 (x, layer, level))
GPU_ESTIMATE_TEX(2DLayeredLod, (float x, float y, int layer, float level),
                 (x, y, layer, level))
GPU_ESTIMATE_TEX(CubemapLod, (float x, float y, float z, float level),
                 (x, y, z, level))
GPU_ESTIMATE_TEXREF(1DLod, cudaTextureType1D, (float x, float level),
                    (x, level))
GPU_ESTIMATE_TEXREF(2DLod, cudaTextureType2D, (float x, float y, float level),
                    (x, y, level))
GPU_ESTIMATE_TEXREF(3DLod, cudaTextureType3D,
                    (float x, float y, float z, float level), (x, y, z, level))

// With explicit derivatives.
GPU_ESTIMATE_TEX(1DGrad, (float x, float dx, float dy), (x, dx, dy))
GPU_ESTIMATE_TEX(2DGrad, (float x, float y, float2 dx, float2 dy),
                 (x, y, dx, dy))
GPU_ESTIMATE_TEX(3DGrad, (float x, float y, float z, float4 dx, float4 dy),
                 (x, y, z, dx, dy))

// The same channel of the four texels that bilinear filtering would use.
GPU_ESTIMATE_TEX(2Dgather, (float x, float y, int channel), (x, y, channel))
GPU_ESTIMATE_TEXREF(2Dgather, cudaTextureType2D,
                    (float x, float y, int channel), (x, y, channel))
