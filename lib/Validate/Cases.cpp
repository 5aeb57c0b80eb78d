#include "Cases.h"

#include "gpu-estimate/Support/Csv.h"
#include "gpu-estimate/Support/FileMessage.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

namespace {

/// Values of one row.
struct RowValues {
  MeasuredCase Case;
  CaseLaunch Launch;
  std::string Caches, Timing; ///< empty: the dataset's
};

/// Sets one column. Returns an empty text, or the expected form of a wrong
/// value.
using Setter = std::string (*)(RowValues &, StringRef);

std::string parseNumber(double &Into, StringRef Text, double Least) {
  double Value;
  if (Text.getAsDouble(Value) || !std::isfinite(Value) || Value < Least)
    return Least > 0 ? "a number above 0" : "a number of at least 0";
  Into = Value;
  return "";
}

std::string parseSizes(std::array<uint64_t, 3> &Into, StringRef Text) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, 'x');
  std::array<uint64_t, 3> Sizes = {1, 1, 1};
  bool Bad = Parts.size() > 3;
  for (size_t I = 0; I < Parts.size() && !Bad; ++I)
    Bad = Parts[I].getAsInteger(10, Sizes[I]) || Sizes[I] == 0 ||
          Sizes[I] > UINT32_MAX;
  if (Bad)
    return "up to three whole numbers above 0 such as 64x64x1";
  Into = Sizes;
  return "";
}

std::vector<std::string> words(StringRef Text) {
  SmallVector<StringRef, 8> Parts;
  SplitString(Text, Parts);
  return {Parts.begin(), Parts.end()};
}

/// Smallest positive double that a measured time or a repeat may be.
constexpr double Positive = 1e-300;

template <std::string MeasuredCase::*Member>
std::string setText(RowValues &R, StringRef Text) {
  R.Case.*Member = Text.str();
  return "";
}

/// Says in place of a repository that the file is ours.
constexpr StringLiteral OwnFolder = ".";

std::string setRepository(RowValues &R, StringRef Text) {
  R.Launch.Repository = Text.str();
  return Text == OwnFolder || isRepository(Text) ? ""
                                                 : "owner/name, or . for the "
                                                   "dataset's own folder";
}

std::string setDefines(RowValues &R, StringRef Text) {
  R.Launch.Defines = words(Text);
  for (const std::string &Define : R.Launch.Defines)
    if (!isAlpha(Define[0]) && Define[0] != '_')
      return "blank separated NAME or NAME=VALUE";
  return "";
}

std::string setOverrides(RowValues &R, StringRef Text) {
  R.Case.Overrides = words(Text);
  for (StringRef Override : R.Case.Overrides)
    if (!Override.contains('='))
      return "blank separated KEY=VALUE such as core_clock=1380MHz";
  return "";
}

std::string setParameters(RowValues &R, StringRef Text) {
  for (StringRef Item : words(Text)) {
    auto [Name, Value] = Item.rsplit('=');
    double Number;
    bool IsPointer = !Name.empty() && !Value.empty() &&
                     (isAlpha(Value[0]) || Value[0] == '_') &&
                     Value.getAsDouble(Number);
    if (IsPointer) {
      R.Launch.Pointers.push_back({Name.str(), Value.str()});
      continue;
    }
    if (Name.empty() || Value.getAsDouble(Number) || !std::isfinite(Number))
      return "blank separated NAME=NUMBER or POINTER=OTHER+OFFSET (not so: '" +
             Item.str() + "')";
    R.Launch.Parameters.push_back({Name.str(), Number});
  }
  return "";
}

std::string setAssumptions(RowValues &R, StringRef Text) {
  for (StringRef Item : words(Text)) {
    auto [Level, Value] = Item.split('=');
    double Fraction;
    if ((Level != "l1" && Level != "l2") || Value.getAsDouble(Fraction) ||
        !(Fraction >= 0 && Fraction <= 1))
      return "blank separated l1=FRACTION or l2=FRACTION";
    (Level == "l1" ? R.Launch.L1Hit : R.Launch.L2Hit) = Fraction;
  }
  return "";
}

