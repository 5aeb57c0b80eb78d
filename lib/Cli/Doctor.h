/// \file
/// What this machine has that gpu-estimate uses: its own parts, and programs
/// and libraries of others.
#ifndef GPU_ESTIMATE_LIB_CLI_DOCTOR_H
#define GPU_ESTIMATE_LIB_CLI_DOCTOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// How a component was found on this machine.
struct ComponentFinding {
  enum StateType : uint8_t { Missing, Broken, Found } State = Missing;
  std::string Version; ///< "12.4"; empty: it has none
  std::string Path;
  std::string Problem; ///< why it is missing, broken, or less than it could be
};

/// A thing that gpu-estimate uses, and how it was found.
struct InstalledComponent {
  llvm::StringLiteral Name;    ///< "CUDA SDK"
  bool Required;               ///< a part of gpu-estimate itself
  llvm::StringLiteral Adds;    ///< what works with it and not without
  llvm::StringLiteral Install; ///< how to get it
  ComponentFinding Finding;
};

/// Looks for all components. ModelFolder: that of the GPU models; empty: the
/// shipped one. Takes about a second, since compilers are asked for their
/// versions.
std::vector<InstalledComponent> inspectMachine(llvm::StringRef ModelFolder);

/// True if no part of gpu-estimate itself is missing or broken.
bool isComplete(llvm::ArrayRef<InstalledComponent> Components);

/// What is found, and what each missing component would add.
void printMachine(llvm::raw_ostream &OS,
                  llvm::ArrayRef<InstalledComponent> Components);

} // namespace gpuestimate

#endif
