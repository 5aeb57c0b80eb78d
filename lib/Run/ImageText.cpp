#include "gpu-estimate/Run/ImageText.h"

#include "llvm/Support/Base64.h"
#include <vector>

namespace gpuestimate {

static constexpr llvm::StringLiteral FirstLine =
    "// Device code for gpu-estimate run: LLVM bitcode in base64.\n";

std::string textOfImage(llvm::StringRef Image) {
  return (FirstLine + llvm::encodeBase64(Image) + "\n").str();
}

bool isImageText(llvm::StringRef Text) { return Text.starts_with(FirstLine); }

llvm::Expected<std::string> imageOfText(llvm::StringRef Text) {
  std::vector<char> Image;
  if (llvm::Error E =
          llvm::decodeBase64(Text.drop_front(FirstLine.size()).rtrim(), Image))
    return std::move(E);
  return std::string(Image.begin(), Image.end());
}

} // namespace gpuestimate
