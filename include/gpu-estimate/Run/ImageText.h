/// \file
/// Device code as text, in place of PTX: a program may read it as a string,
/// pass it on, and load it.
#ifndef GPU_ESTIMATE_RUN_IMAGETEXT_H
#define GPU_ESTIMATE_RUN_IMAGETEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuestimate {

/// A comment line, and the image in base64.
std::string textOfImage(llvm::StringRef Image);

bool isImageText(llvm::StringRef Text);

/// The image in a text that textOfImage() has made. Fails where it is damaged.
llvm::Expected<std::string> imageOfText(llvm::StringRef Text);

} // namespace gpuestimate

#endif
