/// \file
/// The elements that charts are made of, and their axes. Colours are classes of
/// the style sheet (Style.h), so that charts follow light and dark.
#ifndef GPU_ESTIMATE_LIB_REPORT_CHARTS_SVG_H
#define GPU_ESTIMATE_LIB_REPORT_CHARTS_SVG_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Text with &, <, >, quotes and control characters as entities or blanks.
std::string escaped(llvm::StringRef Text);

/// A coordinate: one digit after the point.
std::string coordinate(double Value);

enum class Anchor : uint8_t { Start, Middle, End };

/// Elements in pixels of the view box, one after the other.
class Svg {
public:
  explicit Svg(llvm::raw_ostream &OS) : OS(OS) {}

  void line(llvm::StringRef Class, double X1, double Y1, double X2, double Y2);
  void polyline(llvm::StringRef Class,
                llvm::ArrayRef<std::pair<double, double>> Points);
  void rect(llvm::StringRef Class, double X, double Y, double Width,
            double Height);
  /// Degrees turn the text around its anchor.
  void text(llvm::StringRef Class, double X, double Y, llvm::StringRef Text,
            Anchor At = Anchor::Start, double Degrees = 0);
  /// Shape: 0 circle, 1 square, 2 diamond, 3 triangle, 4 and more again.
  void marker(llvm::StringRef Class, unsigned Shape, double X, double Y,
              double Radius = 5);
  /// What Draw draws is one thing that the keyboard reaches, which says Label.
  void item(llvm::StringRef Label, llvm::function_ref<void()> Draw);

private:
  llvm::raw_ostream &OS;
};

/// Values to pixels.
struct Scale {
  double Low = 0, High = 1; ///< values at the ends
  double From = 0, To = 1;  ///< their pixels
  bool IsLog = false;

  double at(double Value) const;
  bool contains(double Value) const { return Value >= Low && Value <= High; }
  /// Decades, or 1, 2, 5 of each where there are few; linear: round numbers
  /// from 0. At most about Most.
  std::vector<double> ticks(unsigned Most) const;
};

/// A logarithmic scale that holds Low and High with some room.
Scale logScale(double Low, double High, double From, double To);

/// Where labels have been put: a label that would cover another is left out.
class Labels {
public:
  Labels(Svg &Out, double Left, double Top, double Right, double Bottom)
      : Out(Out), Left(Left), Top(Top), Right(Right), Bottom(Bottom) {}
  /// Nothing may be written there.
  void reserve(double X, double Y, double Width, double Height);
  /// Beside the point: right, left, above, below, the first that is free.
  bool place(double X, double Y, llvm::StringRef Text);

private:
  struct Box {
    double X, Y, Width, Height;
  };
  bool isFree(const Box &B) const;
  Svg &Out;
  double Left, Top, Right, Bottom;
  std::vector<Box> Taken;
};

/// Width of a text in pixels, as well as that can be told.
double textWidth(llvm::StringRef Text);

} // namespace gpuestimate

#endif
