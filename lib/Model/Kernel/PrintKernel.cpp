#include "gpu-estimate/Model/Kernel/PrintKernel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

llvm::StringRef name(MemorySpace S) {
  switch (S) {
  case MemorySpace::Global:
    return "global";
  case MemorySpace::Shared:
    return "shared";
  case MemorySpace::Constant:
    return "constant";
  case MemorySpace::Local:
    return "local";
  case MemorySpace::Texture:
    return "texture";
  }
  return "?";
}

llvm::StringRef name(AccessKind K) {
  switch (K) {
  case AccessKind::Load:
    return "load";
  case AccessKind::Store:
    return "store";
  case AccessKind::Atomic:
    return "atomic";
  case AccessKind::AsyncCopy:
    return "async copy";
  }
  return "?";
}

namespace {

class KernelPrinter {
public:
  KernelPrinter(const KernelModel &Model, llvm::raw_ostream &Stream)
      : M(Model), OS(Stream) {}

  void run() {
    OS << "kernel " << M.Name << " at " << M.Location.brief() << "\n";
    OS << "  registers " << M.Res.RegistersPerThread << " ("
       << M.Res.RegistersSource << "), shared " << M.Res.StaticSharedBytes
       << (M.Res.UsesDynamicShared ? " + dynamic" : "") << ", local "
       << M.Res.LocalBytes << "\n";
    body(M.Body, 2);
    for (const Unknown &U : M.Unknowns) {
      OS << "  unknown " << (U.Name.empty() ? "(unnamed)" : U.Name) << " = "
         << U.Default;
      if (U.UpperBound)
        OS << " at most " << U.UpperBound->str();
      OS << (U.LaneVarying ? ", varies by lane" : ", uniform") << ": " << U.What
         << "; " << U.Why << "\n";
    }
  }

private:
  void body(const std::vector<RegionNode> &Body, unsigned Indent) {
    for (const RegionNode &I : Body)
      if (I.Kind == RegionNode::IsBlock)
        block(I.Index, Indent);
      else
        loop(I.Index, Indent);
  }

  void active(Expr Active, bool WarpUniform) {
    if (!Active.isConstant(1))
      OS << " if " << Active.str() << (WarpUniform ? " (uniform)" : "");
  }

  void loop(unsigned Index, unsigned Indent) {
    const Loop &L = M.Loops[Index];
    OS.indent(Indent) << "loop " << L.Counter << " < " << L.TripCount.str();
    active(L.Active, L.WarpUniform);
    if (L.Unroll != 1)
      OS << " unroll " << L.Unroll;
    OS << "\n";
    body(L.Body, Indent + 2);
  }

  void block(unsigned Index, unsigned Indent) {
    const BasicBlock &B = M.Blocks[Index];
    OS.indent(Indent) << "block " << Index;
    active(B.Active, B.WarpUniform);
    OS << (B.Predicated ? " predicated\n" : "\n");
    for (unsigned I : B.operations())
      operation(I, Indent + 2);
  }

  void operation(unsigned Index, unsigned Indent) {
    const Operation &Op = M.Operations[Index];
    OS.indent(Indent) << Index << ": " << info(Op.Class).Name;
    if (Op.wait())
      OS << " waits " << M.Waits[*Op.wait()].Length.str()
         << (M.Waits[*Op.wait()].Unit == Wait::Nanoseconds ? " ns" : " cycles");
    else if (Op.arrival())
      OS << " awaits access " << Op.arrival()->Access << " of "
         << Op.arrival()->CopiesAhead << " ahead";
    else if (Op.Count != 1)
      OS << " x" << Op.Count << " chain " << Op.Chain;
    if (Op.LoopOverhead)
      OS << " overhead";
    for (const Operand &O : Op.Operands)
      OS << " %" << O.Producer << (O.Carried ? "'" : "");
    if (Op.access())
      access(M.Accesses[*Op.access()]);
    if (Op.Location.isValid())
      OS << "  ; line " << Op.Location.Line;
    OS << "\n";
  }

  void access(const MemoryAccess &A) {
    OS << " [" << name(A.Space) << " " << name(A.Kind) << " "
       << A.BytesPerThread << " B, " << (A.Base.empty() ? "?" : A.Base) << " + "
       << (A.Address ? A.Address.str() : "?");
    if (A.ReadOnly)
      OS << ", read-only";
    if (A.BypassL1)
      OS << ", past L1";
    if (A.CombinesLanes)
      OS << ", lanes combined";
    if (A.MergesLanes)
      OS << ", lanes counted";
    if (A.CasLoop)
      OS << ", until it succeeds";
    OS << "]";
  }

  const KernelModel &M;
  llvm::raw_ostream &OS;
};

} // namespace

void print(llvm::raw_ostream &OS, const KernelModel &Kernel) {
  KernelPrinter(Kernel, OS).run();
}

} // namespace gpuestimate
