/// \file
/// The device side of a translation unit as LLVM bitcode that a program carries
/// in place of a fat binary, and the compile of its host side. The module is
/// the one of TranslationUnit, before any LLVM pass. Its named metadata
/// `gpu-estimate.unit` holds the facts of the AST as JSON: kernels, anchors,
/// architecture.
#ifndef GPU_ESTIMATE_FRONTEND_DEVICEIMAGE_H
#define GPU_ESTIMATE_FRONTEND_DEVICEIMAGE_H

#include "gpu-estimate/Frontend/Frontend.h"

namespace gpuestimate {

/// Parses like parse(), without files that are linked to Request's and without
/// what host code tells, which an image does not hold.
llvm::Expected<TranslationUnit> parseDeviceCode(const ParseRequest &Request,
                                                std::string &Diagnostics);

/// The bitcode of Unit, whose module gets the metadata.
std::string writeDeviceImage(const TranslationUnit &Unit);

/// The unit of a module that the program loaded as text, PTX or LLVM IR, for
/// the architecture Arch; or the unit that writeDeviceImage() was called with,
/// without what only the AST of host code tells: launches, loop nests, kernels
/// without code. Fails for what is no bitcode, and for bitcode without the
/// metadata. Of a module that several units were linked into: all kernels, and
/// the main file of the first.
llvm::Expected<TranslationUnit> readDeviceImage(llvm::StringRef Image,
                                                const std::string &Arch);

/// Magic before the bitcode in a program, then its length as 8 bytes in
/// little-endian order.
inline constexpr llvm::StringLiteral DeviceImageMagic = "GEBC0001";

/// Is Request's file CUDA or HIP, by its -x argument or its name?
bool hasDeviceSide(const ParseRequest &Request);

/// The words of a compile of the host side of Request's file by clang++, the
/// compiler first, without `-c` and `-o`: the program registers the image of
/// the file DeviceImage, whose first bytes are DeviceImageMagic and the length.
/// Without a device side: a plain compile. Fails as parse() does if there is no
/// command for the file.
llvm::Expected<std::vector<std::string>>
hostCompileCommand(const ParseRequest &Request, llvm::StringRef DeviceImage);

/// clang++, for the link.
std::string clangProgram();

} // namespace gpuestimate

#endif
