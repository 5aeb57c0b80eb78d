/// \file
/// Real numbers: arithmetic, and mathematical functions by the names of LLVM's
/// intrinsics, libdevice and OCML. Results are those of the host's library in
/// double precision, rounded: more exact than a device's, which may lead an
/// iteration that stops at a tolerance to another count.
#include "Handlers.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <numbers>

using namespace llvm;

namespace gpuestimate {

/// Computes in double precision and rounds, which is correctly rounded for
/// narrower formats.
bool realArithmetic(WarpState &W, const Decoded &D, uint64_t Mask) {
  auto Compute = [&](auto Do) {
    W.mapTwo(D, Mask, [&](uint64_t A, uint64_t B) {
      return bitsOfReal(Do(realOf(A, D.Format), realOf(B, D.Format)), D.Format);
    });
    return true;
  };
  switch (D.Opcode) {
  case Instruction::FAdd:
    return Compute([](double A, double B) { return A + B; });
  case Instruction::FSub:
    return Compute([](double A, double B) { return A - B; });
  case Instruction::FMul:
    return Compute([](double A, double B) { return A * B; });
  case Instruction::FDiv:
    return Compute([](double A, double B) { return A / B; });
  default:
    return Compute([](double A, double B) { return std::fmod(A, B); });
  }
}

bool negate(WarpState &W, const Decoded &D, uint64_t Mask) {
  W.map(D, Mask, [&](uint64_t V) { return V ^ uint64_t(1) << (D.Bits - 1); });
  return true;
}

namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

Unary unaryFunction(StringRef Name) {
  return StringSwitch<Unary>(Name)
      .Case("sin", std::sin)
      .Case("cos", std::cos)
      .Case("tan", std::tan)
      .Case("sinpi", [](double X) { return std::sin(X * std::numbers::pi); })
      .Case("cospi", [](double X) { return std::cos(X * std::numbers::pi); })
      .Cases("exp", "expf", std::exp)
      .Cases("exp2", "ex2", std::exp2)
      .Case("exp10", [](double X) { return std::pow(10.0, X); })
      .Case("expm1", std::expm1)
      .Case("log", std::log)
      .Cases("log2", "lg2", std::log2)
      .Case("log10", std::log10)
      .Case("log1p", std::log1p)
      .Cases("sqrt", "fsqrt", "dsqrt", std::sqrt)
      .Cases("rsqrt", "frsqrt", "rsq",
             [](double X) { return 1 / std::sqrt(X); })
      .Cases("rcp", "frcp", "drcp", [](double X) { return 1 / X; })
      .Case("cbrt", std::cbrt)
      .Case("rcbrt", [](double X) { return 1 / std::cbrt(X); })
      .Case("tanh", std::tanh)
      .Case("sinh", std::sinh)
      .Case("cosh", std::cosh)
      .Case("asin", std::asin)
      .Case("acos", std::acos)
      .Case("atan", std::atan)
      .Case("asinh", std::asinh)
      .Case("acosh", std::acosh)
      .Case("atanh", std::atanh)
      .Case("erf", std::erf)
      .Case("erfc", std::erfc)
      .Case("tgamma", std::tgamma)
      .Case("lgamma", std::lgamma)
      .Case("normcdf",
            [](double X) { return std::erfc(-X / std::numbers::sqrt2) / 2; })
      .Case("logb", std::logb)
      .Case("floor", std::floor)
      .Case("ceil", std::ceil)
      .Case("trunc", std::trunc)
      .Cases("rint", "nearbyint", "roundeven", std::nearbyint)
      .Case("round", std::round)
      .Case("fabs", std::fabs)
      .Case("fract", [](double X) { return X - std::floor(X); })
      .Cases("saturate", "saturatef",
             [](double X) { return std::fmin(std::fmax(X, 0.0), 1.0); })
      .Default(nullptr);
}

Binary binaryFunction(StringRef Name) {
  return StringSwitch<Binary>(Name)
      .Case("pow", std::pow)
      .Case("atan2", std::atan2)
      .Cases("fmod", "fmodf", std::fmod)
      .Case("remainder", std::remainder)
      .Case("hypot", std::hypot)
      .Case("rhypot", [](double A, double B) { return 1 / std::hypot(A, B); })
      .Case("copysign", std::copysign)
      .Case("fdim", std::fdim)
      .Cases("fmin", "minnum", "minimum", std::fmin)
      .Cases("fmax", "maxnum", "maximum", std::fmax)
      .Cases("fdivide", "fdiv", "ddiv", "div",
             [](double A, double B) { return A / B; })
      .Cases("fadd", "dadd", "add", [](double A, double B) { return A + B; })
      .Cases("fsub", "dsub", "sub", [](double A, double B) { return A - B; })
      .Cases("fmul", "dmul", "mul", [](double A, double B) { return A * B; })
      .Default(nullptr);
}

/// "sin" of "__nv_fast_sinf", "__ocml_native_sin_f32", "llvm.sin.f32",
/// "llvm.nvvm.sin.approx.ftz.f".
StringRef plainName(StringRef Name) {
  if (Name.consume_front("__nv_") || Name.consume_front("__ocml_")) {
    Name.consume_front("fast_");
    Name.consume_front("native_");
    Name.consume_back(".values");
    for (StringRef Tail : {"_f16", "_f32", "_f64", "_rn", "_rz", "_ru", "_rd"})
      Name.consume_back(Tail);
    return Name;
  }
  if (Name.consume_front("llvm.nvvm.") || Name.consume_front("llvm.amdgcn.") ||
      Name.consume_front("llvm."))
    return Name.take_until([](char C) { return C == '.'; });
  return "";
}

/// Looks Plain up, then without the suffix "f" of float functions.
template <typename Find> auto findEither(StringRef Plain, Find Lookup) {
  auto Function = Lookup(Plain);
  if (!Function && Plain.consume_back("f"))
    Function = Lookup(Plain);
  return Function;
}

} // namespace

