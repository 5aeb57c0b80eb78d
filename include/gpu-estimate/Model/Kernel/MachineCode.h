/// \file
/// What the machine code of a kernel holds, as far as it is known: for AMD GPUs
/// from LLVM's back end, for NVIDIA GPUs from the ELF file that ptxas writes.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_MACHINECODE_H
#define GPU_ESTIMATE_MODEL_KERNEL_MACHINECODE_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>

namespace gpuestimate {

/// The unit that executes an instruction of an AMD GPU (AMD, "RDNA 2"
/// Instruction Set Architecture, chapter "Instruction set").
enum class MachineUnit : uint8_t {
  VectorAlu,
  Transcendental,
  Matrix,
  ScalarAlu,
  ScalarMemory,
  VectorMemory,
  Lds,
  Branch
};
inline constexpr unsigned NumMachineUnits = 8;

/// "VALU", "transcendental", "MFMA/WMMA", "SALU", "SMEM", "VMEM", "LDS",
/// "branch".
llvm::StringRef name(MachineUnit Unit);

struct MachineCode {
  uint64_t CodeBytes = 0;
  /// Named barriers of a block; NVIDIA.
  unsigned Barriers = 0;
  /// Of a wavefront; AMD.
  unsigned ScalarRegisters = 0;
  /// Of a work item, for matrix operations, beside its vector registers; AMD.
  unsigned AccumulationRegisters = 0;
  /// Instructions as they stand in the code by unit: what a loop repeats counts
  /// once. All zero: not known.
  std::array<unsigned, NumMachineUnits> Instructions = {};
  /// Of the vector instructions: those that do two operations at once (VOPD),
  /// and those with two packed numbers in each lane (VOP3P).
  unsigned DualIssue = 0, Packed = 0;
};

/// In words, "1,284 bytes, 24 SGPRs; instructions: 96 VALU, 12 SALU",
/// without what is zero.
std::string describeCode(const MachineCode &Code);

} // namespace gpuestimate

#endif
