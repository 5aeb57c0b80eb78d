/// \file
/// Thread block clusters: groups of neighbouring blocks that run at the same
/// time and read each other's shared memory (PTX ISA 7.8, compute capability
/// 9.0).
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_CLUSTERSHAPE_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_CLUSTERSHAPE_H

#include "gpu-estimate/Symbolic/Expr.h"
#include "llvm/IR/Function.h"
#include <array>

namespace gpuestimate {

/// Blocks of a cluster along x, y and z by `.reqnctapercluster` or
/// __cluster_dims__; nothing where the launch chooses.
std::optional<std::array<unsigned, 3>> clusterShape(const llvm::Function &F);

/// The value of a special register of clusters as a function of the block: with
/// c blocks of a cluster along an axis
///   cluster.ctaid = blockIdx mod c    cluster.nctaid = c
///   clusterid = floor(blockIdx / c)   nclusterid = gridDim / c
/// and cluster.ctarank counts the blocks of a cluster, x first. Register: the
/// name of its intrinsic behind "llvm.nvvm.read.ptx.sreg.", such as
/// "cluster.ctaid.x". Null for another register.
Expr clusterRegister(ExprContext &C, llvm::StringRef Register,
                     const std::array<unsigned, 3> &Shape);

} // namespace gpuestimate

#endif
