/// \file
/// The fields of results that several commands print. A record names each field
/// once, in a function template that takes the visitors below alike:
///
///   template <class Io, class Row> void fields(Io &F, Row &R) {
///     F("time", "time_ms", R.Time);     // a column for people, and a field
///     F.shown("of fastest", [&] { return Cell{"2.10 x", 2.1}; });
///     F.stored("tied", R.Tied);         // a field of CSV and JSON
///     F.labelled("n", "n", "1e6", 1e6); // text for people and CSV, number in
///     JSON F.json("ratio_error", R.Error);   // a field of JSON alone, and one
///     that F.computed("by_fastest", [&] { return R.byFastest(); }); // none
///     reads
///   }
///
///   CellList     cells of a table for people:  1.50 ms   2.10 x
///   CsvCells     names or values of columns:   time_ms,tied or 1.5,0
///   JsonWriter   attributes:                   "time_ms": 1.5, "tied": false
///   JsonReader   sets the members from these attributes; those that are
///                missing keep their values
///
/// Times are milliseconds in CSV and JSON. NaN is an empty cell of CSV and no
/// attribute of JSON.
#ifndef GPU_ESTIMATE_LIB_REPORT_TEXT_RESULTFIELDS_H
#define GPU_ESTIMATE_LIB_REPORT_TEXT_RESULTFIELDS_H

#include "gpu-estimate/Model/Result/LaunchTotal.h"
#include "gpu-estimate/Model/Result/Refusals.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace gpuestimate {

/// How people read a number.
enum class FieldUnit : uint8_t { None, Percent, Bytes };

using Sizes3 = std::array<uint64_t, 3>;
using Milliseconds = std::optional<std::pair<double, double>>;

/// JSON of single values: milliseconds, "a.cu:3", [low, high].
llvm::json::Value toJSON(Seconds Time);
llvm::json::Value toJSON(const SourceLocation &At);
llvm::json::Value toJSON(const TimeFactors &Range);
bool fromJSON(const llvm::json::Value &V, Seconds &Time, llvm::json::Path);
bool fromJSON(const llvm::json::Value &V, SourceLocation &At, llvm::json::Path);

/// Does nothing with any field; the visitors replace what they need.
struct FieldVisitor {
  /// True where members are set from the fields.
  static constexpr bool IsReader = false;
  static constexpr bool IsCsv = false;

  template <class Make> void shown(const llvm::Twine &, Make) {}
  template <class T> void stored(const llvm::Twine &, T &&) {}
  template <class T> void json(llvm::StringRef, T &&) {}
  template <class Make> void computed(llvm::StringRef, Make) {}
};

/// Cells for people.
class CellList : public FieldVisitor {
public:
  std::vector<std::string> Heads;
  std::vector<Cell> Cells;

  template <class T>
  void operator()(const llvm::Twine &Head, const llvm::Twine &, const T &Value,
                  FieldUnit Unit = FieldUnit::None) {
    shown(Head, [&] { return cell(Value, Unit); });
  }
  template <class Make> void shown(const llvm::Twine &Head, Make Shown) {
    Heads.push_back(Head.str());
    Cells.push_back(Shown());
  }
  void labelled(const llvm::Twine &Head, llvm::StringRef, llvm::StringRef Label,
                std::optional<double> Number) {
    shown(Head, [&] { return Cell(Label.str(), Number); });
  }
  /// One of Names; no column without a head.
  template <class Index>
  void named(llvm::StringRef Head, llvm::StringRef,
             const std::vector<std::string> &Names, Index Chosen) {
    if (!Head.empty())
      shown(Head, [&] { return cell(Names[Chosen], FieldUnit::None); });
  }
  template <class Body> void object(llvm::StringRef, Body Inside) {
    Inside(*this);
  }

private:
  static Cell cell(llvm::StringRef Text, FieldUnit);
  static Cell cell(Seconds Time, FieldUnit);
  static Cell cell(const Sizes3 &Sizes, FieldUnit);
  static Cell cell(double Value, FieldUnit Unit);
  static Cell cell(uint64_t Value, FieldUnit Unit);
  static Cell cell(unsigned Value, FieldUnit Unit) {
    return cell(uint64_t(Value), Unit);
  }
};

