#include "gpu-estimate/Lowering/Registers/AmdgpuBackEnd.h"

#include "BackEnd.h"
#include "RocmDeviceLibrary.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
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

/// Counts the instruction of this line, in the code of a loop, or the size of
/// the code that the back end prints behind it.
void countLine(MachineCode &Code, unsigned Loop, llvm::StringRef Line,
               const StackAccess &Access) {
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
  if (Access.StoredBytes == 0 && Access.LoadedBytes == 0)
    ++Code.Loops[Loop].Instructions[static_cast<unsigned>(*Unit)];
}

/// Does the code of this line go on in another function?
bool isCall(llvm::StringRef Line) {
  llvm::StringRef Opcode = Line.trim();
  return Opcode.starts_with("s_swappc") || Opcode.starts_with("s_call");
}

/// The largest number of runs that is counted. With that many, spills alone
/// decide the time.
constexpr unsigned MostRuns = 1 << 20;

/// What the name of a basic block tells of it. The back end prints it as a
/// comment of the machine code's blocks.
struct BlockName {
  unsigned Loop = 0;   ///< preorder number of the loop around it; 0: no loop
  unsigned Source = 0; ///< LoopFollower's number of that loop in the source
  unsigned Copies = 1; ///< iterations of the source in one round of the loop
  /// How often a thread runs the block, as constant trip counts say.
  unsigned Runs = 1;

  /// A dot ends the last number, as LLVM appends another to make names unique.
  void print(llvm::raw_ostream &OS) const {
    OS << Prefix << Loop << '.' << Source << '.' << Copies << '.' << Runs
       << '.';
  }

  /// The block that begins on this line of the assembly; nullopt for
  /// any other line, and for a block that the back end has added.
  static std::optional<BlockName> parse(llvm::StringRef Line) {
    llvm::StringRef Text = Line.split("; %").second;
    if (Line.starts_with("; %bb."))
      Text = Text.split("; %").second;
    if (!Text.consume_front(Prefix))
      return std::nullopt;
    BlockName Name;
    for (unsigned *Number :
         {&Name.Loop, &Name.Source, &Name.Copies, &Name.Runs})
      if (Text.consumeInteger(10, *Number) || !Text.consume_front("."))
        return std::nullopt;
    return Name;
  }

private:
  static constexpr llvm::StringLiteral Prefix = "loop.";
};

/// The names of the basic blocks of an assembly. A block without one has that
/// of the header of its loop, which the back end tells in comments: "in Loop:
/// Header=BB0_3 Depth=1", or, of a header, "Parent Loop BB0_3 Depth=1".
class BlockNames {
public:
  explicit BlockNames(llvm::ArrayRef<llvm::StringRef> Lines) : Lines(Lines) {
    for (llvm::StringRef Line : Lines)
      if (Line.starts_with(".L"))
        if (std::optional<BlockName> Name = BlockName::parse(Line))
          OfLabel[Line.drop_front(2).take_until(
              [](char C) { return C == ':'; })] = *Name;
  }

  /// The block that begins on line I; nullopt if none begins.
  std::optional<BlockName> at(size_t I) const {
    if (!Lines[I].starts_with(".LBB") && !Lines[I].starts_with("; %bb."))
      return std::nullopt;
    if (std::optional<BlockName> Name = BlockName::parse(Lines[I]))
      return Name;
    BlockName Name;
    do {
      for (llvm::StringRef Before : {"Header=", "Parent Loop "})
        if (llvm::StringRef Label = Lines[I].split(Before).second;
            !Label.empty())
          Name = OfLabel.lookup(Label.split(' ').first);
    } while (++I < Lines.size() && Lines[I].trim().starts_with(";"));
    return Name;
  }

private:
  llvm::ArrayRef<llvm::StringRef> Lines;
  llvm::StringMap<BlockName> OfLabel; ///< "BB0_3"
};

