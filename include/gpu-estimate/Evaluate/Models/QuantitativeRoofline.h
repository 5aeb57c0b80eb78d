/// \file
/// The model `quantitative-roofline`: E. Konstantinidis, PhD thesis, National
/// and Kapodistrian University of Athens, 2017, chapter 4; its equation
/// numbers. Three classes of instructions (arithmetic of the kernel's type,
/// loads and stores, all else) share one issue pipeline, beside the bandwidth
/// of DRAM.
///
///   kernel, from counters summed over its threads (M_...)
///   (4.1) W_comp = M_fp + M_fma (fp32, fp64), M_int (int)
///   (4.2) W_traf = 32 (M_tran-r + M_tran-w) bytes
///   (4.3) E_mix = (M_fp + M_fma) / (2 M_fp); 1/2 for int
///   (4.4) I_ops = M_fp or M_int          (4.5) I_total = 32 M_inst
///   (4.6) D_ops = I_ops / I_total        (4.7) D_ldst = M_ldst / I_total
///   (4.8) D_other = 1 - D_ops - D_ldst
///   type: fp64 if M_fp64 > 0, else fp32 if M_fp32 > 0, else int
///
///   device: T_SP, T_DP, T_int in operations per second (a multiply-add is
///   two), T_add, T_ldst in instructions per second of a thread, B_mem
///   (4.9)  T_op = T_SP, T_DP or T_int by type
///   (4.10) W_op = T_SP / T_op            (4.11) W_ldst = (T_SP/2) / T_ldst
///   (4.12) W_other = (T_SP/2) / T_add
///   (4.13) C_op = D_ops W_op             (4.14) C_ldst = D_ldst W_ldst
///   (4.15) C_other = D_other W_other
///   (4.16) E_instr = C_op / (C_op + C_ldst + C_other)
///   (4.17) T'_op = E_mix E_instr T_op
///   (4.18) T = T'_op if W_comp/W_traf > T'_op/B_mem, else
///          W_comp/W_traf B_mem; time = W_comp / T
///
///   (5.13) E_util = measured / predicted time on a reference GPU; times
///          elsewhere are multiplied by it
///
/// The thesis does not cost special operations. The user can count them
/// (`--special-operations`): a fourth class of N_special instructions at the
/// rate T_special, which D_other of (4.8) then lacks,
///   D_special = N_special / I_total
///   W_special = (T_SP/2) / T_special
///   C_special = D_special W_special, a term of the sum in (4.16)
/// and can weigh the traffic (`--traffic-weight`), a factor of W_traf.
///
/// A kernel without operations of its type takes the time of its bytes (the
/// author's toolkit, gpuroofperf). docs/models/quantitative-roofline.md says
/// where the counters come from without a profile.
#ifndef GPU_ESTIMATE_EVALUATE_MODELS_QUANTITATIVEROOFLINE_H
#define GPU_ESTIMATE_EVALUATE_MODELS_QUANTITATIVEROOFLINE_H

#include "gpu-estimate/Evaluate/Models/ModelInputs.h"
#include "gpu-estimate/Model/Result/Prediction.h"

namespace gpuestimate {

/// What a profiler counts, or we do. Thread-level instructions of active
/// threads, a multiply-add once, but for M_inst: warp instructions.
struct ProfileCounters {
  double Fma32 = 0, Fma64 = 0;          ///< M_fma32, M_fma64
  double Fp32 = 0, Fp64 = 0;            ///< M_fp32, M_fp64
  double Int = 0;                       ///< M_int
  double LoadStore = 0;                 ///< M_ldst
  double WarpInstructions = 0;          ///< M_inst
  double DramReads = 0, DramWrites = 0; ///< transactions of 32 bytes
  double Special = 0;                   ///< N_special, by the user's count
};

enum class ComputeType : uint8_t { Fp32, Fp64, Int };

/// (4.1) to (4.8); fractions, operations, bytes.
struct KernelDensities {
  ComputeType Type = ComputeType::Fp32;
  double Operations = 0, TrafficBytes = 0;  ///< W_comp, W_traf
  double Mix = 1;                           ///< E_mix
  double Ops = 0, LoadStore = 0, Other = 0; ///< D_ops, D_ldst, D_other
  double Special = 0;                       ///< D_special
};

/// Per second.
struct DeviceRates {
  double Fp32 = 0, Fp64 = 0, Int = 0; ///< T_SP, T_DP, T_int
  double Add = 0, LoadStore = 0;      ///< T_add, T_ldst
  double Memory = 0;                  ///< B_mem, bytes
  double Special = 0;                 ///< T_special
};

struct QuantitativeResult {
  double WeightOp = 0, WeightLoadStore = 0, WeightOther = 0; ///< W_...
  double CostOp = 0, CostLoadStore = 0, CostOther = 0;       ///< C_...
  double CostSpecial = 0;                                    ///< C_special
  double Instructions = 0;                                   ///< E_instr
  double AdjustedRate = 0;                                   ///< T'_op
  double KernelIntensity = 0, DeviceIntensity = 0;           ///< O_krn, O_dev
  Seconds Compute, Memory; ///< W_comp / T'_op, W_traf / B_mem
  bool IsComputeBound = false;
  Seconds time() const { return IsComputeBound ? Compute : Memory; }
};

KernelDensities kernelDensities(const ProfileCounters &C);
QuantitativeResult quantitativeRoofline(const KernelDensities &K,
                                        const DeviceRates &D);
/// (5.13)
inline double utilization(Seconds Measured, Seconds Predicted) {
  return Measured / Predicted;
}

/// Counters of the launch by our own counting.
ProfileCounters staticCounters(const ModelInputs &In);
/// Throughputs of the GPU model; B_mem the mean of reading, writing, copying.
DeviceRates deviceRates(const GpuModel &Gpu);

/// A time of the same launch that was measured on another GPU.
struct ReferenceTime {
  const GpuModel *Gpu = nullptr;
  Seconds Measured;
};

/// What a launch lacks of the criteria by which the thesis chooses its kernels
/// (section 5.2): at least 64 threads a block, 90 blocks, 0.5 ms, and 7 of 10
/// of the busiest unit, for which the largest bound of the default model
/// stands; "" if it meets all.
std::string validityPremise(const ModelInputs &In, Seconds Time,
                            double HighestUtilisation);

/// Takes In.Options.Quantitative. Refuses kernels with instructions
/// of matrix units, which have no class, and GPUs that lack a rate.
llvm::Error fillQuantitativeRoofline(Prediction &P, const ModelInputs &In);

} // namespace gpuestimate

#endif
