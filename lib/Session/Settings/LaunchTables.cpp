/// \file
/// Tables of launches. The columns of all profilers are roles with a few names
/// each, so that one reader takes their tables and those of users:
///
///   nsys    Duration (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,...,Name
///   ncu     "ID",...,"Kernel Name",...,"Block Size","Grid Size",...
///   rocprof "KernelName",...,"grd","wgr",...,"DurationNs"
///   a user  kernel,grid,block,n,time_us
#include "LaunchFormats.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "gpu-estimate/Support/Csv.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <map>

using namespace llvm;

namespace gpuestimate {

std::optional<double> timeUnit(StringRef Unit) {
  return StringSwitch<std::optional<double>>(Unit)
      .Cases("s", "second", "sec", 1)
      .Cases("ms", "msecond", "msec", 1e-3)
      .Cases("us", "usecond", "usec", "\xC2\xB5s", 1e-6)
      .Cases("ns", "nsecond", "nsec", 1e-9)
      .Default(std::nullopt);
}

std::optional<double> byteUnit(StringRef Unit) {
  Unit.consume_back("/block");
  return StringSwitch<std::optional<double>>(Unit)
      .Cases("B", "byte", "bytes", 1)
      .Cases("KB", "Kbyte", 1e3)
      .Cases("MB", "Mbyte", 1e6)
      .Case("KiB", 1024)
      .Case("MiB", 1024 * 1024)
      .Default(std::nullopt);
}

namespace {

/// What a column is about.
enum class Role : uint8_t {
  Kernel,
  Grid, ///< in blocks, "64", "(64, 1, 1)", "64 1 1" or "64x1"
  GridX,
  GridY,
  GridZ,
  Threads, ///< of the whole grid, as AMD's tools count it
  ThreadsX,
  ThreadsY,
  ThreadsZ,
  Block,
  BlockX,
  BlockY,
  BlockZ,
  DynamicShared,
  Time,
  Begin,
  End,
  Count,
  Device,
  // These columns are of tables with a row for each metric.
  Launch, ///< the launch's number
  Metric,
  MetricUnit,
  MetricValue,
  Argument, ///< of the kernel: any other column of a user's table
  Other,
};

struct RoleName {
  StringLiteral Name; ///< without its unit in brackets
  Role Is;
  /// Unit of the values, where the name tells it; other columns have it in
  /// brackets behind the name, or in a row of units.
  StringLiteral Unit = "";
};

constexpr RoleName RoleNames[] = {
    // A user's table.
    {"kernel", Role::Kernel},
    {"grid", Role::Grid},
    {"block", Role::Block},
    {"dynamic_smem", Role::DynamicShared, "B"},
    {"time_s", Role::Time, "s"},
    {"time_ms", Role::Time, "ms"},
    {"time_us", Role::Time, "us"},
    {"time_ns", Role::Time, "ns"},
    {"count", Role::Count},
    {"gpu", Role::Device},
    // nsys stats: cuda_gpu_trace, cuda_gpu_kern_sum, cuda_gpu_kern_gb_sum,
    // cuda_kern_exec_trace and cuda_kern_exec_sum.
    {"Name", Role::Kernel},
    {"Kernel Name", Role::Kernel},
    {"GrdX", Role::GridX},
    {"GrdY", Role::GridY},
    {"GrdZ", Role::GridZ},
    {"BlkX", Role::BlockX},
    {"BlkY", Role::BlockY},
    {"BlkZ", Role::BlockZ},
    {"GridXYZ", Role::Grid},
    {"BlockXYZ", Role::Block},
    {"DymSMem", Role::DynamicShared},
    {"Duration", Role::Time},
    {"Avg", Role::Time},
    {"KAvg", Role::Time},
    {"Kernel Dur", Role::Time},
    {"Instances", Role::Count},
    {"Count", Role::Count},
    {"Device", Role::Device},
    // ncu --csv, also with --page raw.
    {"ID", Role::Launch},
    {"Grid Size", Role::Grid},
    {"Block Size", Role::Block},
    {"Metric Name", Role::Metric},
    {"Metric Unit", Role::MetricUnit},
    {"Metric Value", Role::MetricValue},
    {"gpu__time_duration.sum", Role::Time},
    {"launch__shared_mem_per_block_dynamic", Role::DynamicShared},
    // nvprof --print-gpu-trace --csv.
    {"Grid X", Role::GridX},
    {"Grid Y", Role::GridY},
    {"Grid Z", Role::GridZ},
    {"Block X", Role::BlockX},
    {"Block Y", Role::BlockY},
    {"Block Z", Role::BlockZ},
    {"Dynamic SMem", Role::DynamicShared},
    {"Calls", Role::Count},
    // rocprof, rocprofv2 and rocprofv3.
    {"KernelName", Role::Kernel},
    {"Kernel_Name", Role::Kernel},
    {"grd", Role::Threads},
    {"wgr", Role::Block},
    {"Grid_Size", Role::Threads},
    {"Workgroup_Size", Role::Block},
    {"Grid_Size_X", Role::ThreadsX},
    {"Grid_Size_Y", Role::ThreadsY},
    {"Grid_Size_Z", Role::ThreadsZ},
    {"Workgroup_Size_X", Role::BlockX},
    {"Workgroup_Size_Y", Role::BlockY},
    {"Workgroup_Size_Z", Role::BlockZ},
    {"DurationNs", Role::Time, "ns"},
    {"AverageNs", Role::Time, "ns"},
    {"BeginNs", Role::Begin, "ns"},
    {"EndNs", Role::End, "ns"},
    {"Start_Timestamp", Role::Begin, "ns"},
    {"End_Timestamp", Role::End, "ns"},
};

/// Metrics of ncu's tables with a row for each.
struct MetricRole {
  StringLiteral Name;
  Role Is;
};
constexpr MetricRole MetricRoles[] = {
    {"gpu__time_duration.sum", Role::Time},
    {"Duration", Role::Time},
    {"launch__shared_mem_per_block_dynamic", Role::DynamicShared},
    {"Dynamic Shared Memory Per Block", Role::DynamicShared},
};

struct Column {
  Role Is = Role::Other;
  std::string Name;
  std::string Unit;
};

using Sizes = std::array<uint64_t, 3>;

/// One table: its header, then its rows.
class TableReader {
public:
  explicit TableReader(StringRef File) : File(File) {}

