#include "NewerIntrinsics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// The statement for one call. Operands are numbered as inline assembly numbers
/// them, results first.
class PtxStatement {
public:
  PtxStatement(const CallInst &Call, StringRef Name) : Call(Call), Name(Name) {
    if (const auto *Struct = dyn_cast<StructType>(Call.getType()))
      append_range(Results, Struct->elements());
    else if (!Call.getType()->isVoidTy())
      Results.push_back(Call.getType());
    SmallVector<StringRef> Words;
    Name.split(Words, '.');
    // The address space of an overloaded pointer: "p3".
    while (!Words.empty() && Words.back().size() > 1 &&
           Words.back().front() == 'p' &&
           all_of(Words.back().drop_front(), isDigit))
      Words.pop_back();
    Mnemonic = join(Words, ".");
  }

  std::string text() const {
    if (Name.starts_with("elect.sync") && Results.size() == 2)
      return "elect.sync $0|$1, " + argument(0);
    if (Name.starts_with("stmatrix.") && Call.arg_size() > 1)
      return beforeType("shared") + " [" + argument(0) + "], " +
             list(1, Call.arg_size());
    if (Name.starts_with("ldmatrix.") && Call.arg_size() == 1)
      return beforeType("shared") + " " + results() + ", [" + argument(0) + "]";
    if (Name.starts_with("redux.sync.fm") && Results.size() == 1)
      return "redux.sync." + Mnemonic.substr(StringRef("redux.sync.f").size()) +
             ".f32 $0, " + argument(0) + ", " + argument(1);
    if (Name.starts_with("cp.async.bulk."))
      if (std::string Copy = bulkCopy(); !Copy.empty())
        return Copy;
    return plain();
  }

  std::string constraints() const {
    std::string Text;
    for (const Type *T : Results)
      Text += (Text.empty() ? "=" : ",=") + constraintOf(T);
    for (const Use &A : Call.args())
      Text += (Text.empty() ? "" : ",") + constraintOf(A->getType());
    return Text + (Text.empty() ? "" : ",") + "~{memory}";
  }

private:
  static std::string constraintOf(const Type *T) {
    unsigned Bits = T->isPointerTy() ? 64 : T->getPrimitiveSizeInBits();
    return T->isFloatTy()    ? "f"
           : T->isDoubleTy() ? "d"
           : Bits == 1       ? "b"
           : Bits <= 16      ? "h"
           : Bits <= 32      ? "r"
           : Bits <= 64      ? "l"
                             : "q";
  }

  std::string argument(unsigned N) const {
    return "$" + utostr(Results.size() + N);
  }
  std::string list(unsigned First, unsigned End) const {
    std::string Text = "{";
    for (unsigned N = First; N < End; ++N)
      Text += (N == First ? "" : ", ") + argument(N);
    return Text + "}";
  }
  std::string results() const {
    if (Results.size() == 1)
      return "$0";
    std::string Text = "{";
    for (unsigned N = 0; N < Results.size(); ++N)
      Text += (N ? ", $" : "$") + utostr(N);
    return Text + "}";
  }

  /// The mnemonic with a word in front of its type: `x4.b16` to
  /// `x4.shared.b16`.
  std::string beforeType(StringRef Word) const {
    auto [Front, Type] = StringRef(Mnemonic).rsplit('.');
    return (Front + "." + Word + "." + Type).str();
  }

  /// True if argument N is an immediate i1 that is set.
  bool isSet(unsigned N) const {
    const auto *Flag = N < Call.arg_size()
                           ? dyn_cast<ConstantInt>(Call.getArgOperand(N))
                           : nullptr;
    return Flag && Flag->isOne();
  }

