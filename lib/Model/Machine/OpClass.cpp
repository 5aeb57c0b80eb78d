/// \file
/// The table of operation classes and the names of the pipes. Everything that
/// enumerates classes (model files, JSON, docs) reads this table.
#include "gpu-estimate/Model/Machine/OpClass.h"

#include <cassert>

namespace gpuestimate {

namespace {

// Mnemonics are those of NVIDIA's SASS from Pascal to Hopper; they are
// examples that help a reader of a disassembly, not a complete list.
// One row per line.
// clang-format off
constexpr OpClassInfo OpClassTable[] = {
    {OpClass::Fp32Add, "fp32_add", Pipe::Fp32, false,
     "fp32 add and subtract (FADD)"},
    {OpClass::Fp32Mul, "fp32_mul", Pipe::Fp32, false, "fp32 multiply (FMUL)"},
    {OpClass::Fp32Fma, "fp32_fma", Pipe::Fp32, false,
     "fp32 fused multiply-add (FFMA)"},
    {OpClass::Fp64Add, "fp64_add", Pipe::Fp64, false,
     "fp64 add and subtract (DADD)"},
    {OpClass::Fp64Mul, "fp64_mul", Pipe::Fp64, false, "fp64 multiply (DMUL)"},
    {OpClass::Fp64Fma, "fp64_fma", Pipe::Fp64, false,
     "fp64 fused multiply-add (DFMA)"},
    {OpClass::Fp16Add, "fp16_add", Pipe::Fp16, false,
     "fp16 or bf16 add, one or two packed values (HADD2)"},
    {OpClass::Fp16Mul, "fp16_mul", Pipe::Fp16, false,
     "fp16 or bf16 multiply, one or two packed values (HMUL2)"},
    {OpClass::Fp16Fma, "fp16_fma", Pipe::Fp16, false,
     "fp16 or bf16 fused multiply-add, one or two packed values (HFMA2)"},
    {OpClass::IntAdd, "int_add", Pipe::Int, false,
     "32-bit integer add and subtract, three-input add (IADD, IADD3)"},
    {OpClass::IntMul, "int_mul", Pipe::Int, false,
     "32-bit integer multiply and multiply-add (IMAD, XMAD)"},
    {OpClass::Shift, "shift", Pipe::Int, false,
     "shifts and funnel shifts (SHF, SHL, SHR, LEA)"},
    {OpClass::Logic, "logic", Pipe::Int, false,
     "bitwise logic of up to three inputs (LOP3, LOP)"},
    {OpClass::Compare, "compare", Pipe::Int, false,
     "comparison that sets a predicate (ISETP, FSETP)"},
    {OpClass::Select, "select", Pipe::Int, false,
     "choice between two registers by a predicate (SEL, FSEL)"},
    {OpClass::MinMax, "min_max", Pipe::Int, false,
     "integer or fp32 minimum and maximum (IMNMX, FMNMX)"},
    {OpClass::BitField, "bit_field", Pipe::Int, false,
     "bit-field extract and insert, byte permute (BFE, BFI, PRMT, SGXT)"},
    {OpClass::Popc, "popc", Pipe::Sfu, false, "population count (POPC)"},
    {OpClass::Clz, "clz", Pipe::Sfu, false,
     "leading zeros, highest set bit, bit reversal (FLO, BREV)"},
    {OpClass::Convert32, "convert32", Pipe::Sfu, false,
     "conversion between 32-bit integer and fp32, rounding (I2F, F2I, FRND)"},
    {OpClass::ConvertInt32, "convert_int32", Pipe::Sfu, false,
     "conversion from a 32-bit integer to fp32 where it has a pipe of its own "
     "(I2FP); as convert32 if not stated"},
    {OpClass::Convert64, "convert64", Pipe::Sfu, false,
     "conversion from or to a 64-bit type (F2F.F64.F32, I2F.F64, F2I.S64)"},
    {OpClass::Convert16, "convert16", Pipe::Sfu, false,
     "conversion from or to an 8-bit or 16-bit type (F2F.F16.F32, F2FP, I2I)"},
    {OpClass::Sfu, "sfu", Pipe::Sfu, false,
     "special function: reciprocal, square root, sine, exponential (MUFU)"},
    {OpClass::Move, "move", Pipe::Int, false,
     "copy of a register, constant or predicate (MOV)"},
    {OpClass::SpecialRegister, "special_register", Pipe::Int, false,
     "read of a special register (S2R, S2UR, CS2R)"},
    {OpClass::Shuffle, "shuffle", Pipe::LoadStore, false,
     "exchange between the lanes of a warp (SHFL)"},
    {OpClass::Vote, "vote", Pipe::Int, false,
     "vote of the lanes of a warp, for a predicate that a comparison made "
     "(VOTE)"},
    {OpClass::WarpReduce, "warp_reduce", Pipe::Sfu, false,
     "integer reduction of the lanes of a warp, and search for equal values "
     "(REDUX, MATCH); as popc if not stated"},
    {OpClass::Branch, "branch", Pipe::Branch, false,
     "branch, call, return and reconvergence (BRA, BSSY, BSYNC, EXIT)"},
    {OpClass::Barrier, "barrier", Pipe::Branch, false,
     "barrier of a block or of a warp (BAR.SYNC, WARPSYNC)"},
    {OpClass::Fence, "fence", Pipe::LoadStore, false,
     "memory fence (MEMBAR, ERRBAR)"},
    {OpClass::LoadGlobal, "load_global", Pipe::LoadStore, true,
     "load from global memory (LDG, LD)"},
    {OpClass::StoreGlobal, "store_global", Pipe::LoadStore, true,
     "store to global memory (STG, ST)"},
    {OpClass::LoadShared, "load_shared", Pipe::LoadStore, true,
     "load from shared memory (LDS, LDSM)"},
    {OpClass::StoreShared, "store_shared", Pipe::LoadStore, true,
     "store to shared memory (STS)"},
    {OpClass::LoadConstant, "load_constant", Pipe::LoadStore, true,
     "load from constant memory or of a kernel argument (LDC, ULDC)"},
    {OpClass::LoadLocal, "load_local", Pipe::LoadStore, true,
     "load from local memory: spills and private arrays (LDL)"},
    {OpClass::StoreLocal, "store_local", Pipe::LoadStore, true,
     "store to local memory: spills and private arrays (STL)"},
    {OpClass::Texture, "texture", Pipe::Texture, true,
     "texture fetch or surface load (TEX, TLD4, SULD)"},
    {OpClass::AtomicGlobal, "atomic_global", Pipe::LoadStore, true,
     "atomic on global memory, with or without a result (ATOMG, RED)"},
    {OpClass::AtomicShared, "atomic_shared", Pipe::LoadStore, true,
     "atomic on shared memory (ATOMS)"},
    {OpClass::AsyncCopy, "async_copy", Pipe::LoadStore, true,
     "copy from global to shared memory that bypasses registers (LDGSTS)"},
    {OpClass::TensorFp16, "tensor_fp16", Pipe::Tensor, false,
     "matrix multiply-accumulate of fp16 or bf16 (HMMA)"},
    {OpClass::TensorTf32, "tensor_tf32", Pipe::Tensor, false,
     "matrix multiply-accumulate of tf32 (HMMA.TF32)"},
    {OpClass::TensorFp64, "tensor_fp64", Pipe::Tensor, false,
     "matrix multiply-accumulate of fp64 (DMMA)"},
    {OpClass::TensorInt8, "tensor_int8", Pipe::Tensor, false,
     "matrix multiply-accumulate of 8-bit integers and narrower (IMMA)"},
};
// clang-format on

constexpr llvm::StringLiteral PipeNames[] = {
    "fp32",   "fp64",       "fp16",    "int",    "sfu",
    "tensor", "load_store", "texture", "branch", "issue"};

// info() indexes the table by enumerator, so a missing or misplaced row must
// not compile.
constexpr bool tableFollowsEnum() {
  for (unsigned I = 0; I < NumOpClasses; ++I)
    if (OpClassTable[I].Class != static_cast<OpClass>(I))
      return false;
  return true;
}
static_assert(std::size(OpClassTable) == NumOpClasses && tableFollowsEnum());
static_assert(std::size(PipeNames) == NumPipes);

} // namespace

llvm::ArrayRef<OpClassInfo> opClassTable() { return OpClassTable; }

const OpClassInfo &info(OpClass Class) {
  assert(Class < OpClass::Count_ && "not an operation class");
  return OpClassTable[static_cast<unsigned>(Class)];
}

llvm::StringRef name(Pipe P) {
  assert(P < Pipe::Count_ && "not a pipe");
  return PipeNames[static_cast<unsigned>(P)];
}

std::optional<Pipe> pipeFromName(llvm::StringRef Name) {
  for (unsigned I = 0; I < NumPipes; ++I)
    if (PipeNames[I] == Name)
      return static_cast<Pipe>(I);
  return std::nullopt;
}

} // namespace gpuestimate