bool findRealCall(StringRef Name, Decoded &D) {
  StringRef Plain = plainName(Name);
  if (Plain.empty())
    return false;
  // A variant that returns both results as one structure.
  if (Plain.starts_with("sincos") && D.Format != CellFormat::Integer &&
      D.Operands.size() == 1 && D.Cells == 2) {
    D.Handler = sinCos;
    D.Extra = Plain.starts_with("sincospi");
    return true;
  }
  if (D.Format != CellFormat::Integer &&
      D.ResultFormat != CellFormat::Integer) {
    unsigned Operands = D.Operands.size();
    if (Plain.starts_with("norm3d") || Plain.starts_with("rnorm3d") ||
        Plain.starts_with("norm4d") || Plain.starts_with("rnorm4d")) {
      D.Handler = normReal;
      D.Extra = Plain.front() == 'r';
      return true;
    }
    if (Operands == 3 && Plain.starts_with("fma")) {
      D.Handler = fusedReal;
      return true;
    }
    D.Unary = findEither(Plain, unaryFunction);
    D.Binary = findEither(Plain, binaryFunction);
    if (D.Unary && Operands == 1)
      D.Handler = unaryReal;
    else if (D.Binary && Operands == 2)
      D.Handler = binaryReal;
    else if (Plain.starts_with("ldexp") || Plain.starts_with("scalbn"))
      D.Handler = scaledReal;
    else if (Plain.starts_with("powi")) {
      D.Handler = scaledReal;
      D.Extra = 1;
    } else
      return false;
    return true;
  }
  if (D.Format != CellFormat::Integer) {
    int Test = StringSwitch<int>(Plain)
                   .Cases("isnanf", "isnand", "isnan", 0)
                   .Cases("isinff", "isinfd", "isinf", 1)
                   .Cases("isfinited", "finitef", "isfinite", 2)
                   .Cases("signbitf", "signbitd", "signbit", 3)
                   .Default(-1);
    if (Test >= 0) {
      D.Handler = testReal;
      D.Extra = Test;
      return true;
    }
  }
  return false;
}

