#include "gpu-estimate/Support/FileMessage.h"

#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace gpuestimate {

std::string printMessage(llvm::StringRef File, TextPlace Place,
                         llvm::StringRef Text) {
  std::string Line = File.str();
  if (Place.Line)
    Line += ":" + std::to_string(Place.Line);
  if (Place.Line && Place.Column)
    Line += ":" + std::to_string(Place.Column);
  return Line + ": " + Text.str();
}

std::string printMessages(llvm::StringRef File,
                          llvm::ArrayRef<FileMessage> Messages) {
  std::vector<const FileMessage *> Sorted;
  for (const FileMessage &Message : Messages)
    Sorted.push_back(&Message);
  llvm::stable_sort(Sorted, [](const FileMessage *A, const FileMessage *B) {
    // Line 0 wraps around to the largest number.
    return A->Place.Line - 1 < B->Place.Line - 1;
  });
  std::string Text;
  for (const FileMessage *Message : Sorted)
    Text += (Text.empty() ? "" : "\n") +
            printMessage(File, Message->Place, Message->Text);
  return Text;
}

} // namespace gpuestimate
