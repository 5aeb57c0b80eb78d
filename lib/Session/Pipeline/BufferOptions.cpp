#include "BufferOptions.h"

#include "Session/Settings/ModelOptions.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace gpuestimate {

Expected<std::vector<BufferInput>>
readBuffers(ArrayRef<std::pair<std::string, std::string>> Buffers) {
  std::vector<BufferInput> Inputs;
  for (const auto &[Name, Text] : Buffers) {
    BufferInput &Input = Inputs.emplace_back();
    Input.Name = Name;
    Input.Text = Text;
    Input.Fill = StringSwitch<BufferData::FillKind>(Text)
                     .Case("zeros", BufferData::Zeros)
                     .Case("iota", BufferData::Iota)
                     .Case("random", BufferData::Random)
                     .Default(BufferData::File);
    if (Input.Fill != BufferData::File)
      continue;
    auto File = MemoryBuffer::getFile(Text, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    if (!File)
      return usage("--buffer " + Name + "=" + Text + ": " +
                   File.getError().message());
    Expected<NpyArray> Array = parseNpy(Text, (*File)->getBuffer());
    if (!Array)
      return usage("--buffer " + Name + "=" + toString(Array.takeError()));
    Input.Array = std::make_shared<const NpyArray>(std::move(*Array));
  }
  return Inputs;
}

} // namespace gpuestimate
