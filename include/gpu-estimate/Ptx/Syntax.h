/// \file
/// The syntax tree of a PTX file: directives, declarations and instructions as
/// they are written. Names follow the PTX ISA manual. Strings refer to the text
/// of the file.
#ifndef GPU_ESTIMATE_PTX_SYNTAX_H
#define GPU_ESTIMATE_PTX_SYNTAX_H

#include "gpu-estimate/ForeignIr/LaunchBounds.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// A type such as `.u32`, `.f16x2` or `.pred`.
struct PtxType {
  enum KindType : uint8_t { Bits, Unsigned, Signed, Float, BFloat, Predicate };
  KindType Kind = Bits;
  unsigned Width = 32; ///< bits of one lane; 1 for a predicate
  unsigned Lanes = 1;  ///< 2 for `.f16x2`

  unsigned bits() const { return Width * Lanes; }
  bool isFloat() const { return Kind == Float || Kind == BFloat; }
  bool isSigned() const { return Kind == Signed; }
  bool operator==(const PtxType &) const = default;
};

/// A register of 32 bits, `.b32`.
inline constexpr PtxType PtxWord = {PtxType::Bits, 32, 1};

/// The type that a name without its dot spells: "u32", "f16x2".
std::optional<PtxType> ptxTypeNamed(llvm::StringRef Name);

struct PtxOperand {
  enum KindType : uint8_t {
    Name,    ///< a register, variable, label or function, with an Offset
    Integer, ///< Value
    Real,    ///< Value are the bits of a float or double, Width of them
    Vector,  ///< {a, b}: Parts
    Address, ///< [base+offset]: Parts[0] with its Offset; [base, {x, y}]: more
    List,    ///< (a, b): the arguments of a call
    Pair     ///< p|q: two results
  };
  KindType Kind = Name;
  llvm::StringRef Text;      ///< of a Name: "%r1", "%tid", "_" for no result
  llvm::StringRef Component; ///< "x" of "%tid.x"
  bool Negated = false;      ///< "!%p1", "-%r1"
  uint64_t Value = 0;
  unsigned Width = 64;
  int64_t Offset = 0;
  std::vector<PtxOperand> Parts;

  bool isSink() const { return Kind == Name && Text == "_"; }
};

struct PtxInstruction {
  llvm::StringRef Guard; ///< the predicate of "@%p1"; "" without
  bool GuardNegated = false;
  llvm::StringRef Opcode;                 ///< "ld"
  std::vector<llvm::StringRef> Modifiers; ///< "global", "v4", "f32"
  std::vector<PtxOperand> Operands;
  unsigned Line = 0;

  bool has(llvm::StringRef Modifier) const {
    return llvm::is_contained(Modifiers, Modifier);
  }
  /// The modifiers that are types, in order.
  std::vector<PtxType> types() const;
  /// The last type; of 32 bits if none is given.
  PtxType type() const;
  /// "ld.global.v4.f32"
  std::string mnemonic() const;
};

/// A variable in any state space but registers.
struct PtxVariable {
  llvm::StringRef Space; ///< "global", "shared", "local", "param", "const", ...
  llvm::StringRef Name;
  PtxType Type;
  unsigned Alignment = 0;  ///< bytes; 0 = that of the type
  unsigned VectorSize = 1; ///< of `.v4`
  bool IsArray = false;
  uint64_t Elements = 1; ///< of all dimensions; 0 = `[]`
  bool IsExternal = false, IsManaged = false;
  /// `.ptr`: the parameter is a pointer to PointeeSpace, aligned so.
  bool IsPointer = false;
  llvm::StringRef PointeeSpace;
  unsigned PointeeAlignment = 0;
  std::vector<PtxOperand> Initial; ///< nested lists in order
  unsigned Line = 0;

  uint64_t elementBytes() const {
    return std::max(1u, Type.bits() / 8) * uint64_t(VectorSize);
  }
  uint64_t bytes() const { return elementBytes() * Elements; }
};

/// Registers of one name, or with Count those named Name0, Name1, ...
struct PtxRegisters {
  llvm::StringRef Name;
  PtxType Type;
  unsigned VectorSize = 1;
  unsigned Count = 0;
};

/// `.loc`, with the call that it was inlined at.
struct PtxPlace {
  unsigned File = 0, Line = 0, Column = 0;
  unsigned InlinedFile = 0, InlinedLine = 0, InlinedColumn = 0;
};

struct PtxStatement {
  enum KindType : uint8_t {
    Instruction,
    Label,       ///< Name
    Registers,   ///< Declared
    Variable,    ///< Object
    Place,       ///< At
    NoUnroll,    ///< `.pragma "nounroll"`
    TargetTable, ///< labels or functions: `Name: .branchtargets a, b;`
    Prototype,   ///< `Name: .callprototype ...`: Index of PtxFile::Prototypes
    ScopeBegin,
    ScopeEnd
  };
  KindType Kind = Instruction;
  unsigned Line = 0;
  llvm::StringRef Name;
  PtxInstruction Code;
  PtxRegisters Declared;
  PtxVariable Object;
  PtxPlace At;
  std::vector<llvm::StringRef> Targets;
  size_t Index = 0;
};

struct PtxFunction {
  llvm::StringRef Name;
  bool IsEntry = false, HasBody = false, IsExternal = false, IsWeak = false;
  std::vector<PtxVariable> Results, Parameters;
  LaunchBounds Bounds;
  unsigned MaxRegisters = 0;
  std::vector<PtxStatement> Body;
  unsigned Line = 0;
};

struct PtxFile {
  unsigned Version = 0; ///< 10 x major + minor: 85 of `.version 8.5`
  std::string Target;   ///< "sm_80"
  bool DebugInformation = false;
  std::vector<std::pair<unsigned, llvm::StringRef>> Files; ///< `.file`
  std::vector<PtxVariable> Variables;
  std::vector<PtxRegisters> Registers; ///< outside of functions, as of PTX 2
  std::vector<PtxFunction> Functions;
  std::vector<PtxFunction> Prototypes;
  /// `.alias`: the new name and the function.
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> Aliases;
};

} // namespace gpuestimate

#endif
