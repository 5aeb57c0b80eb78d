#include "gpu-estimate/Model/Machine/EnergyClass.h"

#include <cassert>

namespace gpuestimate {

static constexpr EnergyClassInfo EnergyClassTable[] = {
    {EnergyClass::Instruction, "instruction", false, true,
     "of each thread for each instruction, whatever it does: fetch, decode, "
     "operands, integer arithmetic"},
    {EnergyClass::Fp32, "fp32", false, true,
     "added by each thread's fp32 operation"},
    {EnergyClass::Fp64, "fp64", false, true,
     "added by each thread's fp64 operation"},
    {EnergyClass::Fp16, "fp16", false, true,
     "added by each thread's fp16 or bf16 operation, of one or two values"},
    {EnergyClass::IntMul, "int_mul", false, true,
     "added by each thread's integer multiplication"},
    {EnergyClass::Sfu, "sfu", false, true,
     "added by each thread's special function, conversion or bit count"},
    {EnergyClass::TensorFp16, "tensor_fp16", false, true,
     "of one multiply-add of tensor_fp16"},
    {EnergyClass::TensorTf32, "tensor_tf32", false, true,
     "of one multiply-add of tensor_tf32"},
    {EnergyClass::TensorFp64, "tensor_fp64", false, true,
     "of one multiply-add of tensor_fp64"},
    {EnergyClass::TensorInt8, "tensor_int8", false, true,
     "of one multiply-add of tensor_int8"},
    {EnergyClass::Shared, "shared", true, true,
     "of a byte that shared memory delivers or takes"},
    {EnergyClass::L1, "l1", true, true,
     "of a byte of the sectors that go through L1"},
    {EnergyClass::L2, "l2", true, true, "of a byte between L1 and L2"},
    {EnergyClass::Dram, "dram", true, false,
     "of a byte between L2 and DRAM, with the memory's own; memory has a "
     "voltage of its own"},
};

static constexpr bool tableFollowsEnum() {
  for (unsigned I = 0; I < NumEnergyClasses; ++I)
    if (EnergyClassTable[I].Class != static_cast<EnergyClass>(I))
      return false;
  return true;
}
static_assert(std::size(EnergyClassTable) == NumEnergyClasses &&
              tableFollowsEnum());

llvm::ArrayRef<EnergyClassInfo> energyClassTable() { return EnergyClassTable; }

const EnergyClassInfo &info(EnergyClass Class) {
  assert(Class < EnergyClass::Count_ && "not an energy class");
  return EnergyClassTable[static_cast<unsigned>(Class)];
}

std::optional<EnergyClass> energyClassOf(OpClass Class) {
  switch (Class) {
  case OpClass::Fp32Add:
  case OpClass::Fp32Mul:
  case OpClass::Fp32Fma:
    return EnergyClass::Fp32;
  case OpClass::Fp64Add:
  case OpClass::Fp64Mul:
  case OpClass::Fp64Fma:
    return EnergyClass::Fp64;
  case OpClass::Fp16Add:
  case OpClass::Fp16Mul:
  case OpClass::Fp16Fma:
    return EnergyClass::Fp16;
  case OpClass::IntMul:
    return EnergyClass::IntMul;
  case OpClass::Popc:
  case OpClass::Clz:
  case OpClass::Convert32:
  case OpClass::ConvertInt32:
  case OpClass::Convert64:
  case OpClass::Convert16:
  case OpClass::Sfu:
    return EnergyClass::Sfu;
  case OpClass::TensorFp16:
    return EnergyClass::TensorFp16;
  case OpClass::TensorTf32:
    return EnergyClass::TensorTf32;
  case OpClass::TensorFp64:
    return EnergyClass::TensorFp64;
  case OpClass::TensorInt8:
    return EnergyClass::TensorInt8;
  default:
    return std::nullopt;
  }
}

} // namespace gpuestimate
