#include "gpu-estimate/Lowering/Registers/AmdgpuBackEnd.h"

#include "BackEnd.h"
#include "RocmDeviceLibrary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"
#include <algorithm>
#include <deque>
#include <optional>

namespace gpuestimate {

namespace {

/// A number of the metadata of one kernel, 0 where it has none.
uint64_t number(llvm::msgpack::MapDocNode &Kernel, llvm::StringRef Key) {
  auto Found = Kernel.find(Key);
  return Found != Kernel.end() &&
                 Found->second.getKind() == llvm::msgpack::Type::UInt
             ? Found->second.getUInt()
             : 0;
}

/// The kernels of the block between .amdgpu_metadata and .end_amdgpu_metadata,
/// in YAML.
std::vector<CompiledKernel> readMetadata(llvm::StringRef Assembly) {
  std::vector<CompiledKernel> Kernels;
  llvm::msgpack::Document Metadata;
  llvm::StringRef Text = Assembly.rsplit("\t.amdgpu_metadata\n")
                             .second.split("\t.end_amdgpu_metadata")
                             .first;
  if (Text.empty() || !Metadata.fromYAML(Text) || !Metadata.getRoot().isMap())
    return Kernels;
  llvm::msgpack::MapDocNode &Root = Metadata.getRoot().getMap();
  auto List = Root.find("amdhsa.kernels");
  if (List == Root.end() || !List->second.isArray())
    return Kernels;
  for (llvm::msgpack::DocNode &Node : List->second.getArray()) {
    if (!Node.isMap())
      continue;
    llvm::msgpack::MapDocNode &Kernel = Node.getMap();
    auto Name = Kernel.find(".name");
    if (Name == Kernel.end())
      continue;
    CompiledKernel &K = Kernels.emplace_back();
    K.Mangled = Name->second.toString();
    K.Registers = number(Kernel, ".vgpr_count");
    K.StackBytes = number(Kernel, ".private_segment_fixed_size");
    K.StaticSharedBytes = number(Kernel, ".group_segment_fixed_size");
    K.Code.ScalarRegisters = number(Kernel, ".sgpr_count");
    K.Code.AccumulationRegisters = number(Kernel, ".agpr_count");
  }
  return Kernels;
}

/// An access to the stack at a place that is fixed in the code: the value of a
/// register that was spilled. Others have a vector register as their address.
/// (The comment "Folded Reload" is not printed inside of a clause.) Scalar
/// registers are spilled to lanes of vector registers, which costs no memory.
struct StackAccess {
  unsigned StoredBytes = 0, LoadedBytes = 0;
};

StackAccess parseAccess(llvm::StringRef Line) {
  auto [Opcode, Operands] = Line.trim().split(' ');
  bool IsStack =
      Opcode.consume_front("buffer_") || Opcode.consume_front("scratch_");
  bool IsStore = Opcode.consume_front("store_");
  if (!IsStack || (!IsStore && !Opcode.consume_front("load_")) ||
      !(Operands.starts_with("off,") || Operands.contains(", off,")))
    return {};
  // Narrow types occupy a word of each lane.
  unsigned Bytes = llvm::StringSwitch<unsigned>(Opcode)
                       .Cases("dwordx2", "b64", 8)
                       .Cases("dwordx3", "b96", 12)
                       .Cases("dwordx4", "b128", 16)
                       .Default(4);
  return IsStore ? StackAccess{Bytes, 0} : StackAccess{0, Bytes};
}

/// The unit that executes an instruction, by its name; none for waits, hints
/// and what is no instruction.
std::optional<MachineUnit> machineUnit(llvm::StringRef Opcode) {
  if (Opcode.consume_front("v_")) {
    if (Opcode.starts_with("mfma") || Opcode.starts_with("smfmac") ||
        Opcode.starts_with("wmma") || Opcode.starts_with("swmmac"))
      return MachineUnit::Matrix;
    for (llvm::StringRef Name :
         {"exp_", "log_", "rcp_", "rsq_", "sqrt_", "sin_", "cos_"})
      if (Opcode.starts_with(Name))
        return MachineUnit::Transcendental;
    return MachineUnit::VectorAlu;
  }
  if (Opcode.consume_front("s_")) {
    for (llvm::StringRef Name :
         {"branch", "cbranch", "setpc", "swappc", "call", "endpgm"})
      if (Opcode.starts_with(Name))
        return MachineUnit::Branch;
    for (llvm::StringRef Name :
         {"wait", "nop", "clause", "delay_alu", "barrier", "inst_prefetch",
          "set_inst_prefetch", "sleep", "sendmsg", "code_end", "setprio"})
      if (Opcode.starts_with(Name))
        return std::nullopt;
    for (llvm::StringRef Name :
         {"load", "buffer_load", "scratch_load", "dcache", "memtime",
          "memrealtime", "store", "buffer_store", "atomic"})
      if (Opcode.starts_with(Name))
        return MachineUnit::ScalarMemory;
    return MachineUnit::ScalarAlu;
  }
  if (Opcode.starts_with("ds_"))
    return MachineUnit::Lds;
  for (llvm::StringRef Name :
       {"buffer_", "global_", "flat_", "scratch_", "image_", "tbuffer_"})
    if (Opcode.starts_with(Name))
      return MachineUnit::VectorMemory;
  return std::nullopt;
}

/// Counts the instruction of this line, or the size of the code that the back
/// end prints behind it.
void countLine(MachineCode &Code, llvm::StringRef Line) {
  if (Line.consume_front("; codeLenInByte = ")) {
    Line.consumeInteger(10, Code.CodeBytes);
    return;
  }
  llvm::StringRef Opcode = Line.trim().split(' ').first;
  std::optional<MachineUnit> Unit = machineUnit(Opcode);
  if (!Unit)
    return;
  ++Code.Instructions[static_cast<unsigned>(*Unit)];
  Code.DualIssue += Opcode.starts_with("v_dual_");
  Code.Packed += Opcode.starts_with("v_pk_");
}

/// Name of a basic block that a thread runs as often as constant trip counts
/// say. The back end prints it as a comment of the machine code's blocks. The
/// dot ends the number, as LLVM appends another to make names unique.
constexpr llvm::StringLiteral RunsPrefix = "runs.";

/// The largest number of runs that is counted. With that many, spills alone
/// decide the time.
constexpr unsigned MostRuns = 1 << 20;

/// Names the blocks of loops by the product of the trip counts around them. A
/// loop whose trip count is not a constant counts as one iteration.
void nameBlocksByRuns(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) {
  llvm::LoopInfo &LI = FAM.getResult<llvm::LoopAnalysis>(F);
  llvm::ScalarEvolution &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  const bool Discards = F.getContext().shouldDiscardValueNames();
  F.getContext().setDiscardValueNames(false);
  for (llvm::BasicBlock &BB : F) {
    unsigned Runs = 1;
    for (llvm::Loop *L = LI.getLoopFor(&BB); L; L = L->getParentLoop())
      Runs = std::min<uint64_t>(
          MostRuns,
          uint64_t(Runs) * std::max(1u, SE.getSmallConstantTripCount(L)));
    BB.setName(RunsPrefix + llvm::Twine(Runs) + ".");
  }
  F.getContext().setDiscardValueNames(Discards);
}

/// How often a thread runs the block that begins on this line of the assembly;
/// nullopt for any other line.
std::optional<unsigned> parseRuns(llvm::StringRef Line) {
  llvm::StringRef Name = Line.split("; %").second;
  if (Line.starts_with("; %bb."))
    Name = Name.split("; %").second;
  unsigned Runs = 0;
  if (!Name.consume_front(RunsPrefix) || Name.consumeInteger(10, Runs))
    return std::nullopt;
  return Runs;
}

/// The vector memory loads on their way, which return in order, and the longest
/// path through those of spilled values, in latencies of one such load. Time
/// passes only in waits for them.
class PendingLoads {
public:
  /// StoresCount: a wait also counts the stores before it (GFX9).
  explicit PendingLoads(bool StoresCount) : StoresCount(StoresCount) {}