/// Follows the loops of the source through clang's passes: a loop by an entry
/// in its metadata, which its copies keep; the iterations in one round of it by
/// the copies of the instructions that were in one.
class LoopFollower final : public KernelObserver {
public:
  /// M still has its debug information.
  explicit LoopFollower(llvm::Module &M) {
    for (llvm::Function &F : M) {
      if (F.isDeclaration())
        continue;
      llvm::DominatorTree DT(F);
      llvm::LoopInfo LI(DT);
      for (llvm::Loop *L : LI.getLoopsInPreorder()) {
        SourceLocation Place = locate(L->getStartLoc());
        if (!Place.isValid() || !L->getLoopLatch())
          continue;
        Places.push_back(std::move(Place));
        setNumber(*L, Places.size());
      }
    }
  }

  void beforeUnrolling(llvm::Function &F,
                       llvm::FunctionAnalysisManager &FAM) override {
    llvm::LoopInfo &LI = FAM.getResult<llvm::LoopAnalysis>(F);
    unsigned Id = 0;
    for (llvm::BasicBlock &BB : F)
      if (const llvm::Loop *L = LI.getLoopFor(&BB))
        if (unsigned Number = numberOf(*L))
          for (llvm::Instruction &I : BB)
            if (!llvm::isa<llvm::PHINode>(I) && !I.isTerminator() &&
                !I.isDebugOrPseudoInst())
              I.setMetadata(OriginKind,
                            numbers(F.getContext(), {Number, ++Id}));
  }

  /// Names the blocks.
  void beforeBackEnd(llvm::Function &F,
                     llvm::FunctionAnalysisManager &FAM) override {
    llvm::LoopInfo &LI = FAM.getResult<llvm::LoopAnalysis>(F);
    auto &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
    const bool Discards = F.getContext().shouldDiscardValueNames();
    F.getContext().setDiscardValueNames(false);
    llvm::DenseMap<const llvm::Loop *, BlockName> Names;
    for (llvm::Loop *L : LI.getLoopsInPreorder()) {
      const llvm::Loop *Parent = L->getParentLoop();
      BlockName Around = Names.lookup(Parent), &Name = Names[L];
      Name.Loop = Names.size();
      Name.Source = numberOf(*L);
      Name.Copies = copies(*L, LI, Name.Source);
      Name.Runs = std::min<uint64_t>(
          MostRuns, uint64_t(Around.Runs) *
                        std::max(1u, SE.getSmallConstantTripCount(L)));
    }
    for (llvm::BasicBlock &BB : F) {
      std::string Text;
      llvm::raw_string_ostream OS(Text);
      Names.lookup(LI.getLoopFor(&BB)).print(OS);
      BB.setName(Text);
    }
    F.getContext().setDiscardValueNames(Discards);
  }

  /// The loop with a number from 1 on.
  const SourceLocation &place(unsigned Number) const {
    return Places[Number - 1];
  }

private:
  static constexpr llvm::StringLiteral NumberKind = "gpu-estimate.loop",
                                       OriginKind = "gpu-estimate.origin";

  static llvm::Metadata *number(llvm::LLVMContext &Context, unsigned Value) {
    return llvm::ConstantAsMetadata::get(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(Context), Value));
  }

  static unsigned value(const llvm::MDNode &Node, unsigned Operand) {
    return llvm::mdconst::extract<llvm::ConstantInt>(Node.getOperand(Operand))
        ->getZExtValue();
  }

  static llvm::MDNode *numbers(llvm::LLVMContext &Context,
                               std::initializer_list<unsigned> Values) {
    llvm::SmallVector<llvm::Metadata *> Operands;
    for (unsigned Value : Values)
      Operands.push_back(number(Context, Value));
    return llvm::MDNode::get(Context, Operands);
  }

  static void setNumber(llvm::Loop &L, unsigned Value) {
    llvm::LLVMContext &Context = L.getHeader()->getContext();
    llvm::Metadata *Entry[] = {llvm::MDString::get(Context, NumberKind),
                               number(Context, Value)};
    llvm::SmallVector<llvm::Metadata *> Operands = {nullptr}; // itself
    if (llvm::MDNode *Old = L.getLoopID())
      Operands.append(Old->op_begin() + 1, Old->op_end());
    Operands.push_back(llvm::MDNode::get(Context, Entry));
    llvm::MDNode *Id = llvm::MDNode::getDistinct(Context, Operands);
    Id->replaceOperandWith(0, Id);
    L.setLoopID(Id);
  }

  /// 0: not a loop of the source.
  static unsigned numberOf(const llvm::Loop &L) {
    const llvm::MDNode *Entry = llvm::findOptionMDForLoop(&L, NumberKind);
    return Entry ? value(*Entry, 1) : 0;
  }

  /// Most copies of an instruction of the loop Number among the blocks that
  /// belong to L alone.
  static unsigned copies(const llvm::Loop &L, const llvm::LoopInfo &LI,
                         unsigned Number) {
    llvm::DenseMap<const llvm::MDNode *, unsigned> Count;
    unsigned Most = 1;
    for (const llvm::BasicBlock *BB : L.blocks())
      if (LI.getLoopFor(BB) == &L)
        for (const llvm::Instruction &I : *BB)
          if (const llvm::MDNode *Origin = I.getMetadata(OriginKind);
              Origin && value(*Origin, 0) == Number)
            Most = std::max(Most, ++Count[Origin]);
    return Most;
  }

  std::vector<SourceLocation> Places;
};

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

