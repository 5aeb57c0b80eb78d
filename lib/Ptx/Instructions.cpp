#include "Arithmetic.h"
#include "Conversions.h"
#include "ExecutedForms.h"
#include "InstructionTranslator.h"
#include "Matrix.h"
#include "Memory.h"
#include "Warp.h"
#include "gpu-estimate/Ptx/InstructionTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

namespace {

template <typename> struct ClassOf;
template <typename Class> struct ClassOf<bool (Class::*)()> {
  using Type = Class;
};

/// A member function of a translator as a form.
template <auto Method> bool form(const PtxInstructionTranslation &Of) {
  typename ClassOf<decltype(Method)>::Type Translator(Of);
  return (Translator.*Method)();
}

constexpr auto AnyType = PtxInstructionRow::AnyType;
constexpr auto BitsOnly = PtxInstructionRow::BitsOnly;
constexpr auto Pure = PtxInstructionRow::Pure;
constexpr auto NoResult = PtxInstructionRow::NoResult;

// One row per line: opcode, operands, types, properties, in LLVM IR, the form
// for an estimate, the form for execution where that one fails.
// clang-format off
constexpr PtxInstructionRow Rows[] = {
    {"abs", 2, AnyType, Pure, "fabs, abs", form<&PtxArithmetic::absolute>},
    {"activemask", 1, AnyType, 0, "", nullptr, form<&PtxExecutedForm::activeMask>},
    {"add", 3, AnyType, Pure, "fadd, add; with a carry, uadd.with.overflow", form<&PtxArithmetic::add>},
    {"addc", 3, AnyType, Pure, "add of the carry flag", form<&PtxArithmetic::add>},
    {"alloca"},
    {"and", 3, BitsOnly, Pure, "and", form<&PtxArithmetic::logic>},
    {"applypriority", 0, AnyType, 0, "", nullptr, form<&PtxExecutedForm::hint>},
    {"atom", 0, AnyType, 0, "atomicrmw, cmpxchg", form<&PtxMemory::atomic>},
    {"bar", 0, AnyType, NoResult, "nvvm.barrier0, nvvm.barrier, nvvm.bar.warp.sync", form<&PtxWarp::barrier>},
    {"barrier", 0, AnyType, NoResult, "nvvm.barrier, nvvm.barrier.cluster", form<&PtxWarp::barrier>},
    {"bfe", 4, BitsOnly, Pure, "shl and ashr, or lshr and and, for a constant field", form<&PtxArithmetic::extractBits>, form<&PtxExecutedForm::extractBits>},
    {"bfi", 5, BitsOnly, Pure, "shl, and, or for a constant field", form<&PtxArithmetic::insertBits>, form<&PtxExecutedForm::insertBits>},
    {"bfind", 2, BitsOnly, 0, "", nullptr, form<&PtxExecutedForm::findBit>},
    {"bmsk", 3, BitsOnly, 0, "", nullptr, form<&PtxExecutedForm::bitMask>},
    {"brev", 2, BitsOnly, Pure, "bitreverse", form<&PtxArithmetic::countBits>},
    {"clusterlaunchcontrol"},
    {"clz", 2, BitsOnly, Pure, "ctlz", form<&PtxArithmetic::countBits>},
    {"cnot", 2, BitsOnly, Pure, "icmp eq 0", form<&PtxArithmetic::complement>},
    {"copysign", 3, AnyType, Pure, "copysign", form<&PtxArithmetic::copySign>},
    {"cos", 2, AnyType, Pure, "nvvm.cos.approx", form<&PtxArithmetic::approximate>},
    {"cp", 0, AnyType, NoResult, "nvvm.cp.async of 4, 8 and 16 bytes, and their waits", form<&PtxMemory::asyncCopy>, form<&PtxExecutedForm::copy>},
    {"createpolicy", 1, AnyType, 0, "", nullptr, form<&PtxExecutedForm::cachePolicy>},
    {"cvt", 2, AnyType, Pure, "fptrunc, fpext, sitofp, fptosi, trunc, sext; nvvm.d2i and its like with a rounding", form<&PtxConversion::convert>},
    {"cvta", 0, AnyType, Pure, "addrspacecast", form<&PtxMemory::convertAddress>},
    {"discard", 0, AnyType, NoResult, "", nullptr, form<&PtxExecutedForm::hint>},
    {"div", 3, AnyType, Pure, "fdiv, sdiv, udiv; nvvm.div.approx", form<&PtxArithmetic::divide>},
    {"dp2a", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::dotProductOfHalves>},
    {"dp4a", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::dotProduct>},
    {"elect", 0, AnyType, 0, "", nullptr, form<&PtxExecutedForm::runtimeCall>},
    {"ex2", 2, AnyType, Pure, "nvvm.ex2.approx", form<&PtxArithmetic::approximate>, form<&PtxExecutedForm::functionOfReal>},
    {"fence", 0, AnyType, NoResult, "nvvm.membar", form<&PtxWarp::fence>, form<&PtxExecutedForm::fence>},
    {"fma", 4, AnyType, Pure, "fma; nvvm.fma with another rounding", form<&PtxArithmetic::multiplyAdd>, form<&PtxExecutedForm::clampedReal>},
    {"getctarank"},
    {"griddepcontrol", 0, AnyType, NoResult, "", nullptr, form<&PtxExecutedForm::hint>},
    {"isspacep", 0, AnyType, 0, "nvvm.isspacep", form<&PtxMemory::isInSpace>},
    {"ld", 0, AnyType, 0, "load", form<&PtxMemory::load>},
    {"ldmatrix", 0, AnyType, 0, "nvvm.ldmatrix", form<&PtxMatrix::intrinsic>, form<&PtxExecutedForm::runtimeCall>},
    {"ldu", 0, AnyType, 0, "load of memory that does not change", form<&PtxMemory::load>},
    {"lg2", 2, AnyType, Pure, "nvvm.lg2.approx", form<&PtxArithmetic::approximate>, form<&PtxExecutedForm::functionOfReal>},
    {"lop3", 5, BitsOnly, Pure, "and, or, xor where two operators say the table", form<&PtxArithmetic::logicTable>, form<&PtxExecutedForm::logicTable>},
    {"mad", 4, AnyType, Pure, "mul and add, fma", form<&PtxArithmetic::multiplyAdd>},
    {"mad24", 4, AnyType, Pure, "nvvm.mul24 and add", form<&PtxArithmetic::multiplyAdd>},
    {"madc", 4, AnyType, Pure, "mul and add of the carry flag", form<&PtxArithmetic::multiplyAdd>},
    {"mapa"},
    {"match", 0, AnyType, 0, "nvvm.match", form<&PtxWarp::match>},
    {"max", 3, AnyType, Pure, "maxnum, maximum, smax, umax", form<&PtxArithmetic::minMax>, form<&PtxExecutedForm::clampedReal>},
    {"mbarrier", 0, AnyType, 0, "", nullptr, form<&PtxExecutedForm::runtimeCall>},
    {"membar", 0, AnyType, NoResult, "nvvm.membar", form<&PtxWarp::fence>, form<&PtxExecutedForm::fence>},
    {"min", 3, AnyType, Pure, "minnum, minimum, smin, umin", form<&PtxArithmetic::minMax>, form<&PtxExecutedForm::clampedReal>},
    {"mma", 0, AnyType, 0, "nvvm.mma", form<&PtxMatrix::intrinsic>, form<&PtxExecutedForm::runtimeCall>},
    {"mov", 2, AnyType, Pure, "the value itself, or its parts", form<&PtxArithmetic::move>},
    {"movmatrix", 0, AnyType, 0, "", nullptr, form<&PtxExecutedForm::runtimeCall>},
    {"mul", 3, AnyType, Pure, "fmul, mul; nvvm.mulhi", form<&PtxArithmetic::multiply>},
    {"mul24", 3, AnyType, Pure, "nvvm.mul24", form<&PtxArithmetic::multiply>},
    {"nanosleep", 0, AnyType, NoResult, "nvvm.nanosleep", form<&PtxWarp::sleep>, form<&PtxExecutedForm::hint>},
    {"neg", 2, AnyType, Pure, "fneg, sub", form<&PtxArithmetic::negate>},
    {"not", 2, BitsOnly, Pure, "xor -1", form<&PtxArithmetic::complement>},
    {"or", 3, BitsOnly, Pure, "or", form<&PtxArithmetic::logic>},
    {"pmevent", 0, AnyType, NoResult, "nothing: an event of the profiler", form<&PtxExecutedForm::hint>},
    {"popc", 2, BitsOnly, Pure, "ctpop", form<&PtxArithmetic::countBits>},
    {"prefetch", 0, AnyType, NoResult, "", nullptr, form<&PtxExecutedForm::hint>},
    {"prefetchu", 0, AnyType, NoResult, "", nullptr, form<&PtxExecutedForm::hint>},
    {"prmt", 4, BitsOnly, Pure, "nvvm.prmt", form<&PtxArithmetic::permute>},
    {"rcp", 2, AnyType, Pure, "fdiv 1, nvvm.rcp", form<&PtxArithmetic::reciprocal>, form<&PtxExecutedForm::functionOfReal>},
    {"red", 0, AnyType, NoResult, "atomicrmw without a result", form<&PtxMemory::atomic>},
    {"redux", 0, AnyType, 0, "nvvm.redux.sync", form<&PtxWarp::reduce>},
    {"rem", 3, AnyType, 0, "srem, urem", form<&PtxArithmetic::remainder>},
    {"rsqrt", 2, AnyType, Pure, "nvvm.rsqrt.approx", form<&PtxArithmetic::approximate>, form<&PtxExecutedForm::functionOfReal>},
    {"sad", 4, AnyType, Pure, "smax, smin, sub, add", form<&PtxArithmetic::absoluteDifference>},
    {"selp", 4, AnyType, Pure, "select", form<&PtxArithmetic::select>},
    {"set", 3, AnyType, Pure, "icmp, fcmp and select", form<&PtxArithmetic::set>},
    {"setmaxnreg", 0, AnyType, NoResult, "", nullptr, form<&PtxExecutedForm::hint>},
    {"setp", 3, AnyType, Pure, "icmp, fcmp", form<&PtxArithmetic::setPredicate>},
    {"shf", 4, BitsOnly, Pure, "fshl, fshr", form<&PtxArithmetic::funnelShift>, form<&PtxExecutedForm::funnelShift>},
    {"shfl", 0, AnyType, 0, "nvvm.shfl", form<&PtxWarp::shuffle>},
    {"shl", 3, BitsOnly, Pure, "shl", form<&PtxArithmetic::shift>},
    {"shr", 3, BitsOnly, Pure, "lshr, ashr", form<&PtxArithmetic::shift>},
    {"sin", 2, AnyType, Pure, "nvvm.sin.approx", form<&PtxArithmetic::approximate>},
    {"slct", 4, AnyType, Pure, "icmp, fcmp and select", form<&PtxArithmetic::selectBySign>},
    {"sqrt", 2, AnyType, Pure, "sqrt, nvvm.sqrt", form<&PtxArithmetic::squareRoot>, form<&PtxExecutedForm::functionOfReal>},
    {"st", 0, AnyType, NoResult, "store", form<&PtxMemory::store>},
    {"stackrestore", 0, AnyType, NoResult, ""},
    {"stacksave"},
    {"stmatrix", 0, AnyType, NoResult, "", nullptr, form<&PtxExecutedForm::runtimeCall>},
    {"sub", 3, AnyType, Pure, "fsub, sub; with a carry, usub.with.overflow", form<&PtxArithmetic::subtract>},
    {"subc", 3, AnyType, Pure, "sub of the carry flag", form<&PtxArithmetic::subtract>},
    {"suld"},
    {"sured", 0, AnyType, NoResult, ""},
    {"sust", 0, AnyType, NoResult, ""},
    {"szext", 3, BitsOnly, 0, "", nullptr, form<&PtxExecutedForm::extendLowBits>},
    {"tanh", 2, AnyType, Pure, "nvvm.tanh.approx", form<&PtxArithmetic::approximate>, form<&PtxExecutedForm::functionOfReal>},
    {"tcgen05"},
    {"tensormap", 0, AnyType, NoResult, ""},
    {"testp", 2, AnyType, 0, "", nullptr, form<&PtxExecutedForm::testKind>},
    {"tex", 2, AnyType, 0, "", nullptr, form<&PtxExecutedForm::texture>},
    {"tld4", 2, AnyType, 0, "", nullptr, form<&PtxExecutedForm::texture>},
    {"vabsdiff2", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vabsdiff4", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vadd2", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vadd4", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vavrg2", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vavrg4", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vmad"},
    {"vmax2", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vmax4", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vmin2", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vmin4", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vote", 0, AnyType, 0, "nvvm.vote", form<&PtxWarp::vote>},
    {"vset2", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vset4", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vshl"},
    {"vshr"},
    {"vsub2", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"vsub4", 4, AnyType, 0, "", nullptr, form<&PtxExecutedForm::video>},
    {"wgmma", 0, AnyType, 0, "", nullptr, form<&PtxExecutedForm::groupMatrix>},
    {"wmma", 0, AnyType, 0, "nvvm.wmma", form<&PtxMatrix::intrinsic>},
    {"xor", 3, BitsOnly, Pure, "xor", form<&PtxArithmetic::logic>},
};
// clang-format on

} // namespace

ArrayRef<PtxInstructionRow> ptxInstructionTable() { return Rows; }

const PtxInstructionRow *findPtxInstruction(StringRef Opcode) {
  const PtxInstructionRow *Found =
      lower_bound(Rows, Opcode, [](const PtxInstructionRow &R, StringRef Of) {
        return R.Opcode < Of;
      });
  return Found != std::end(Rows) && Found->Opcode == Opcode ? Found : nullptr;
}

bool PtxInstructionTranslation::translate() const {
  const PtxInstructionRow *Row = findPtxInstruction(I.Opcode);
  if (!Row || I.Operands.size() < Row->Operands)
    return false;
  if (Row->Types == PtxInstructionRow::BitsOnly &&
      any_of(I.types(), [](PtxType Of) { return Of.isFloat(); }))
    return false;
  if (Row->Estimated && Row->Estimated(*this))
    return true;
  return Executes && Row->Executed && Operands.problem().empty() &&
         Row->Executed(*this);
}

} // namespace gpuestimate
