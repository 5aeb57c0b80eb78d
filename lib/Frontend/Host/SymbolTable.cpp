#include "SymbolTable.h"

#include "clang/AST/Decl.h"

namespace gpuestimate {

HostValue SymbolTable::symbol(const AccessPath &P, const Scope *Loop,
                              const CallFrame &Frame) {
  auto [It, New] = Names.try_emplace({P, Loop});
  if (New) {
    std::string Plain = P.Base->getNameAsString() + P.Fields, Name = Plain;
    if (Plain.empty())
      Plain = Name = "value";
    // Two variables of one name: the second says where it lives.
    if (NamesTaken.contains(Name) && Frame.Function)
      Name = Plain += "@" + Frame.Function->Decl->getNameAsString();
    for (unsigned N = 2; NamesTaken.contains(Name); ++N)
      Name = Plain + "#" + std::to_string(N);
    NamesTaken[Name] = P.Base;
    It->second = Name;
    if (Loop && P.Fields.empty())
      Variables.push_back({Name, P.Base, Loop, &Frame});
  }
  HostValue V{Terms.parameter(It->second), true};
  V.Integral =
      P.Fields.empty() ? !P.Base->getType()->isRealFloatingType() : true;
  return V;
}

bool SymbolTable::namesLocalsOf(const clang::FunctionDecl &Function,
                                Expr E) const {
  for (const std::string &Name : E.parameters())
    if (const clang::ValueDecl *Root = NamesTaken.lookup(Name);
        Root && Root->getDeclContext() == &Function)
      return true;
  return false;
}

} // namespace gpuestimate
