/// \file
/// The shapes of a kernel's values over the lanes of a vector.
///
/// Shapes go from unknown to affine to varying, never back, until nothing
/// changes. Example: of `y[i] = a * x[i]` with
/// i = blockIdx.x * blockDim.x + threadIdx.x, where the lanes are in one row,
///
///   a                  uniform
///   i                  affine, stride 1
///   &x[i]              affine, stride 4 (bytes)
///   x[i], a * x[i]     varying
#ifndef GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANESHAPES_H
#define GPU_ESTIMATE_LIB_EXECUTE_VECTORISE_LANESHAPES_H

#include "BlockOrder.h"
#include "LaneVectoriser.h"

namespace gpuestimate {

struct Shape {
  enum Kind : uint8_t { Unknown, Uniform, Affine, Varying };
  Kind K = Unknown;
  /// Affine: the difference of neighbouring lanes, in bytes for a pointer.
  int64_t Stride = 0;

  bool operator==(const Shape &) const = default;
  static Shape affine(int64_t Stride) { return {Affine, Stride}; }
};

class LaneShapes {
public:
  LaneShapes(const LaneVectorRequest &Request,
             const llvm::UniformityInfo &Uniformity, const BlockOrder &Order);

  Shape shapeOf(const llvm::Value *V) const;
  bool isUniform(const llvm::Value *V) const {
    return shapeOf(V).K == Shape::Uniform;
  }
  bool isVarying(const llvm::Value *V) const {
    return shapeOf(V).K == Shape::Varying;
  }

private:
  Shape computeShape(const llvm::Instruction &I) const;
  Shape shapeOfPhi(const llvm::PHINode &Phi,
                   llvm::ArrayRef<Shape> Operands) const;
  Shape shapeOfAddress(const llvm::GetElementPtrInst &Gep,
                       llvm::ArrayRef<Shape> Operands) const;
  bool isGlobalIndex(const llvm::Value *V) const;
  bool staysInRange(const llvm::Value *V,
                    llvm::SmallPtrSetImpl<const llvm::Value *> &Seen) const;

  const LaneVectorRequest &Request;
  const llvm::UniformityInfo &Uniformity;
  const BlockOrder &Order;
  const llvm::DataLayout &Layout;
  llvm::DenseMap<const llvm::Value *, Shape> Shapes;
};

} // namespace gpuestimate

#endif