  /// A copy of the engine; "" for a form without an access of its own.
  std::string bulkCopy() const {
    StringRef Rest = StringRef(Mnemonic);
    Rest.consume_front("cp.async.bulk.");
    static constexpr StringLiteral Arrives = "mbarrier::complete_tx::bytes";
    unsigned Count = Call.arg_size();
    if (Rest.starts_with("global.to.shared.") && Count >= 4) {
      bool IsCluster = Rest.ends_with("cluster");
      bool IsMulticast = IsCluster && isSet(Count - 2);
      return ("cp.async.bulk.shared::" + Twine(IsCluster ? "cluster" : "cta") +
              ".global." + Arrives +
              (IsMulticast ? ".multicast::cluster" : "") + " [" + argument(0) +
              "], [" + argument(2) + "], " + argument(3) + ", [" + argument(1) +
              "]" + (IsMulticast ? ", " + argument(4) : ""))
          .str();
    }
    if (Rest.starts_with("shared.cta.to.cluster") && Count >= 4)
      return ("cp.async.bulk.shared::cluster.shared::cta." + Arrives + " [" +
              Twine(argument(0)) + "], [" + argument(2) + "], " + argument(3) +
              ", [" + argument(1) + "]")
          .str();
    if (Rest.starts_with("shared.cta.to.global") && Count >= 3)
      return "cp.async.bulk.global.shared::cta.bulk_group [" + argument(0) +
             "], [" + argument(1) + "], " + argument(2);
    if (!Rest.consume_front("tensor."))
      return "";
    // "g2s.tile.2d": the number of coordinates is the last word.
    SmallVector<StringRef> Words;
    Rest.split(Words, '.');
    unsigned Dimensions = 0;
    if (Words.back().drop_back().getAsInteger(10, Dimensions) ||
        !Words.back().ends_with("d") || Dimensions < 1 || Dimensions > 5)
      return "";
    std::string Start = "cp.async.bulk.tensor." + Words.back().str();
    if (Words[0] == "g2s" && Count > 3 + Dimensions) {
      bool IsCta = Words[1] == "cta";
      bool IsMulticast =
          !IsCta && Count > 5 + Dimensions &&
          isSet(Count - 2 -
                (Call.getArgOperand(Count - 1)->getType()->isIntegerTy(32)));
      std::string Text = Start + ".shared::" + (IsCta ? "cta" : "cluster") +
                         ".global." + Arrives.str();
      if (IsMulticast)
        Text += ".multicast::cluster";
      Text += " [" + argument(0) + "], [" + argument(2) + ", " +
              list(3, 3 + Dimensions) + "], [" + argument(1) + "]";
      return IsMulticast ? Text + ", " + argument(maskOfBlocks()) : Text;
    }
    if (Words[0] == "s2g" && Count > 2 + Dimensions)
      return Start + ".global.shared::cta.bulk_group [" + argument(1) + ", " +
             list(2, 2 + Dimensions) + "], [" + argument(0) + "]";
    return "";
  }

  /// The mask of a multicast stands in front of the cache hint, an i64.
  unsigned maskOfBlocks() const {
    unsigned N = Call.arg_size();
    while (N > 1 && !Call.getArgOperand(N - 1)->getType()->isIntegerTy(64))
      --N;
    return N - 2;
  }

  std::string plain() const {
    std::string Text = Mnemonic;
    bool IsFirst = true;
    auto Append = [&](const Twine &Operand) {
      Text += (IsFirst ? " " : ", ") + Operand.str();
      IsFirst = false;
    };
    if (!Results.empty())
      Append(results());
    for (unsigned N = 0; N < Call.arg_size(); ++N)
      if (Call.getArgOperand(N)->getType()->isPointerTy())
        Append("[" + argument(N) + "]");
      else
        Append(argument(N));
    return Text;
  }

  const CallInst &Call;
  StringRef Name; ///< without "llvm.nvvm."
  std::string Mnemonic;
  SmallVector<Type *> Results;
};

} // namespace

void replaceWithAssembly(Function &F) {
  StringRef Name = F.getName();
  if (!Name.consume_front("llvm.nvvm.") || F.isVarArg() ||
      any_of(F.getFunctionType()->params(),
             [](const Type *T) { return T->isMetadataTy() || T->isTokenTy(); }))
    return;
  std::string Kept = Name.str();
  for (User *U : make_early_inc_range(F.users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledFunction() != &F)
      continue;
    PtxStatement Statement(*Call, Kept);
    InlineAsm *Assembly =
        InlineAsm::get(Call->getFunctionType(), Statement.text() + ";",
                       Statement.constraints(), /*hasSideEffects=*/true);
    Call->setCalledOperand(Assembly);
    Call->setAttributes(AttributeList());
    Call->setConvergent();
  }
  if (F.use_empty())
    F.eraseFromParent();
}

} // namespace gpuestimate
