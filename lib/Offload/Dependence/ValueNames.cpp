#include "ValueNames.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace gpuestimate {

std::string nameOf(const llvm::Value *V) {
  // A pointer that is kept in memory has the name of its variable.
  for (unsigned Steps = 0; Steps != 8; ++Steps) {
    if (llvm::isa<llvm::GlobalValue>(V))
      return llvm::demangle(V->getName());
    const llvm::StringRef Name = V->getName();
    // Compilers derive names of values from variables: "A.addr", "s.0.lcssa".
    // Names that are only generated are skipped.
    const llvm::StringRef Stem = Name.split('.').first;
    const bool Generated =
        Stem.empty() || Stem == "arrayidx" || Stem == "arraydecay" ||
        Stem == "add" || Stem == "incdec" || Stem == "cond" ||
        Stem == "retval" || Stem == "call" || Stem == "scevgep" ||
        Stem == "vla" || Stem == "indvars" || Stem == "spec" || Stem == "gep";
    // Numbers are appended to make a name unique: arrayidx12.
    const bool Numbered = Stem.rtrim("0123456789") == "arrayidx" ||
                          Stem.rtrim("0123456789") == "arraydecay" ||
                          Stem.rtrim("0123456789") == "add" ||
                          Stem.rtrim("0123456789") == "call";
    if (!Generated && !Numbered)
      return Stem.str();
    if (const auto *Load = llvm::dyn_cast<llvm::LoadInst>(V))
      V = Load->getPointerOperand();
    else if (const auto *Gep = llvm::dyn_cast<llvm::GEPOperator>(V))
      V = Gep->getPointerOperand();
    else if (const auto *Cast = llvm::dyn_cast<llvm::CastInst>(V))
      V = Cast->getOperand(0);
    else
      break;
  }
  return "";
}

std::string nameOf(const llvm::SCEV *Parameter) {
  if (const auto *Cast = llvm::dyn_cast<llvm::SCEVCastExpr>(Parameter))
    Parameter = Cast->getOperand();
  const auto *Unknown = llvm::dyn_cast<llvm::SCEVUnknown>(Parameter);
  // A member of a struct that is passed in registers has no name of its own.
  if (!Unknown || Unknown->getValue()->getName().contains(".coerce"))
    return "";
  return nameOf(Unknown->getValue());
}

std::string quotedName(const llvm::Value *V) {
  std::string Name = nameOf(V);
  return Name.empty() ? "an array" : "'" + Name + "'";
}

} // namespace gpuestimate
