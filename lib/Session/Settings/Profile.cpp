/// \file
/// Reads profiles: header, then rows of kernel, metric and value, or a row of
/// values for each kernel.
#include "gpu-estimate/Session/Settings/Profile.h"

#include "PrintedName.h"
#include "gpu-estimate/Support/Csv.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace llvm;

namespace gpuestimate {

/// One name of a metric. A metric has several: later rows of its name count
/// only where the profile lacks the earlier ones.
struct ProfileMetric {
  StringLiteral Name;  ///< nvprof's, or one of Profile.h
  StringLiteral Ncu;   ///< its name in ncu
  double Factor = 1.0; ///< from ncu's value
};

static constexpr ProfileMetric Metrics[] = {
    {"flop_count_sp_add",
     "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"},
    {"flop_count_sp_mul",
     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"},
    {"flop_count_sp_fma",
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    {"flop_count_dp_add",
     "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum"},
    {"flop_count_dp_mul",
     "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum"},
    {"flop_count_dp_fma",
     "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"},
    {"flop_count_sp", ""},
    {"flop_count_dp", ""},
    {"inst_fp_32", "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum"},
    {"inst_fp_64", "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum"},
    {"inst_integer", "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"},
    {"inst_compute_ld_st",
     "smsp__sass_thread_inst_executed_op_memory_pred_on.sum"},
    {"inst_executed", "smsp__inst_executed.sum"},
    {"dram_read_transactions", "dram__sectors_read.sum"},
    {"dram_read_transactions", "dram__bytes_read.sum", 1.0 / 32},
    {"dram_write_transactions", "dram__sectors_write.sum"},
    {"dram_write_transactions", "dram__bytes_write.sum", 1.0 / 32},
    {"l2_read_transactions", "lts__t_sectors_op_read.sum"},
    {"l2_write_transactions", "lts__t_sectors_op_write.sum"},
    {"shared_load_transactions",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {"shared_store_transactions",
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {ProfiledTime, "gpu__time_duration.sum"},
    {ProfiledCoreClock, "smsp__cycles_elapsed.avg.per_second"},
    {ProfiledCoreClock, "sm__cycles_elapsed.avg.per_second"},
    {ProfiledCoreClock, "gpc__cycles_elapsed.avg.per_second"},
    {ProfiledMemoryClock, "dram__cycles_elapsed.avg.per_second"},
};

/// What makes one of a unit that a profiler prints: "Kinst" 1000, "usecond" and
/// "us" 1e-6, "cycle/nsecond" 1e9.
static double unitFactor(StringRef Unit) {
  bool IsRate = Unit.consume_front("cycle/");
  if (Unit.ends_with("second") || is_contained({"s", "ms", "us", "ns"}, Unit)) {
    double Time = Unit.starts_with("ms")   ? 1e-3
                  : Unit.starts_with("us") ? 1e-6
                  : Unit.starts_with("ns") ? 1e-9
                                           : 1;
    return IsRate ? 1 / Time : Time;
  }
  return Unit.starts_with("K")   ? 1e3
         : Unit.starts_with("M") ? 1e6
         : Unit.starts_with("G") ? 1e9
                                 : 1;
}

namespace {

class ProfileReader {
public:
  ProfileReader(StringRef File) : File(File) {}

  Expected<std::vector<KernelProfile>> read(StringRef Text);

private:
  /// Sums over the launches of one kernel.
  struct Sums {
    std::string Kernel, Device, ComputeCapability;
    std::array<double, std::size(Metrics)> Value{}, Launches{};
  };

  Error problem(const CsvCell &At, const Twine &Message) const {
    return createStringError(
        (File + ":" + Twine(At.Line) + ":" + Twine(At.Column) + ": " + Message)
            .str());
  }
  static int column(const CsvRow &Header, StringRef Name) {
    auto At = find_if(Header, [&](const CsvCell &C) { return C.Text == Name; });
    return At == Header.end() ? -1 : int(At - Header.begin());
  }
  Sums &kernel(StringRef Name) {
    for (Sums &S : Kernels)
      if (S.Kernel == Name)
        return S;
    Kernels.push_back({Name.str(), "", "", {}, {}});
    return Kernels.back();
  }
  static bool isHeader(const CsvRow &Row);
  Error readTable(ArrayRef<CsvRow> Rows);
  /// A value with its unit: "1,234", "2.5e3", "1.2" of "Kinst".
  Expected<double> value(const CsvCell &Cell, StringRef Unit) const;
  /// Notes the card of a row.
  void identify(const CsvRow &Header, const CsvRow &Row, StringRef Kernel);
  Error add(StringRef Kernel, unsigned Metric, const CsvCell &Cell,
            StringRef Unit, double Launches);
  Error readLong(ArrayRef<CsvRow> Rows, int Kernel, int Metric, int Value);
  Error readWide(ArrayRef<CsvRow> Rows, int Kernel);
  Error readTimes(ArrayRef<CsvRow> Rows, int Kernel, int Time);
  Error checkWidth(const CsvRow &Row, const CsvRow &Header) const {
    if (Row.size() == Header.size())
      return Error::success();
    return problem(Row.front(), "expected " + Twine(Header.size()) +
                                    " cells, got " + Twine(Row.size()));
  }
  std::vector<KernelProfile> means() const;

  StringRef File;
  std::vector<Sums> Kernels;
};

} // namespace

Expected<double> ProfileReader::value(const CsvCell &Cell,
                                      StringRef Unit) const {
  std::string Digits = Cell.Text;
  erase(Digits, ',');
  double Number = 0;
  if (StringRef(Digits).trim().getAsDouble(Number) || Number < 0)
    return problem(Cell, "expected a number, got '" + Cell.Text + "'");
  return Number * unitFactor(Unit);
}

Error ProfileReader::add(StringRef Kernel, unsigned Metric, const CsvCell &Cell,
                         StringRef Unit, double Launches) {
  Expected<double> Mean = value(Cell, Unit);
  if (!Mean)
    return Mean.takeError();
  Sums &S = kernel(Kernel);
  S.Value[Metric] += *Mean * Launches;
  S.Launches[Metric] += Launches;
  return Error::success();
}

void ProfileReader::identify(const CsvRow &Header, const CsvRow &Row,
                             StringRef Kernel) {
  // nvprof: "Tesla V100-PCIE-16GB (0)"; ncu has only the number.
  if (int At = column(Header, "Device"); At >= 0)
    if (StringRef Name = Row[At].Text; Name.contains(' '))
      kernel(Kernel).Device = Name.rsplit(" (").first.str();
  if (int At = column(Header, "CC"); At >= 0)
    kernel(Kernel).ComputeCapability = Row[At].Text;
}

Error ProfileReader::readLong(ArrayRef<CsvRow> Rows, int Kernel, int Metric,
                              int Value) {
  const CsvRow &Header = Rows.front();
  int Unit = column(Header, "Metric Unit");
  int Invocations = column(Header, "Invocations");
  for (const CsvRow &Row : Rows.drop_front()) {
    if (Error E = checkWidth(Row, Header))
      return E;
    const ProfileMetric *Listed = find_if(Metrics, [&](const ProfileMetric &M) {
      return M.Name == Row[Metric].Text || M.Ncu == Row[Metric].Text;
    });
    if (Listed == std::end(Metrics))
      continue;
    double Launches = 1;
    if (Invocations >= 0) {
      Expected<double> Count = value(Row[Invocations], "");
      if (!Count)
        return Count.takeError();
      Launches = *Count;
    }
    if (Error E = add(Row[Kernel].Text, Listed - Metrics, Row[Value],
                      Unit < 0 ? "" : Row[Unit].Text, Launches))
      return E;
    identify(Header, Row, Row[Kernel].Text);
  }
  return Error::success();
}

/// The row behind the header has the units.
Error ProfileReader::readWide(ArrayRef<CsvRow> Rows, int Kernel) {
  const CsvRow &Header = Rows.front();
  if (Rows.size() < 2)
    return Error::success();
  const CsvRow &Units = Rows[1];
  if (Error E = checkWidth(Units, Header))
    return E;
  for (const CsvRow &Row : Rows.drop_front(2)) {
    if (Error E = checkWidth(Row, Header))
      return E;
    for (unsigned M = 0; M < std::size(Metrics); ++M)
      if (int At = column(Header, Metrics[M].Ncu); At >= 0)
        if (Error E = add(Row[Kernel].Text, M, Row[At], Units[At].Text, 1))
          return E;
    identify(Header, Row, Row[Kernel].Text);
  }
  return Error::success();
}

/// The row behind the header has the unit of the times, as of counters of
/// readWide().
Error ProfileReader::readTimes(ArrayRef<CsvRow> Rows, int Kernel, int Time) {
  const CsvRow &Header = Rows.front();
  if (Rows.size() < 2)
    return Error::success();
  const CsvRow &Units = Rows[1];
  if (Error E = checkWidth(Units, Header))
    return E;
  int Calls = column(Header, "Calls");
  unsigned Metric =
      find_if(Metrics,
              [](const ProfileMetric &M) { return M.Name == ProfiledTime; }) -
      std::begin(Metrics);
  for (const CsvRow &Row : Rows.drop_front(2)) {
    if (Error E = checkWidth(Row, Header))
      return E;
    double Launches = 1;
    if (Calls >= 0) {
      Expected<double> Count = value(Row[Calls], "");
      if (!Count)
        return Count.takeError();
      Launches = *Count;
    }
    if (Error E = add(Row[Kernel].Text, Metric, Row[Time], Units[Time].Text,
                      Launches))
      return E;
  }
  return Error::success();
}

std::vector<KernelProfile> ProfileReader::means() const {
  std::vector<KernelProfile> Result;
  for (const Sums &S : Kernels) {
    KernelProfile &P = Result.emplace_back();
    P.Kernel = S.Kernel;
    P.Device = S.Device;
    P.ComputeCapability = S.ComputeCapability;
    for (unsigned M = 0; M < std::size(Metrics); ++M)
      if (S.Launches[M] > 0)
        P.Metrics.push_back({Metrics[M].Name.str(),
                             S.Value[M] / S.Launches[M] * Metrics[M].Factor});
  }
  return Result;
}

bool ProfileReader::isHeader(const CsvRow &Row) {
  return column(Row, "Kernel Name") >= 0 ||
         (column(Row, "Kernel") >= 0 && column(Row, "Metric Name") >= 0) ||
         (column(Row, "Name") >= 0 && column(Row, "Calls") >= 0);
}

Error ProfileReader::readTable(ArrayRef<CsvRow> Rows) {
  const CsvRow &Header = Rows.front();
  int Ncu = column(Header, "Kernel Name"), Nvprof = column(Header, "Kernel");
  int Metric = column(Header, "Metric Name");
  int Value = column(Header, "Metric Value"), Mean = column(Header, "Avg");
  if (int Timed = column(Header, "Name"); Timed >= 0 && Mean >= 0)
    return readTimes(Rows, Timed, Mean);
  if (Ncu >= 0 && Metric >= 0 && Value >= 0)
    return readLong(Rows, Ncu, Metric, Value);
  if (Nvprof >= 0 && Metric >= 0 && Mean >= 0)
    return readLong(Rows, Nvprof, Metric, Mean);
  if (Ncu >= 0)
    return readWide(Rows, Ncu);
  return problem(Header.front(),
                 "expected the columns of nvprof --csv (Kernel, "
                 "Metric Name, Avg) or ncu --csv (Kernel Name, "
                 "Metric Name, Metric Value)");
}

Expected<std::vector<KernelProfile>> ProfileReader::read(StringRef Text) {
  // Lines that the profiler and the program print around the tables become
  // blank, so that those of the tables keep their numbers.
  std::string Tables;
  bool Begun = false;
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    Begun |= !Line.starts_with("==") && Line.contains(',') &&
             (Line.contains("Kernel") || Line.contains("Calls"));
    if (Begun && !Line.starts_with("=="))
      Tables += Line;
    Tables += '\n';
  }
  Expected<std::vector<CsvRow>> Read = readCsv(File, Tables);
  if (!Read)
    return Read.takeError();
  ArrayRef<CsvRow> Rows = *Read;
  if (Rows.empty())
    return createStringError(
        (File + ": not a CSV table of nvprof --csv or ncu --csv").str());
  while (!Rows.empty()) {
    const CsvRow *End = std::find_if(Rows.begin() + 1, Rows.end(), isHeader);
    size_t Length = End - Rows.begin();
    if (Error E = readTable(Rows.take_front(Length)))
      return E;
    Rows = Rows.drop_front(Length);
  }
  return means();
}

Expected<std::vector<KernelProfile>> parseProfile(StringRef File,
                                                  StringRef Text) {
  return ProfileReader(File).read(Text);
}

const KernelProfile *findProfile(ArrayRef<KernelProfile> Profiles,
                                 StringRef Mangled, StringRef Name) {
  auto Found = find_if(Profiles, [&](const KernelProfile &P) {
    return meansKernel(P.Kernel, Mangled, Name);
  });
  return Found == Profiles.end() ? nullptr : &*Found;
}

std::optional<double> KernelProfile::metric(StringRef Name) const {
  for (const auto &[Known, Value] : Metrics)
    if (Known == Name)
      return Value;
  // A multiply-add is two operations.
  if (Name != "flop_count_sp" && Name != "flop_count_dp")
    return std::nullopt;
  std::optional<double> Add = metric((Name + "_add").str()),
                        Mul = metric((Name + "_mul").str()),
                        Fma = metric((Name + "_fma").str());
  if (!Add || !Mul || !Fma)
    return std::nullopt;
  return *Add + *Mul + 2 * *Fma;
}

/// "lacks inst_integer (ncu: smsp__...)"
static Error lacks(StringRef Name) {
  std::vector<std::string> Ncu;
  for (const ProfileMetric &M : Metrics)
    if (!M.Ncu.empty() && M.Name.starts_with(Name))
      Ncu.push_back(M.Ncu.str());
  return createStringError(
      "lacks " + Name.str() + " (ncu: " +
      (Name.starts_with("flop_count_") ? join(Ncu, ", ") : Ncu.front()) + ")");
}

/// Sets each of the given numbers to the metric of its name.
static Error fill(const KernelProfile &Profile,
                  ArrayRef<std::pair<StringLiteral, double *>> Wanted) {
  for (const auto &[Name, Into] : Wanted) {
    std::optional<double> Value = Profile.metric(Name);
    if (!Value)
      return lacks(Name);
    *Into = *Value;
  }
  return Error::success();
}

Expected<ProfileCounters> rooflineCounters(const KernelProfile &Profile) {
  ProfileCounters C;
  if (Error E = fill(Profile, {{"flop_count_sp_fma", &C.Fma32},
                               {"flop_count_dp_fma", &C.Fma64},
                               {"inst_fp_32", &C.Fp32},
                               {"inst_fp_64", &C.Fp64},
                               {"inst_integer", &C.Int},
                               {"inst_compute_ld_st", &C.LoadStore},
                               {"inst_executed", &C.WarpInstructions},
                               {"dram_read_transactions", &C.DramReads},
                               {"dram_write_transactions", &C.DramWrites}}))
    return E;
  return C;
}

Expected<std::vector<std::pair<std::string, double>>>
clusterCounters(const KernelProfile &Profile) {
  double Instructions = 0, Flop32 = 0, Flop64 = 0, SharedLoads = 0,
         SharedStores = 0, L2Reads = 0, L2Writes = 0, DramReads = 0,
         DramWrites = 0;
  if (Error E = fill(Profile, {{"inst_executed", &Instructions},
                               {"flop_count_sp", &Flop32},
                               {"flop_count_dp", &Flop64},
                               {"shared_load_transactions", &SharedLoads},
                               {"shared_store_transactions", &SharedStores},
                               {"l2_read_transactions", &L2Reads},
                               {"l2_write_transactions", &L2Writes},
                               {"dram_read_transactions", &DramReads},
                               {"dram_write_transactions", &DramWrites}}))
    return E;
  return std::vector<std::pair<std::string, double>>{
      {"warp_instructions", Instructions},
      {"flop_fp32", Flop32},
      {"flop_fp64", Flop64},
      {"shared_wavefronts", SharedLoads + SharedStores},
      {"l2_bytes", 32 * (L2Reads + L2Writes)},
      {"dram_read_bytes", 32 * DramReads},
      {"dram_write_bytes", 32 * DramWrites}};
}

Expected<Seconds> profiledTime(const KernelProfile &Profile) {
  double Time = 0;
  if (Error E = fill(Profile, {{ProfiledTime, &Time}}))
    return E;
  return Seconds(Time);
}

} // namespace gpuestimate