/// Names or values of the columns of CSV, each after a comma.
class CsvCells : public FieldVisitor {
public:
  static constexpr bool IsCsv = true;
  enum Line : bool { Heads, Values };
  CsvCells(llvm::raw_ostream &OS, Line Of) : OS(OS), Of(Of) {}

  template <class T>
  void operator()(const llvm::Twine &, const llvm::Twine &Key, const T &Value,
                  FieldUnit Unit = FieldUnit::None) {
    if (Of == Heads)
      head(Key, Value);
    else
      write(Value, Unit);
  }
  template <class T> void stored(const llvm::Twine &Key, const T &Value) {
    (*this)("", Key, Value);
  }
  void labelled(const llvm::Twine &, llvm::StringRef Key, llvm::StringRef Label,
                std::optional<double>) {
    (*this)("", Key, Label);
  }
  template <class Index>
  void named(llvm::StringRef, llvm::StringRef Key,
             const std::vector<std::string> &Names, Index Chosen) {
    (*this)("", Key, Of == Heads ? llvm::StringRef() : Names[Chosen]);
  }
  template <class Body> void object(llvm::StringRef, Body Inside) {
    Inside(*this);
  }

private:
  template <class T> void head(const llvm::Twine &Key, const T &) {
    write(Key.str(), FieldUnit::None);
  }
  void head(const llvm::Twine &Key, const Sizes3 &);
  void write(llvm::StringRef Text, FieldUnit);
  void write(double Value, FieldUnit Unit);
  void write(Seconds Time, FieldUnit Unit) { write(Time.value() * 1e3, Unit); }
  void write(const Sizes3 &Sizes, FieldUnit Unit);
  template <class T>
  std::enable_if_t<std::is_integral_v<T>> write(T Value, FieldUnit) {
    OS << ',' << uint64_t(Value);
  }

  llvm::raw_ostream &OS;
  Line Of;
};

/// Attributes of the object that is open.
class JsonWriter : public FieldVisitor {
public:
  explicit JsonWriter(llvm::json::OStream &J) : J(J) {}

  template <class T>
  void operator()(const llvm::Twine &, const llvm::Twine &Key, const T &Value,
                  FieldUnit = FieldUnit::None) {
    stored(Key, Value);
  }
  template <class T> void stored(const llvm::Twine &Key, const T &Value) {
    J.attribute(Key.str(), Value);
  }
  void stored(const llvm::Twine &Key, double Value);
  void stored(const llvm::Twine &Key, const Sizes3 &Sizes) {
    J.attribute(Key.str(), llvm::json::Array(Sizes));
  }
  template <class T> void json(llvm::StringRef Key, const T &Value) {
    stored(Key, Value);
  }
  template <class T>
  void json(llvm::StringRef Key, const std::optional<T> &Value) {
    if (Value)
      stored(Key, *Value);
  }
  void labelled(const llvm::Twine &, llvm::StringRef Key, llvm::StringRef Label,
                std::optional<double> Number) {
    if (Number)
      stored(Key, *Number);
    else
      stored(Key, Label);
  }
  template <class Make> void computed(llvm::StringRef Key, Make Value) {
    json(Key, Value());
  }
  template <class Index>
  void named(llvm::StringRef, llvm::StringRef Key,
             const std::vector<std::string> &Names, Index Chosen) {
    J.attribute(Key, Names[Chosen]);
  }
  template <class Body> void object(llvm::StringRef Key, Body Inside) {
    J.attributeObject(Key, [&] { Inside(*this); });
  }
  /// "interval": {"level", "low_ms", "high_ms"}; null where it is not known
  /// how sure the time is.
  void interval(double Level, const Milliseconds &Interval);
  /// Fields(*this, Record) writes one of All.
  template <class List, class Record>
  void records(llvm::StringRef Key, const List &All, Record Fields) {
    J.attributeArray(Key, [&] {
      for (const auto &Each : All)
        J.object([&] { Fields(*this, Each); });
    });
  }
  /// [{"reason": ..., CountKey: ...}, ...]
  void refusals(llvm::StringRef CountKey, const RefusalCounts &Refused);

private:
  llvm::json::OStream &J;
};

/// Sets members from the attributes of an object.
class JsonReader : public FieldVisitor {
public:
  static constexpr bool IsReader = true;
  explicit JsonReader(const llvm::json::Object &From) : From(&From) {}

