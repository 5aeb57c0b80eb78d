/// \file
/// Annotations in comments above a kernel.
#include "gpu-estimate/Driver/Annotation.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace gpuestimate {

/// Lines that may stand between the comment and the kernel's name. A line that
/// ends a statement or a body belongs to something else.
static bool belongsToDeclaration(StringRef Line) {
  return !Line.empty() && !Line.ends_with(";") && !Line.ends_with("}") &&
         !Line.starts_with("#");
}

std::string annotationText(StringRef Text, unsigned Line) {
  SmallVector<StringRef, 64> Lines;
  Text.split(Lines, '\n');
  constexpr unsigned FarthestLine = 12;
  std::string Found;
  for (unsigned I = Line, Steps = 0; I-- > 1 && Steps < FarthestLine; ++Steps) {
    // I counts the lines above the kernel's, as an index.
    StringRef Above = Lines.size() >= I ? Lines[I - 1].trim() : "";
    bool IsComment = Above.starts_with("//") || Above.starts_with("/*") ||
                     Above.starts_with("*");
    if (IsComment) {
      size_t At = Above.find("gpu-estimate:");
      if (At != StringRef::npos) {
        StringRef Settings =
            Above.substr(At + StringRef("gpu-estimate:").size());
        Settings.consume_back("*/");
        // Lines below, nearer to the kernel, come after this one.
        Found = Settings.trim().str() + (Found.empty() ? "" : " ") + Found;
      }
    } else if (!belongsToDeclaration(Above)) {
      break;
    }
  }
  return Found;
}

Expected<AnnotationSettings> readAnnotation(const SourceLocation &Kernel) {
  if (!Kernel.isValid())
    return AnnotationSettings();
  auto Buffer = MemoryBuffer::getFile(Kernel.File, /*IsText=*/true);
  if (!Buffer)
    return AnnotationSettings();
  return parseAnnotation(annotationText((*Buffer)->getBuffer(), Kernel.Line));
}

} // namespace gpuestimate
