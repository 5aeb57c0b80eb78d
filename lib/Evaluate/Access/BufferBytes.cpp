#include "BufferBytes.h"

namespace gpuestimate {

std::optional<double> bufferBytes(const KernelModel &Kernel,
                                  const MemoryAccess &A, const Bindings &All) {
  if (A.BaseBytes)
    return double(*A.BaseBytes);
  if (!A.BaseArgument || *A.BaseArgument >= Kernel.Arguments.size())
    return std::nullopt;
  const KernelArgument &Argument = Kernel.Arguments[*A.BaseArgument];
  auto Elements = All.find(Argument.Name);
  if (Elements == All.end() || !Argument.ElementBytes || Elements->second <= 0)
    return std::nullopt;
  return Elements->second * Argument.ElementBytes;
}

} // namespace gpuestimate
