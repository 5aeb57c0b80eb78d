/// \file
/// Initial contents of a buffer of a launch that is executed: elements of a
/// file, or synthetic ones.
#ifndef GPU_ESTIMATE_RUN_BUFFERDATA_H
#define GPU_ESTIMATE_RUN_BUFFERDATA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// The type of one element. Integers have no signedness, as in LLVM IR.
struct ElementType {
  enum KindType : uint8_t { Integer, Real, Bytes } Kind = Bytes;
  unsigned Size = 1; ///< bytes

  bool operator==(const ElementType &) const = default;
  /// "4-byte integer"
  std::string str() const;
};

/// A NumPy array file: the elements in C order.
struct NpyArray {
  ElementType Type;
  std::string Dtype; ///< as in the file: "<i4"
  std::vector<uint64_t> Shape;
  std::vector<uint8_t> Bytes;

  uint64_t elements() const;
};

/// Parses format versions 1.0 and 2.0: little-endian integers, reals and bool
/// in C order. An error names what the file has instead, and how to write a
/// file that can be read.
llvm::Expected<NpyArray> parseNpy(llvm::StringRef File, llvm::StringRef Text);

/// The initial contents of one buffer.
struct BufferData {
  enum FillKind : uint8_t {
    Zeros,
    Iota,   ///< element i holds i
    Random, ///< integers below Limit (any byte), reals in [0, 1)
    File
  } Fill = Zeros;
  ElementType Type;
  std::optional<uint64_t> Size; ///< bytes, where known
  uint64_t Limit = 1;
  std::shared_ptr<const NpyArray> Array; ///< File

  /// Writes bytes [First, First + Into.size()) of the buffer; deterministic.
  void fill(uint64_t First, llvm::MutableArrayRef<uint8_t> Into) const;
};

} // namespace gpuestimate

#endif