bool unaryReal(WarpState &W, const Decoded &D, uint64_t Mask) {
  W.map(D, Mask, [&](uint64_t V) {
    return bitsOfReal(D.Unary(realOf(V, D.Format)), D.ResultFormat);
  });
  return true;
}

bool binaryReal(WarpState &W, const Decoded &D, uint64_t Mask) {
  W.mapTwo(D, Mask, [&](uint64_t A, uint64_t B) {
    return bitsOfReal(D.Binary(realOf(A, D.Format), realOf(B, D.Format)),
                      D.ResultFormat);
  });
  return true;
}

bool fusedReal(WarpState &W, const Decoded &D, uint64_t Mask) {
  for (unsigned C = 0; C < D.Cells; ++C)
    forEachLane(Mask, [&](unsigned L) {
      double A = realOf(W.cell(D.Operands[0] + C, L), D.Format),
             B = realOf(W.cell(D.Operands[1] + C, L), D.Format),
             Sum = realOf(W.cell(D.Operands[2] + C, L), D.Format);
      // The product of two floats is exact in double precision; the sum is not
      // to be rounded twice.
      W.cell(D.Result + C, L) =
          D.Format == CellFormat::Float
              ? bit_cast<uint32_t>(std::fma(float(A), float(B), float(Sum)))
              : bitsOfReal(std::fma(A, B, Sum), D.Format);
    });
  return true;
}

bool scaledReal(WarpState &W, const Decoded &D, uint64_t Mask) {
  W.mapTwo(D, Mask, [&](uint64_t A, uint64_t B) {
    double X = realOf(A, D.Format);
    auto N = static_cast<int>(signExtend(B, 32));
    return bitsOfReal(D.Extra ? std::pow(X, N) : std::ldexp(X, N),
                      D.ResultFormat);
  });
  return true;
}

bool testReal(WarpState &W, const Decoded &D, uint64_t Mask) {
  W.map(D, Mask, [&](uint64_t V) -> uint64_t {
    double X = realOf(V, D.Format);
    switch (D.Extra) {
    case 0:
      return std::isnan(X);
    case 1:
      return std::isinf(X);
    case 2:
      return std::isfinite(X);
    default:
      return std::signbit(X);
    }
  });
  return true;
}

bool sinCos(WarpState &W, const Decoded &D, uint64_t Mask) {
  forEachLane(Mask, [&](unsigned L) {
    double X = realOf(W.cell(D.Operands[0], L), D.Format) *
               (D.Extra ? std::numbers::pi : 1);
    W.cell(D.Result, L) = bitsOfReal(std::sin(X), D.Format);
    W.cell(D.Result + 1, L) = bitsOfReal(std::cos(X), D.Format);
  });
  return true;
}

bool normReal(WarpState &W, const Decoded &D, uint64_t Mask) {
  forEachLane(Mask, [&](unsigned L) {
    double Sum = 0;
    for (unsigned Operand : D.Operands) {
      double X = realOf(W.cell(Operand, L), D.Format);
      Sum += X * X;
    }
    double Norm = std::sqrt(Sum);
    W.cell(D.Result, L) = bitsOfReal(D.Extra ? 1 / Norm : Norm, D.Format);
  });
  return true;
}

ArrayRef<CallRow> realCalls() {
  static const CallRow Rows[] = {
      {"llvm.fma.*", fusedReal},      {"llvm.fmuladd.*", fusedReal},
      {"llvm.nvvm.fma.*", fusedReal}, {"llvm.ldexp*", scaledReal},
      {"llvm.powi*", scaledReal, 1},
  };
  return Rows;
}

} // namespace gpuestimate