  /// Whether the row is a header of launches; takes its columns then.
  bool begin(const CsvRow &Header);
  /// The row behind the header has units in place of values; takes them.
  bool takeUnits(const CsvRow &Row);
  TimedBy timedBy() const {
    bool IsNcu = any_of(Columns, [](const Column &C) {
      return C.Is == Role::Metric || C.Name == "gpu__time_duration.sum";
    });
    return IsUsers ? TimedBy::Unknown
           : IsNcu ? TimedBy::Counters
                   : TimedBy::Timeline;
  }
  Error take(const CsvRow &Row, std::vector<RecordedLaunch> &Into);

private:
  Error problem(const CsvCell &At, const Twine &Expected) const {
    return createStringError((File + ":" + Twine(At.Line) + ":" +
                              Twine(At.Column) + ": expected " + Expected +
                              ", got '" + At.Text + "'")
                                 .str());
  }
  int column(Role Is) const {
    auto At = find_if(Columns, [&](const Column &C) { return C.Is == Is; });
    return At == Columns.end() ? -1 : int(At - Columns.begin());
  }
  /// The cell of the role; null where there is none or it is empty.
  const CsvCell *cell(const CsvRow &Row, Role Is) const {
    int At = column(Is);
    return At < 0 || StringRef(Row[At].Text).trim().empty() ? nullptr
                                                            : &Row[At];
  }
  Expected<double> number(const CsvCell &Cell) const;
  /// In the unit of its column, times what makes one of it a second or byte.
  Expected<double> scaled(const CsvRow &Row, Role Is,
                          std::optional<double> (*Unit)(StringRef)) const;
  Expected<std::optional<Sizes>> whole(const CsvRow &Row, Role Is) const;
  Expected<std::optional<Sizes>> axes(const CsvRow &Row, Role X) const;
  Expected<std::optional<Sizes>> sizes(const CsvRow &Row, Role Whole,
                                       Role X) const;
  Error takeSizes(const CsvRow &Row, RecordedLaunch &L) const;
  Error takeTime(const CsvRow &Row, RecordedLaunch &L) const;
  Error takeMetric(const CsvRow &Row, RecordedLaunch &L) const;
  Error takeArguments(const CsvRow &Row, RecordedLaunch &L) const;

