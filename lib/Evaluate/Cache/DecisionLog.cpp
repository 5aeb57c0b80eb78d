#include "DecisionLog.h"

#include "ReferenceGroup.h"
#include "gpu-estimate/Model/Kernel/PrintKernel.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/Support/Format.h"
#include <cmath>

namespace gpuestimate {

void DecisionLog::write(llvm::StringRef Cache,
                        const llvm::Twine &Decision) const {
  OS << "  " << Cache << ": " << Decision << '\n';
}

void DecisionLog::write(llvm::StringRef Cache, const ReferenceGroup &G,
                        const llvm::Twine &Decision) const {
  const MemoryAccess &First = Kernel.Accesses[G.Members.front()];
  OS << "  " << Cache << ' ' << First.Location.brief() << ' '
     << name(First.Kind) << ' '
     << (G.Object.empty() ? "of an unknown object" : G.Object) << ": "
     << Decision << '\n';
}

std::string shortNumber(double Value) {
  std::string Text;
  bool IsCount = Value == std::floor(Value) && std::abs(Value) < 1e9;
  llvm::raw_string_ostream(Text)
      << llvm::format(IsCount ? "%.0f" : "%.3g", Value);
  return Text;
}

std::string shortBytes(double Value) { return formatBytes(Bytes(Value)); }

} // namespace gpuestimate