std::string setCpu(RowValues &R, StringRef Text) {
  auto [Name, Cores] = Text.split(':');
  R.Case.Cpu = Name.str();
  bool Bad = Name.empty() ||
             (Text.contains(':') &&
              (Cores.getAsInteger(10, R.Case.Cores) || R.Case.Cores == 0));
  return Bad ? "a CPU model, or one and cores: intel-xeon-e5-2695-v4:4" : "";
}

std::string setSpread(RowValues &R, StringRef Text) {
  return parseNumber(R.Case.Spread.emplace(), Text, 0);
}

struct Column {
  StringLiteral Name;
  bool Required;
  Setter Set;
};

constexpr Column Columns[] = {
    {"case", true, setText<&MeasuredCase::Id>},
    {"kernel", true, setText<&MeasuredCase::Kernel>},
    {"gpu", true, setText<&MeasuredCase::Gpu>},
    {"base", false, setText<&MeasuredCase::Base>},
    {"cpu", false, setCpu},
    {"grid", false,
     [](RowValues &R, StringRef T) {
       return parseSizes(R.Launch.Grid.emplace(), T);
     }},
    {"block", false,
     [](RowValues &R, StringRef T) {
       return parseSizes(R.Launch.Block.emplace(), T);
     }},
    {"ms", true,
     [](RowValues &R, StringRef T) {
       return parseNumber(R.Case.Milliseconds, T, Positive);
     }},
    {"function", false,
     [](RowValues &R, StringRef T) {
       R.Launch.Function = T.str();
       return std::string();
     }},
    {"file", false,
     [](RowValues &R, StringRef T) {
       R.Launch.File = T.str();
       return std::string();
     }},
    {"repository", false, setRepository},
    {"set", false, setOverrides},
    {"defines", false, setDefines},
    {"arguments", false,
     [](RowValues &R, StringRef T) {
       R.Launch.Arguments = words(T);
       return std::string();
     }},
    {"dynamic_smem", false,
     [](RowValues &R, StringRef T) {
       return T.getAsInteger(10, R.Launch.DynamicSharedBytes)
                  ? std::string("a whole number of bytes")
                  : std::string();
     }},
    {"params", false, setParameters},
    {"assume", false, setAssumptions},
    {"repeat", false,
     [](RowValues &R, StringRef T) {
       return parseNumber(R.Launch.Repeat, T, Positive);
     }},
    {"caches", false,
     [](RowValues &R, StringRef T) {
       R.Caches = T.str();
       return parseCacheState(T) ? std::string() : CacheStates;
     }},
    {"timing", false,
     [](RowValues &R, StringRef T) {
       R.Timing = T.str();
       return launchTimingFromName(T) ? std::string() : LaunchTimings;
     }},
    {"spread", false, setSpread},
    {"noisy", false, setText<&MeasuredCase::Noisy>},
    {"note", false, [](RowValues &, StringRef) { return std::string(); }},
};

/// Names of measured counters, equal to the predicted ones of the JSON report.
constexpr StringLiteral Counters[] = {"registers",
                                      "warp_instructions",
                                      "flop_fp16",
                                      "flop_fp32",
                                      "flop_fp64",
                                      "global_load_requests",
                                      "global_load_sectors",
                                      "global_store_requests",
                                      "global_store_sectors",
                                      "shared_wavefronts",
                                      "l2_bytes",
                                      "dram_bytes",
                                      "dram_read_bytes",
                                      "dram_write_bytes",
                                      "barriers",
                                      "l1_hit",
                                      "l2_hit",
                                      "power_w"};

class CaseReader {
public:
  CaseReader(StringRef File, const CaseDefaults &Defaults)
      : File(File), Defaults(Defaults) {}

  Expected<std::vector<MeasuredCase>> read(StringRef Text);

private:
  /// Number of problems to report in full.
  static constexpr size_t MaxProblems = 20;