/// The kernels of an assembly, with the places of their loops.
static std::vector<CompiledKernel> parseAssembly(llvm::StringRef Assembly,
                                                 const LoopFollower *Loops) {
  std::vector<CompiledKernel> Kernels = readMetadata(Assembly);
  CompiledKernel *Current = nullptr;
  BlockName Block;
  const bool StoresCount = Assembly.contains("\"amdgcn-amd-amdhsa--gfx9");
  PendingLoads Pending(StoresCount);
  llvm::SmallPtrSet<CompiledKernel *, 4> Calling;
  llvm::SmallVector<llvm::StringRef> Lines;
  Assembly.split(Lines, '\n');
  const BlockNames Names(Lines);
  for (auto [I, Line] : llvm::enumerate(Lines)) {
    llvm::StringRef Label = Line.take_until([](char C) { return C == ':'; });
    if (Label.size() < Line.size() && !Label.contains(' ') &&
        !Label.starts_with('.')) {
      auto Found = llvm::find_if(
          Kernels, [&](const CompiledKernel &K) { return K.Mangled == Label; });
      Current = Found != Kernels.end() ? &*Found : nullptr;
      Block = BlockName();
      Pending = PendingLoads(StoresCount);
      if (Current)
        Current->Code.Loops.resize(1);
    } else if (!Current) {
      continue;
    } else if (std::optional<BlockName> Begun = Names.at(I)) {
      Block = *Begun;
      std::vector<LoopCode> &All = Current->Code.Loops;
      if (Block.Loop >= All.size())
        All.resize(Block.Loop + 1);
      All[Block.Loop].Copies = Block.Copies;
      if (Loops && Block.Source > 0)
        All[Block.Loop].Location = Loops->place(Block.Source);
    } else {
      StackAccess Access = parseAccess(Line);
      countLine(Current->Code, Block.Loop, Line, Access);
      if (isCall(Line))
        Calling.insert(Current);
      Current->SpillWaits += Block.Runs * Pending.run(Line, Access);
      Current->SpillStoreBytes = llvm::SaturatingMultiplyAdd(
          Access.StoredBytes, Block.Runs, Current->SpillStoreBytes);
      Current->SpillLoadBytes = llvm::SaturatingMultiplyAdd(
          Access.LoadedBytes, Block.Runs, Current->SpillLoadBytes);
    }
  }
  for (CompiledKernel *K : Calling)
    K->Code.Loops.clear();
  return Kernels;
}

std::vector<CompiledKernel> parseAmdgpuAssembly(llvm::StringRef Assembly) {
  return parseAssembly(Assembly, nullptr);
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
  LoopFollower Loops(*Copy);
  if (llvm::Error Problem = emitAssembly(
          *Copy, [](llvm::StringRef) { return false; }, OS, &Loops,
          Request.MaxInstructions))
    return Problem;
  return parseAssembly(Assembly, &Loops);
}

} // namespace gpuestimate
