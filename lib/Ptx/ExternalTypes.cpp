#include "ExternalTypes.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class ExternalTypes {
public:
  explicit ExternalTypes(PtxFile &File) : File(File) {
    for (PtxFunction &F : File.Functions)
      if (F.HasBody)
        Defined.insert(F.Name);
    for (PtxFunction &F : File.Functions)
      if (!Defined.contains(F.Name))
        Declared[F.Name].push_back(&F);
  }

  void run() {
    if (Declared.empty())
      return;
    for (const PtxFunction &F : File.Functions) {
      Stored.clear();
      Returned.clear();
      for (const PtxStatement &S : F.Body)
        if (S.Kind == PtxStatement::ScopeBegin)
          Stored.clear();
        else if (S.Kind == PtxStatement::Instruction)
          follow(S.Code);
    }
  }

private:
  using Variables = SmallVector<PtxVariable *, 1>;

  void follow(const PtxInstruction &I) {
    if (I.Opcode == "call")
      return call(I);
    bool IsStore = I.Opcode == "st", IsLoad = I.Opcode == "ld";
    size_t Place = IsStore ? 0 : 1;
    if ((!IsStore && !IsLoad) || !I.has("param") ||
        I.Operands.size() <= Place ||
        I.Operands[Place].Kind != PtxOperand::Address ||
        I.Operands[Place].Parts.empty())
      return;
    StringRef Variable = I.Operands[Place].Parts[0].Text;
    if (IsStore) {
      Stored[Variable] = I.type();
      return;
    }
    if (auto Results = Returned.find(Variable); Results != Returned.end())
      set(Results->second, I.type());
  }

  /// call [(result),] function, (arguments)
  void call(const PtxInstruction &I) {
    const std::vector<PtxOperand> *Results = nullptr, *Arguments = nullptr;
    StringRef Name;
    for (const PtxOperand &O : I.Operands)
      if (O.Kind == PtxOperand::List)
        (Name.empty() ? Results : Arguments) = &O.Parts;
      else if (Name.empty())
        Name = O.Text;
    auto Known = Declared.find(Name);
    if (Known == Declared.end())
      return;
    for (size_t N = 0; Arguments && N < Arguments->size(); ++N)
      if (auto Type = Stored.find((*Arguments)[N].Text); Type != Stored.end())
        set(variables(Known->second, N, &PtxFunction::Parameters),
            Type->second);
    if (Results && !Results->empty())
      Returned[(*Results)[0].Text] =
          variables(Known->second, 0, &PtxFunction::Results);
  }

  static Variables variables(ArrayRef<PtxFunction *> Functions, size_t Number,
                             std::vector<PtxVariable> PtxFunction::*List) {
    Variables Found;
    for (PtxFunction *F : Functions)
      if (Number < (F->*List).size())
        Found.push_back(&(F->*List)[Number]);
    return Found;
  }

  static void set(const Variables &Of, PtxType Type) {
    for (PtxVariable *V : Of)
      if (Type.isFloat() && V->Type.Kind == PtxType::Bits && !V->IsArray &&
          V->Type.bits() == Type.bits())
        V->Type = Type;
  }

  PtxFile &File;
  StringSet<> Defined;
  StringMap<SmallVector<PtxFunction *, 1>> Declared;
  StringMap<PtxType> Stored;     ///< by parameter of the call to come
  StringMap<Variables> Returned; ///< by result of a call
};

} // namespace

void inferExternalTypes(PtxFile &File) { ExternalTypes(File).run(); }

} // namespace gpuestimate