  /// Latencies by which the instruction of this line waits for spilled values.
  double run(llvm::StringRef Line, const StackAccess &Access) {
    llvm::StringRef Opcode = Line.trim().split(' ').first;
    if (Opcode == "s_waitcnt")
      return waitFor(Line, "vmcnt(", 10);
    if (Opcode.starts_with("s_wait_loadcnt"))
      return waitFor(Line, "0x", 16);
    for (llvm::StringRef Path :
         {"buffer_", "scratch_", "global_", "flat_", "image_"})
      if (Opcode.consume_front(Path) &&
          (StoresCount || !Opcode.starts_with("store")))
        push(Access.LoadedBytes > 0 ? Now + 1 : Now);
    return 0;
  }

private:
  void push(double Arrival) {
    Arrivals.push_back(Arrivals.empty() ? Arrival
                                        : std::max(Arrival, Arrivals.back()));
  }

  double waitFor(llvm::StringRef Line, llvm::StringRef Counter,
                 unsigned Radix) {
    size_t Left = 0;
    llvm::StringRef Number = Line.split(Counter).second;
    if (Number.empty() || Number.consumeInteger(Radix, Left))
      return 0;
    double Before = Now;
    for (; Arrivals.size() > Left; Arrivals.pop_front())
      Now = std::max(Now, Arrivals.front());
    return Now - Before;
  }

