/// \file
/// The predictors of scaling:
///
///   analytic     T(f)  the model of every other command
///   clusters     T(b) * F(f)  the base time by the analytic model times the
///                values of the kernel's cluster, as Wu et al. published it
///   correction   T(f) * G(f)  the analytic surface times the error that the
///                kernel's cluster has there
///
/// T is the analytic time, b the base point of a table of clusters, f a point.
/// Beyond the clocks of the table, with c the nearest point of its range:
/// T(b) * F(c) * T(f) / T(c), and T(f) * G(c).
#ifndef GPU_ESTIMATE_SCALING_SCALINGMETHOD_H
#define GPU_ESTIMATE_SCALING_SCALINGMETHOD_H

#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

enum class ScalingMethod : unsigned char { Analytic, Clusters, Correction };
inline constexpr ScalingMethod ScalingMethods[] = {ScalingMethod::Analytic,
                                                   ScalingMethod::Clusters,
                                                   ScalingMethod::Correction};
/// "analytic"
llvm::StringRef name(ScalingMethod Method);

} // namespace gpuestimate

#endif