  void problem(const CsvCell &Where, const std::string &Message) {
    if (++Problems <= MaxProblems)
      Text += (Text.empty() ? "" : "\n") +
              printMessage(File, {Where.Line, Where.Column}, Message);
  }
  void header(const CsvRow &Row);
  void row(const CsvRow &Row);
  void cell(RowValues &R, const Column &C, const CsvCell &Cell, bool Follows);
  void add(RowValues R, const CsvRow &Row);
  void checkBases();

  StringRef File;
  const CaseDefaults &Defaults;
  /// For each column of the file its column of the table, or null and the name
  /// of a counter.
  std::vector<const Column *> ColumnOf;
  std::vector<std::string> CounterNames;
  StringMap<size_t> ById;
  /// The cases with a base point, and the cells where they begin.
  std::vector<std::pair<size_t, CsvCell>> BaseRows;
  std::vector<MeasuredCase> Cases;
  std::string Text;
  size_t Problems = 0;
};

} // namespace

std::optional<CacheState> parseCacheState(StringRef Text) {
  if (Text == "warm")
    return CacheState::Warm;
  if (Text == "cold")
    return CacheState::Cold;
  return std::nullopt;
}

bool isRepository(StringRef Text) {
  auto [Owner, Name] = Text.split('/');
  return !Owner.empty() && !Name.empty() && !Name.contains('/');
}

void CaseReader::header(const CsvRow &Row) {
  std::vector<std::string> Names, Seen;
  for (const Column &C : Columns)
    Names.push_back(C.Name.str());
  Names.insert(Names.end(), std::begin(Counters), std::end(Counters));
  for (const CsvCell &Cell : Row) {
    std::string Name = StringRef(Cell.Text).trim().str();
    const Column *C =
        find_if(Columns, [&](const Column &C) { return C.Name == Name; });
    bool IsColumn = C != std::end(Columns);
    ColumnOf.push_back(IsColumn ? C : nullptr);
    CounterNames.push_back(IsColumn ? "" : Name);
    if (!is_contained(Names, Name))
      problem(Cell,
              "no column is called '" + Name + "'" + didYouMean(Name, Names));
    else if (is_contained(Seen, Name))
      problem(Cell, "the column '" + Name + "' is there twice");
    Seen.push_back(std::move(Name));
  }
  for (const Column &C : Columns)
    if (C.Required && !is_contained(Seen, C.Name))
      problem(Row[0], "expected a column '" + C.Name.str() + "'");
}

void CaseReader::cell(RowValues &R, const Column &C, const CsvCell &Cell,
                      bool Follows) {
  StringRef Value = StringRef(Cell.Text).trim();
  if (Value.empty()) {
    // Only the first row of a case has the time, which covers all launches.
    if (C.Required && !(Follows && C.Name == "ms"))
      problem(Cell, C.Name.str() + ": expected a value");
    return;
  }
  if (Follows && C.Name == "ms")
    return problem(Cell, "ms: expected nothing, since an earlier row of this "
                         "case has the time of all its launches");
  if (std::string Expected = C.Set(R, Value); !Expected.empty())
    problem(Cell, C.Name.str() + ": expected " + Expected + ", got '" +
                      Value.str() + "'");
}

void CaseReader::row(const CsvRow &Row) {
  if (Row.size() != ColumnOf.size())
    return problem(Row[0], "expected " + std::to_string(ColumnOf.size()) +
                               " cells as in the first line, got " +
                               std::to_string(Row.size()));
  size_t Before = Problems;
  bool Follows = false;
  for (size_t I = 0; I < Row.size(); ++I)
    if (ColumnOf[I] && ColumnOf[I]->Name == "case")
      Follows = ById.contains(StringRef(Row[I].Text).trim());
  RowValues R;
  for (size_t I = 0; I < Row.size(); ++I) {
    if (ColumnOf[I]) {
      cell(R, *ColumnOf[I], Row[I], Follows);
    } else if (StringRef Value = StringRef(Row[I].Text).trim();
               !Value.empty()) {
      double Number = 0;
      if (std::string Expected = parseNumber(Number, Value, 0);
          !Expected.empty())
        problem(Row[I], CounterNames[I] + ": expected " + Expected + ", got '" +
                            Value.str() + "'");
      R.Case.Counters.push_back({CounterNames[I], Number});
    }
  }
  if (Problems == Before)
    add(std::move(R), Row);
}

