#include "KernelDescription.h"

#include "gpu-estimate/ForeignIr/KernelFunction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

void addPlaces(Module &M, const std::string &File,
               const StringMap<IrFunctionLines> &Lines) {
  DIBuilder Builder(M);
  DIFile *Place = nullptr;
  for (Function &F : M) {
    auto Known = Lines.find(F.getName());
    if (F.isDeclaration() || F.getSubprogram() || Known == Lines.end())
      continue;
    const std::vector<unsigned> &Each = Known->second.Instructions;
    // LLVM's reader has added or removed some where the numbers differ.
    if (Each.size() != F.getInstructionCount())
      continue;
    if (!Place) {
      Place = Builder.createFile(File, "");
      Builder.createCompileUnit(dwarf::DW_LANG_C, Place, "gpu-estimate",
                                /*isOptimized=*/true, "", 0);
      if (!M.getModuleFlag("Debug Info Version"))
        M.addModuleFlag(Module::Warning, "Debug Info Version",
                        DEBUG_METADATA_VERSION);
    }
    DISubprogram *Scope = Builder.createFunction(
        Place, F.getName(), F.getName(), Place, Known->second.Line,
        Builder.createSubroutineType(Builder.getOrCreateTypeArray({})),
        Known->second.Line, DINode::FlagZero, DISubprogram::SPFlagDefinition);
    F.setSubprogram(Scope);
    for (auto [I, Line] : zip(instructions(F), Each))
      I.setDebugLoc(DILocation::get(M.getContext(), Line, 1, Scope));
  }
  Builder.finalize();
}

static bool isIdentifier(StringRef Name) {
  return !Name.empty() && !isDigit(Name.front()) &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

/// Names of parameters in debug information, by their position.
static std::vector<std::string> debugNames(const Function &F) {
  std::vector<std::string> Names(F.arg_size());
  const DISubprogram *Of = F.getSubprogram();
  if (!Of)
    return Names;
  auto Add = [&](const DILocalVariable *V) {
    if (V && V->getArg() > 0 && V->getArg() <= Names.size() && V->getScope() &&
        V->getScope()->getSubprogram() == Of)
      Names[V->getArg() - 1] = V->getName().str();
  };
  for (const DINode *Node : Of->getRetainedNodes())
    Add(dyn_cast_or_null<DILocalVariable>(Node));
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &V : filterDbgVars(I.getDbgRecordRange()))
      Add(V.getVariable());
  return Names;
}

/// A name for each parameter: that of the source, of the IR, or its number.
static std::vector<std::string> parameterNames(const Function &F) {
  std::vector<std::string> Names = debugNames(F);
  StringSet<> Used;
  for (const Argument &A : F.args()) {
    std::string &Name = Names[A.getArgNo()];
    StringRef InIr = A.getName();
    InIr.consume_back(".coerce"); // clang, of HIP
    if (!isIdentifier(Name))
      Name = InIr.str();
    if (!isIdentifier(Name) || !Used.insert(Name).second)
      Name = "arg" + std::to_string(A.getArgNo());
  }
  return Names;
}

static KernelArgument describeParameter(const Argument &A, std::string Name,
                                        const DataLayout &Layout) {
  KernelArgument Into;
  Into.Name = std::move(Name);
  Type *T = A.getType();
  Type *Passed =
      A.hasByValAttr() ? A.getParamByValType() : A.getParamByRefType();
  if (Passed && Passed->isSized()) {
    Into.Kind = KernelArgument::Aggregate;
    Into.Bytes = Layout.getTypeAllocSize(Passed);
    return Into;
  }
  Into.Bytes = T->isSized() ? Layout.getTypeAllocSize(T) : 0;
  if (T->isPointerTy()) {
    describePointer(A, Into);
    Into.Restrict = A.hasNoAliasAttr();
    Into.Const |= A.onlyReadsMemory();
  } else if (T->isFloatingPointTy()) {
    Into.Kind = KernelArgument::Real;
  } else if (!T->isIntegerTy()) {
    Into.Kind = KernelArgument::Aggregate;
  }
  return Into;
}

/// The number of values that a range allows from 0 on; 0 if it is another.
static uint64_t lengthOf(const std::optional<ConstantRange> &Range) {
  if (!Range || Range->isFullSet() || Range->isEmptySet() ||
      !Range->getUnsignedMin().isZero())
    return 0;
  return Range->getUnsignedMax().getLimitedValue(UINT64_MAX - 1) + 1;
}

