/// \file
/// The transformation of the directive `shared(A, B) tile(T)`: the thread block
/// works through a loop in tiles of T iterations. Before each tile its threads
/// copy the patches of A and B that the tile reads to shared memory, one
/// element per thread.
///
///   for (c = 0; c < n / T; c++) {
///     tileA[ty][tx] = A[patch]; tileB[ty][tx] = B[patch]; barrier;
///     for (k = 0; k < T; k++) ... tileA[..] ... tileB[..]
///     barrier;
///   }
///
/// A patch lies in shared memory as it lies in the array: the index with unit
/// stride runs along threadIdx.x while it is filled, so the copy is coalesced;
/// reading A[j * n + k] along j afterwards meets bank conflicts, as it does in
/// a tiled program (CGPredict, section 4.3: SYRK).
#ifndef GPU_ESTIMATE_MODEL_TRANSFORM_SHAREDTILE_H
#define GPU_ESTIMATE_MODEL_TRANSFORM_SHAREDTILE_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// Tiles Kernel for blocks of Tile x Tile threads (Tile threads where no patch
/// has a second dimension). Errors: no loop reads one of the arrays with affine
/// addresses, or a patch has more than two dimensions.
llvm::Error tileIntoShared(KernelModel &Kernel,
                           llvm::ArrayRef<std::string> Arrays, unsigned Tile);

} // namespace gpuestimate

#endif