  template <class T>
  void operator()(const llvm::Twine &, const llvm::Twine &Key, T &Value,
                  FieldUnit = FieldUnit::None) {
    stored(Key, Value);
  }
  template <class T> void stored(const llvm::Twine &Key, T &Value) {
    if (const llvm::json::Value *Given = From->get(Key.str()))
      read(*Given, Value);
  }
  template <class T> void json(llvm::StringRef Key, T &Value) {
    stored(Key, Value);
  }
  /// The place of the text among Names; it may be new.
  template <class Index>
  void named(llvm::StringRef, llvm::StringRef Key,
             std::vector<std::string> &Names, Index &Chosen) {
    Chosen = Index(place(Names, From->getString(Key).value_or("")));
  }
  template <class Body> void object(llvm::StringRef Key, Body Inside) {
    if (const llvm::json::Object *Object = From->getObject(Key)) {
      JsonReader Reader(*Object);
      Inside(Reader);
    }
  }
  void interval(double &Level, Milliseconds &Interval);
  template <class T, class Record>
  void records(llvm::StringRef Key, std::vector<T> &All, Record Fields) {
    if (const llvm::json::Array *Given = From->getArray(Key))
      for (const llvm::json::Value &V : *Given)
        if (const llvm::json::Object *Object = V.getAsObject()) {
          JsonReader Reader(*Object);
          Fields(Reader, All.emplace_back());
        }
  }
  void refusals(llvm::StringRef CountKey, RefusalCounts &Refused);

private:
  static size_t place(std::vector<std::string> &Names, llvm::StringRef Name);
  template <class T> static void read(const llvm::json::Value &V, T &Value) {
    llvm::json::Path::Root Ignored;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      Value = T(V.getAsInteger().value_or(Value));
    else
      fromJSON(V, Value, Ignored);
  }
  static void read(const llvm::json::Value &V, Sizes3 &Sizes);

  const llvm::json::Object *From;
};

/// What a result is about: Kernel, Name, Location, Gpu, GpuName, Model.
template <class Io, class Result> void subjectFields(Io &F, Result &R) {
  F.stored("kernel", R.Kernel);
  F.stored("name", R.Name);
  F.stored("location", R.Location);
  F.stored("gpu", R.Gpu);
  F.stored("gpu_name", R.GpuName);
  F.stored("model", R.Model);
}

/// "assumptions", as a ranking and a surface have them.
template <class Io, class List> void assumptionFields(Io &F, List &All) {
  F.records("assumptions", All, [](auto &Inner, auto &A) {
    Inner.stored("what", A.What);
    Inner.stored("value", A.Value);
    Inner.stored("why", A.Why);
    Inner.stored("settle", A.Settle);
    if (Io::IsReader || A.Location.isValid())
      Inner.stored("location", A.Location);
  });
}

/// "unknown_sizes": sizes that are not known, for which launches are compared.
template <class Io, class List> void openSizeFields(Io &F, List &All) {
  if (Io::IsReader || !All.empty())
    F.records("unknown_sizes", All, [](auto &Inner, auto &Size) {
      Inner.stored("name", Size.Name);
      Inner.stored("value", Size.Middle);
      Inner.stored("least", Size.Least);
      Inner.stored("largest", Size.Largest);
      Inner.stored("why", Size.Why);
      Inner.stored("settle", Size.Settle);
    });
}

/// The sentences "assumed: n = 1024: Why; settle with --param", one for each
/// group of assumptions, then one for each premise. Start: "assumed".
std::vector<std::string>
assumptionRemarks(llvm::StringRef Start, llvm::ArrayRef<Assumption> Assumptions,
                  llvm::ArrayRef<std::string> Premises);

/// "12 cannot run: too many registers", one for each reason.
std::vector<std::string> refusalRemarks(const RefusalCounts &Refused);

/// Prints a table of rows with equal heads; the column "bound" is flush left.
void printRows(llvm::raw_ostream &OS, llvm::ArrayRef<CellList> Rows,
               unsigned Indent);

/// "interval" and an array of texts, as other JSON has them.
void writeInterval(llvm::json::OStream &J, double Level,
                   const Milliseconds &IntervalMs);
void writeTexts(llvm::json::OStream &J, llvm::StringRef Key,
                llvm::ArrayRef<std::string> Texts);

} // namespace gpuestimate

#endif