/// The values that an index may have, by the call's metadata, its attribute or
/// that of the declaration, whichever tells most; 0 if none does.
static uint64_t lengthOfRange(const CallBase &Call) {
  uint64_t ByAttribute = lengthOf(Call.getRange()), ByMetadata = 0;
  if (const MDNode *Node = Call.getMetadata(LLVMContext::MD_range))
    ByMetadata = lengthOf(getConstantRangeFromMetadata(*Node));
  return ByAttribute && ByMetadata ? std::min(ByAttribute, ByMetadata)
                                   : std::max(ByAttribute, ByMetadata);
}

/// Launch sizes by the ranges of the indices, which XLA makes those of the only
/// launch that a kernel has. Passes of LLVM add the widest range of the GPU to
/// an index, which tells nothing.
static std::string launchOfRanges(const Function &F) {
  constexpr uint64_t WidestGrid[] = {0x7fffffff, 0xffff, 0xffff};
  constexpr uint64_t WidestBlock[] = {1024, 1024, 64};
  uint64_t Grid[3] = {}, Block[3] = {};
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      continue;
    StringRef Name = Callee->getName();
    bool IsBlock = Name.consume_front("llvm.nvvm.read.ptx.sreg.tid.") ||
                   Name.consume_front("llvm.amdgcn.workitem.id.");
    if (!IsBlock && !Name.consume_front("llvm.nvvm.read.ptx.sreg.ctaid.") &&
        !Name.consume_front("llvm.amdgcn.workgroup.id."))
      continue;
    if (Name.size() != 1 || Name[0] < 'x' || Name[0] > 'z')
      continue;
    unsigned Axis = Name[0] - 'x';
    uint64_t Length = lengthOfRange(*Call);
    uint64_t Widest = IsBlock ? WidestBlock[Axis] : WidestGrid[Axis];
    if (Length > 0 && Length < Widest)
      (IsBlock ? Block : Grid)[Axis] = Length;
  }
  std::string Text;
  auto Add = [&](StringRef What, const uint64_t(&Sizes)[3]) {
    if (Sizes[0])
      Text += formatv("{0}={1},{2},{3} ", What, Sizes[0],
                      std::max<uint64_t>(Sizes[1], 1),
                      std::max<uint64_t>(Sizes[2], 1));
  };
  Add("grid", Grid);
  // A block is known only with its grid: `__launch_bounds__` gives such a
  // range, too.
  if (Grid[0])
    Add("block", Block);
  return Text;
}

/// Adds the sizes of buffers that `dereferenceable(N)` states.
static void addBufferSizes(const Function &F, KernelSource &K) {
  std::string Stated;
  for (const Argument &A : F.args()) {
    const KernelArgument &P = K.Arguments[A.getArgNo()];
    uint64_t Bytes = std::max(A.getDereferenceableBytes(),
                              A.getDereferenceableOrNullBytes());
    if (P.Kind != KernelArgument::Pointer || !P.ElementBytes ||
        Bytes < P.ElementBytes)
      continue;
    K.Notes.push_back(
        {K.Location, formatv("param {0}={1}", P.Name, Bytes / P.ElementBytes)});
    Stated +=
        formatv("{0}'{1}' {2}", Stated.empty() ? "" : ", ", P.Name, Bytes);
  }
  if (!Stated.empty())
    K.Premises.push_back(
        "buffers are as large as 'dereferenceable' of the file "
        "says, in bytes: " +
        Stated);
}

KernelSource describeKernel(const Function &F, const std::string &File,
                            const StringMap<IrFunctionLines> &Lines) {
  KernelSource K;
  K.Mangled = F.getName().str();
  K.Name = readableName(F.getName());
  K.Location = {File, 1, 1};
  if (const DISubprogram *Of = F.getSubprogram(); Of && Of->getLine())
    K.Location = {Of->getFilename().str(), Of->getLine(), 1};
  else if (auto Known = Lines.find(F.getName()); Known != Lines.end())
    K.Location.Line = Known->second.Line;
  const DataLayout &Layout = F.getParent()->getDataLayout();
  std::vector<std::string> Names = parameterNames(F);
  for (const Argument &A : F.args())
    K.Arguments.push_back(
        describeParameter(A, std::move(Names[A.getArgNo()]), Layout));
  LaunchBounds Bounds = launchBoundsOf(F);
  // The highest authority stands last.
  if (std::string Launch = launchOfRanges(F); !Launch.empty())
    K.Notes.push_back({K.Location, Launch});
  setLaunchBounds(K, Bounds);
  addBufferSizes(F, K);
  return K;
}

} // namespace gpuestimate
