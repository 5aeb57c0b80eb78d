/// \file
/// What the machine code of a kernel holds, as far as it is known: for AMD GPUs
/// from LLVM's back end, for NVIDIA GPUs from the ELF file that ptxas writes.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_MACHINECODE_H
#define GPU_ESTIMATE_MODEL_KERNEL_MACHINECODE_H

#include "gpu-estimate/Support/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

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

/// Numbers of instructions by unit.
using InstructionMix = std::array<unsigned, NumMachineUnits>;

/// What machine code executes in one round of a loop, without the loops inside
/// and without accesses to spilled registers; or the code around all loops.
struct LoopCode {
  SourceLocation Location; ///< of the loop in the source; invalid: no loop
  /// Iterations of the source in one round: the compiler has unrolled it.
  unsigned Copies = 1;
  InstructionMix Instructions = {}; ///< of one round
};

struct MachineCode {
  uint64_t CodeBytes = 0;
  /// Named barriers of a block; NVIDIA.
  unsigned Barriers = 0;
  /// Scalar registers of a wavefront; AMD.
  unsigned ScalarRegisters = 0;
  /// Registers of a work item for matrix operations, beside its vector
  /// registers; AMD.
  unsigned AccumulationRegisters = 0;
  /// Instructions as they stand in the code by unit: what a loop repeats counts
  /// once. All zero: not known.
  InstructionMix Instructions = {};
  /// Instructions by loop, the code around all loops first. Empty: not known,
  /// or there are calls, whose instructions stand elsewhere.
  std::vector<LoopCode> Loops;
  /// Why the kernel model counts the instructions that its IR lets expect; ""
  /// if it has taken those of Loops (takeMachineInstructions).
  std::string WhyIr = "the numbers of its loops are not known";
  /// Vector instructions that do two operations at once (VOPD),
  /// and that have two packed numbers in each lane (VOP3P).
  unsigned DualIssue = 0, Packed = 0;
};

/// Whose instructions the kernel model counts: "machine code", or "IR" and why;
/// "" where none are known by unit.
std::string describeInstructions(const MachineCode &Code);

/// In words, "1,284 bytes, 24 SGPRs; instructions: 96 VALU, 12 SALU",
/// without what is zero.
std::string describeCode(const MachineCode &Code);

} // namespace gpuestimate

#endif
