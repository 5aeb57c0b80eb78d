/// \file
/// Names of arguments, variables and the objects that pointers lead to.
#ifndef GPU_ESTIMATE_LIB_LOWERING_VALUES_OBJECTNAMES_H
#define GPU_ESTIMATE_LIB_LOWERING_VALUES_OBJECTNAMES_H

#include "gpu-estimate/Model/Kernel/KernelSource.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalVariable.h"

namespace gpuestimate {

class PointerValues;

class ObjectNames {
public:
  ObjectNames(const KernelSource &Source, PointerValues &Pointers)
      : Source(Source), Pointers(Pointers) {}

  /// The name of the object Base: "a", "p.data", "*(p+8)" for what a loaded
  /// pointer leads to; "" where it has none. Argument becomes the index of the
  /// kernel argument it belongs to, if any. Level is the number of loads on the
  /// way.
  std::string nameOf(const llvm::Value *Base, std::optional<unsigned> &Argument,
                     unsigned Level = 0);
  std::string argumentName(const llvm::Argument &Arg) const;

private:
  std::string variableName(const llvm::GlobalVariable &Variable);

  const KernelSource &Source;
  PointerValues &Pointers;
  /// Number of the module's variables with a name, whatever their scope.
  llvm::StringMap<unsigned> VariablesByName;
};

} // namespace gpuestimate

#endif