void CaseReader::add(RowValues R, const CsvRow &Row) {
  CaseLaunch &L = R.Launch;
  L.Line = Row[0].Line;
  if (L.Function.empty())
    L.Function = R.Case.Kernel;
  if (L.File.empty())
    L.File = Defaults.File;
  if (L.Repository.empty())
    L.Repository = Defaults.Repository;
  else if (L.Repository == OwnFolder)
    L.Repository.clear();
  if (L.File.empty())
    return problem(Row[0], "no source file: expected 'file:' in dataset.yaml "
                           "or a column 'file'");
  StringRef Extension = sys::path::extension(L.File);
  bool Device =
      Extension == ".cu" || Extension == ".cuh" || Extension == ".hip";
  if (Device && (!L.Grid || !L.Block))
    return problem(Row[0], Twine(L.Grid ? "block" : "grid").str() +
                               ": expected a value, since " + L.File +
                               " holds kernels");
  L.Caches = R.Caches.empty() ? Defaults.Caches : *parseCacheState(R.Caches);
  L.Timing =
      R.Timing.empty() ? Defaults.Timing : *launchTimingFromName(R.Timing);

  auto [Entry, IsNew] = ById.try_emplace(R.Case.Id, Cases.size());
  if (!IsNew) {
    MeasuredCase &First = Cases[Entry->second];
    if (First.Gpu != R.Case.Gpu)
      return problem(Row[0], "the case '" + First.Id + "' began on '" +
                                 First.Gpu + "', this row says '" + R.Case.Gpu +
                                 "'");
    First.Launches.push_back(std::move(L));
    return;
  }
  if (!R.Case.Base.empty())
    BaseRows.push_back({Cases.size(), Row[0]});
  R.Case.Part = splitOf(R.Case.Id);
  R.Case.Launches.push_back(std::move(L));
  Cases.push_back(std::move(R.Case));
}

/// A base point is a case of the same kernel and GPU, at a place of its own.
void CaseReader::checkBases() {
  for (const auto &[Index, Cell] : BaseRows) {
    const MeasuredCase &Case = Cases[Index];
    auto Base = ById.find(Case.Base);
    if (Base == ById.end() || Cases[Base->second].Kernel != Case.Kernel ||
        Cases[Base->second].Gpu != Case.Gpu)
      problem(Cell, "base: expected another case of '" + Case.Kernel +
                        "' on '" + Case.Gpu + "', got '" + Case.Base + "'");
  }
}

Expected<std::vector<MeasuredCase>> CaseReader::read(StringRef Csv) {
  Expected<std::vector<CsvRow>> Rows = readCsv(File, Csv);
  if (!Rows)
    return Rows.takeError();
  if (Rows->empty())
    return createStringError(
        printMessage(File, {1, 1}, "expected a line of column names"));
  header(Rows->front());
  if (Problems == 0)
    for (const CsvRow &Row : drop_begin(*Rows))
      row(Row);
  checkBases();
  if (Problems > MaxProblems)
    Text += "\n" + File.str() + ": and " +
            std::to_string(Problems - MaxProblems) + " more problems";
  if (Problems > 0)
    return createStringError(Text);
  return std::move(Cases);
}

Expected<std::vector<MeasuredCase>> readCases(StringRef File, StringRef Text,
                                              const CaseDefaults &Defaults) {
  return CaseReader(File, Defaults).read(Text);
}

} // namespace gpuestimate