  bool StoresCount;
  double Now = 0;
  std::deque<double> Arrivals;
};

/// A number of the launch, for the axis that the function is called with.
using AxisValue =
    llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &, unsigned Axis)>;

/// Gives a function (i32 axis) -> index of ROCm's device library a body.
void define(llvm::Module &M, llvm::StringRef Name, AxisValue Of) {
  llvm::Function *F = M.getFunction(Name);
  if (!F || !F->isDeclaration() || F->arg_size() != 1 ||
      !F->getReturnType()->isIntegerTy() ||
      !F->getArg(0)->getType()->isIntegerTy())
    return;
  llvm::IRBuilder<> B(llvm::BasicBlock::Create(M.getContext(), "", F));
  llvm::Value *Axis = F->getArg(0);
  auto of = [&](unsigned Number) {
    return B.CreateZExtOrTrunc(Of(B, Number), F->getReturnType());
  };
  auto is = [&](unsigned Number) {
    return B.CreateICmpEQ(Axis,
                          llvm::ConstantInt::get(Axis->getType(), Number));
  };
  B.CreateRet(
      B.CreateSelect(is(0), of(0), B.CreateSelect(is(1), of(1), of(2))));
  F->setLinkage(llvm::GlobalValue::InternalLinkage);
  F->addFnAttr(llvm::Attribute::AlwaysInline);
}

/// The functions behind threadIdx, blockIdx, blockDim and gridDim, which HIP's
/// headers declare and ROCm's device library defines. Sizes are hidden
/// arguments: 32-bit numbers of blocks at byte 0, 16-bit block sizes at byte 12
/// (LLVM, User Guide for AMDGPU Backend, "Code Object V5 Metadata").
void defineIndices(llvm::Module &M) {
  using namespace llvm::Intrinsic;
  auto Register = [](ID X, ID Y, ID Z) {
    return [=](llvm::IRBuilder<> &B, unsigned Axis) -> llvm::Value * {
      return B.CreateIntrinsic(Axis == 0 ? X : Axis == 1 ? Y : Z, {}, {});
    };
  };
  auto Hidden = [](unsigned FirstByte, unsigned Bits) {
    return [=](llvm::IRBuilder<> &B, unsigned Axis) -> llvm::Value * {
      llvm::Value *Arguments =
          B.CreateIntrinsic(amdgcn_implicitarg_ptr, {}, {});
      return B.CreateLoad(B.getIntNTy(Bits),
                          B.CreateConstGEP1_32(B.getInt8Ty(), Arguments,
                                               FirstByte + Axis * Bits / 8));
    };
  };
  define(M, "__ockl_get_local_id",
         Register(amdgcn_workitem_id_x, amdgcn_workitem_id_y,
                  amdgcn_workitem_id_z));
  define(M, "__ockl_get_group_id",
         Register(amdgcn_workgroup_id_x, amdgcn_workgroup_id_y,
                  amdgcn_workgroup_id_z));
  define(M, "__ockl_get_num_groups", Hidden(0, 32));
  define(M, "__ockl_get_local_size", Hidden(12, 16));
}

} // namespace

std::vector<CompiledKernel> parseAmdgpuAssembly(llvm::StringRef Assembly) {
  std::vector<CompiledKernel> Kernels = readMetadata(Assembly);
  CompiledKernel *Current = nullptr;
  unsigned Runs = 1;
  const bool StoresCount = Assembly.contains("\"amdgcn-amd-amdhsa--gfx9");
  PendingLoads Pending(StoresCount);
  llvm::SmallVector<llvm::StringRef> Lines;
  Assembly.split(Lines, '\n');
  for (llvm::StringRef Line : Lines) {
    llvm::StringRef Label = Line.take_until([](char C) { return C == ':'; });
    if (Label.size() < Line.size() && !Label.contains(' ') &&
        !Label.starts_with('.')) {
      auto Found = llvm::find_if(
          Kernels, [&](const CompiledKernel &K) { return K.Mangled == Label; });
      Current = Found != Kernels.end() ? &*Found : nullptr;
      Runs = 1;
      Pending = PendingLoads(StoresCount);
    } else if (std::optional<unsigned> OfBlock = parseRuns(Line)) {
      Runs = *OfBlock;
    } else if (Current) {
      countLine(Current->Code, Line);
      StackAccess Access = parseAccess(Line);
      Current->SpillWaits += Runs * Pending.run(Line, Access);
      Current->SpillStoreBytes = llvm::SaturatingMultiplyAdd(
          Access.StoredBytes, Runs, Current->SpillStoreBytes);
      Current->SpillLoadBytes = llvm::SaturatingMultiplyAdd(
          Access.LoadedBytes, Runs, Current->SpillLoadBytes);
    }
  }
  return Kernels;
}

llvm::Expected<std::vector<CompiledKernel>>
runAmdgpuBackEnd(const llvm::Module &M,
                 llvm::function_ref<bool(llvm::StringRef)> IsWanted,
                 const AmdgpuRequest &Request) {
  if (!llvm::Triple(M.getTargetTriple()).isAMDGPU())
    return llvm::createStringError("the module is not for AMDGPU");
  llvm::SmallString<0> Assembly;
  llvm::raw_svector_ostream OS(Assembly);
  std::unique_ptr<llvm::Module> Copy = copyKernels(M, IsWanted);
  // Kernels that need no library keep their code where it cannot be linked.
  if (!Request.DeviceLibrary.empty())
    llvm::consumeError(linkRocmDeviceLibrary(*Copy, Request.DeviceLibrary));
  defineIndices(*Copy);
  if (llvm::Error Problem = emitAssembly(
          *Copy, [](llvm::StringRef) { return false; }, OS, nameBlocksByRuns,
          Request.MaxInstructions))
    return Problem;
  return parseAmdgpuAssembly(Assembly);
}

} // namespace gpuestimate