  StringRef File;
  std::vector<Column> Columns;
  bool IsUsers = false;
  std::map<std::string, size_t> ByNumber; ///< place in the launches
};

} // namespace

/// "Duration (ns)" -> "Duration", "ns".
static std::pair<StringRef, StringRef> splitUnit(StringRef Name) {
  StringRef Plain = Name.trim();
  if (!Plain.ends_with(")"))
    return {Plain, ""};
  auto [Front, Back] = Plain.rsplit(" (");
  return Back.empty() ? std::pair(Plain, StringRef())
                      : std::pair(Front.rtrim(), Back.drop_back());
}

bool TableReader::begin(const CsvRow &Header) {
  std::vector<Column> Found;
  bool Users =
      any_of(Header, [](const CsvCell &C) { return C.Text == "kernel"; });
  for (const CsvCell &Cell : Header) {
    auto [Name, Unit] = splitUnit(Cell.Text);
    Column &C = Found.emplace_back();
    C.Name = Name.str();
    const auto *Known =
        find_if(RoleNames, [&](const RoleName &R) { return R.Name == Name; });
    if (Known == std::end(RoleNames)) {
      C.Is = Users ? Role::Argument : Role::Other;
      continue;
    }
    C.Is = Known->Is;
    C.Unit = Unit.empty() ? Known->Unit.str() : Unit.str();
  }
  auto Has = [&](Role Is) {
    return any_of(Found, [&](const Column &C) { return C.Is == Is; });
  };
  // Calls of the host's interface have a name and a time, too.
  bool IsOfHost =
      any_of(Found, [](const Column &C) { return C.Name == "Num Calls"; });
  if (!Has(Role::Kernel) || IsOfHost ||
      (!Has(Role::Time) && !Has(Role::Grid) && !Has(Role::GridX) &&
       !Has(Role::Begin) && !Has(Role::MetricValue) && !Users))
    return false;
  Columns = std::move(Found);
  IsUsers = Users;
  ByNumber.clear();
  return true;
}

bool TableReader::takeUnits(const CsvRow &Row) {
  if (IsUsers || Row.size() != Columns.size())
    return false;
  int Kernel = column(Role::Kernel), Time = column(Role::Time);
  bool IsRow = Time >= 0 && (timeUnit(Row[Time].Text) || Row[Time].Text == "%");
  if (Kernel < 0 || !Row[Kernel].Text.empty() || !IsRow)
    return false;
  for (auto [C, Cell] : zip_equal(Columns, Row))
    if (!Cell.Text.empty())
      C.Unit = Cell.Text;
  return true;
}

Expected<double> TableReader::number(const CsvCell &Cell) const {
  std::string Digits = StringRef(Cell.Text).trim().str();
  if (!IsUsers)
    erase(Digits, ','); // "1,234"
  double Value = 0;
  if (!to_float(Digits, Value) || !std::isfinite(Value) || Value < 0)
    return problem(Cell, "a number that is not negative");
  return Value;
}

Expected<double>
TableReader::scaled(const CsvRow &Row, Role Is,
                    std::optional<double> (*Unit)(StringRef)) const {
  const Column &C = Columns[column(Is)];
  Expected<double> Value = number(Row[column(Is)]);
  if (!Value)
    return Value.takeError();
  std::optional<double> Factor = Unit(C.Unit);
  if (!Factor)
    return problem(Row[column(Is)],
                   C.Unit.empty()
                       ? "the unit of '" + C.Name +
                             "' in the header, such as '" + C.Name + " (ns)'"
                       : "a column in another unit than '" + C.Unit + "'");
  return *Value * *Factor;
}

/// "(64, 1, 1)", "  64    1    1", "64x1", "64".
Expected<std::optional<Sizes>> TableReader::whole(const CsvRow &Row,
                                                  Role Is) const {
  const CsvCell *Cell = cell(Row, Is);
  if (!Cell)
    return std::nullopt;
  StringRef Text = StringRef(Cell->Text).trim();
  if (Text.consume_front("("))
    Text.consume_back(")");
  SmallVector<StringRef> Parts;
  SplitString(Text, Parts, " ,x");
  Expected<Sizes> Read = parseSizes(join(Parts, ","));
  if (Read)
    return *Read;
  consumeError(Read.takeError());
  return problem(*Cell, "one to three sizes above 0");
}

/// The columns of X, Y and Z, which follow each other in Role.
Expected<std::optional<Sizes>> TableReader::axes(const CsvRow &Row,
                                                 Role X) const {
  Sizes Read = {1, 1, 1};
  for (unsigned I = 0; I < 3; ++I) {
    const CsvCell *Cell = cell(Row, Role(unsigned(X) + I));
    if (!Cell && I == 0)
      return std::nullopt;
    if (!Cell)
      continue;
    Expected<uint64_t> Size = parseInteger(StringRef(Cell->Text).trim());
    if (Size && *Size > 0) {
      Read[I] = *Size;
      continue;
    }
    if (!Size)
      consumeError(Size.takeError());
    return problem(*Cell, "a size above 0");
  }
  return Read;
}

Expected<std::optional<Sizes>> TableReader::sizes(const CsvRow &Row, Role Whole,
                                                  Role X) const {
  Expected<std::optional<Sizes>> Read = whole(Row, Whole);
  if (!Read || *Read)
    return Read;
  return axes(Row, X);
}

Error TableReader::takeSizes(const CsvRow &Row, RecordedLaunch &L) const {
  auto Take = [&](Role Whole, Role X, std::optional<Sizes> &Into) -> Error {
    Expected<std::optional<Sizes>> Read = sizes(Row, Whole, X);
    if (!Read)
      return Read.takeError();
    Into = *Read;
    return Error::success();
  };
  std::optional<Sizes> Threads;
  if (Error E = Take(Role::Block, Role::BlockX, L.Sizes.Block))
    return E;
  if (Error E = Take(Role::Grid, Role::GridX, L.Sizes.Grid))
    return E;
  if (Error E = Take(Role::Threads, Role::ThreadsX, Threads))
    return E;
  if (Threads && L.Sizes.Block) {
    L.Sizes.Grid = Sizes();
    for (unsigned I = 0; I < 3; ++I)
      (*L.Sizes.Grid)[I] =
          ((*Threads)[I] + (*L.Sizes.Block)[I] - 1) / (*L.Sizes.Block)[I];
  }
  if (cell(Row, Role::DynamicShared)) {
    Expected<double> Bytes = scaled(Row, Role::DynamicShared, byteUnit);
    if (!Bytes)
      return Bytes.takeError();
    L.Sizes.DynamicSharedBytes = static_cast<uint64_t>(std::ceil(*Bytes));
  }
  return Error::success();
}

Error TableReader::takeTime(const CsvRow &Row, RecordedLaunch &L) const {
  if (const CsvCell *Cell = cell(Row, Role::Count)) {
    Expected<double> Count = number(*Cell);
    if (!Count)
      return Count.takeError();
    L.Count = *Count;
  }
  if (cell(Row, Role::Time)) {
    Expected<double> Time = scaled(Row, Role::Time, timeUnit);
    if (!Time)
      return Time.takeError();
    L.Time = Seconds(*Time);
  } else if (cell(Row, Role::Begin) && cell(Row, Role::End)) {
    Expected<double> Begin = scaled(Row, Role::Begin, timeUnit);
    if (!Begin)
      return Begin.takeError();
    Expected<double> End = scaled(Row, Role::End, timeUnit);
    if (!End)
      return End.takeError();
    if (*End < *Begin)
      return problem(*cell(Row, Role::End), "an end behind the begin");
    L.Time = Seconds(*End - *Begin);
  }
  return Error::success();
}

Error TableReader::takeMetric(const CsvRow &Row, RecordedLaunch &L) const {
  const CsvCell *Name = cell(Row, Role::Metric),
                *Value = cell(Row, Role::MetricValue),
                *Unit = cell(Row, Role::MetricUnit);
  if (!Name || !Value)
    return Error::success();
  const auto *Known = find_if(
      MetricRoles, [&](const MetricRole &M) { return M.Name == Name->Text; });
  if (Known == std::end(MetricRoles))
    return Error::success();
  Expected<double> Number = number(*Value);
  if (!Number)
    return Number.takeError();
  StringRef Spelled = Unit ? StringRef(Unit->Text) : "";
  std::optional<double> Factor =
      Known->Is == Role::Time ? timeUnit(Spelled) : byteUnit(Spelled);
  if (!Factor)
    return problem(Unit ? *Unit : *Value, "a unit of " + Name->Text);
  if (Known->Is == Role::Time)
    L.Time = Seconds(*Number * *Factor);
  else
    L.Sizes.DynamicSharedBytes =
        static_cast<uint64_t>(std::llround(*Number * *Factor));
  return Error::success();
}

Error TableReader::takeArguments(const CsvRow &Row, RecordedLaunch &L) const {
  for (auto [C, Cell] : zip_equal(Columns, Row)) {
    if (C.Is != Role::Argument || StringRef(Cell.Text).trim().empty())
      continue;
    Expected<double> Value = parseNumber(StringRef(Cell.Text).trim());
    if (!Value) {
      consumeError(Value.takeError());
      return problem(Cell, "a value of '" + C.Name + "'");
    }
    L.Parameters.push_back({C.Name, *Value});
  }
  return Error::success();
}

Error TableReader::take(const CsvRow &Row, std::vector<RecordedLaunch> &Into) {
  if (Row.size() != Columns.size())
    return createStringError((File + ":" + Twine(Row.front().Line) +
                              ":1: expected " + Twine(Columns.size()) +
                              " cells as in the header, got " +
                              Twine(Row.size()))
                                 .str());
  const CsvCell *Name = cell(Row, Role::Kernel);
  if (!Name)
    return Error::success();
  RecordedLaunch L;
  L.Kernel = StringRef(Name->Text).trim().str();
  L.Line = Row.front().Line;
  if (Error E = takeSizes(Row, L))
    return E;
  // Copies and sets of memory stand among the kernels and have no grid.
  bool HasGridColumn = column(Role::GridX) >= 0 || column(Role::Grid) >= 0;
  if (!IsUsers && HasGridColumn && !L.Sizes.Grid)
    return Error::success();
  if (Error E = takeTime(Row, L))
    return E;
  if (Error E = takeArguments(Row, L))
    return E;
  // "NVIDIA A100-SXM4-80GB (0)"; ncu has only the number.
  if (const CsvCell *Device = cell(Row, Role::Device))
    if (IsUsers || StringRef(Device->Text).contains(' '))
      L.Device = StringRef(Device->Text).rsplit(" (").first.str();
  if (column(Role::Metric) < 0) {
    Into.push_back(std::move(L));
    return Error::success();
  }
  const CsvCell *Number = cell(Row, Role::Launch);
  auto [Place, IsNew] =
      ByNumber.try_emplace(Number ? Number->Text : L.Kernel, Into.size());
  if (IsNew)
    Into.push_back(std::move(L));
  return takeMetric(Row, Into[Place->second]);
}

Expected<LaunchFile> readLaunchTables(StringRef File, StringRef Text) {
  TableReader Reader(File);
  // Lines in front of a header become blank, so that all keep their numbers.
  std::string Tables;
  bool InTable = false;
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (Line.contains(',') && !InTable) {
      Expected<std::vector<CsvRow>> Row = readCsv(File, Line);
      if (!Row)
        consumeError(Row.takeError());
      else
        InTable = !Row->empty() && Reader.begin(Row->front());
    }
    if (InTable && !Line.starts_with("=="))
      Tables += Line;
    // nsys puts an empty line between its tables.
    InTable &= !Line.trim().empty();
    Tables += '\n';
  }
  Expected<std::vector<CsvRow>> Rows = readCsv(File, Tables);
  if (!Rows)
    return Rows.takeError();
  if (Rows->empty())
    return createStringError(
        File + ": no table of launches: expected a header with kernel,grid,"
               "block, or one of ncu --csv, nsys stats --format csv, nvprof "
               "--csv --print-gpu-trace, rocprof or rocprofv3");
  LaunchFile Read{File.str()};
  bool IsFirst = false;
  for (const CsvRow &Row : *Rows) {
    if (Reader.begin(Row)) {
      IsFirst = true;
      Read.By = Reader.timedBy();
      continue;
    }
    if (IsFirst && Reader.takeUnits(Row)) {
      IsFirst = false;
      continue;
    }
    IsFirst = false;
    if (Error E = Reader.take(Row, Read.Launches))
      return std::move(E);
  }
  return Read;
}

} // namespace gpuestimate
