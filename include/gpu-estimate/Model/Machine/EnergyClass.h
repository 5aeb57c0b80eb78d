/// \file
/// The events of a launch whose energy a GPU model states, as one table: keys
/// of model files, components of a power breakdown and the docs read it.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_ENERGYCLASS_H
#define GPU_ESTIMATE_MODEL_MACHINE_ENERGYCLASS_H

#include "gpu-estimate/Model/Machine/OpClass.h"
#include <cstdint>
#include <optional>

namespace gpuestimate {

enum class EnergyClass : uint8_t {
  Instruction, // of one thread, whatever it does
  Fp32,        // added by the class of the instruction
  Fp64,
  Fp16,
  IntMul,
  Sfu,
  TensorFp16, // of one multiply-add
  TensorTf32,
  TensorFp64,
  TensorInt8,
  Shared, // of one byte
  L1,
  L2,
  Dram,
  Count_
};
inline constexpr unsigned NumEnergyClasses =
    static_cast<unsigned>(EnergyClass::Count_);

struct EnergyClassInfo {
  EnergyClass Class;
  llvm::StringRef Name; ///< "fp32": the key is power.energy.fp32
  bool PerByte;
  bool OfCore; ///< scales with the square of the core voltage
  llvm::StringRef Description;
};

llvm::ArrayRef<EnergyClassInfo> energyClassTable();
const EnergyClassInfo &info(EnergyClass Class);

/// The class that an operation adds to EnergyClass::Instruction; nothing for
/// integer, control and memory instructions, whose bytes count apart.
std::optional<EnergyClass> energyClassOf(OpClass Class);

} // namespace gpuestimate

#endif
