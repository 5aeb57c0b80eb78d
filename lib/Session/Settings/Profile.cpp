/// \file
/// Reads profiles: header, then rows of kernel, metric and value, or a row of
/// values for each kernel.
#include "gpu-estimate/Session/Settings/Profile.h"

#include "gpu-estimate/Support/Csv.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <array>

using namespace llvm;

namespace gpuestimate {

namespace {
struct ProfileMetric {
  StringRef Nvprof, Ncu;
  double ProfileCounters::*Counter;
};
} // namespace

static constexpr ProfileMetric Metrics[] = {
    {"flop_count_sp_fma", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
     &ProfileCounters::Fma32},
    {"flop_count_dp_fma", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
     &ProfileCounters::Fma64},
    {"inst_fp_32", "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum",
     &ProfileCounters::Fp32},
    {"inst_fp_64", "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum",
     &ProfileCounters::Fp64},
    {"inst_integer", "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
     &ProfileCounters::Int},
    {"inst_compute_ld_st",
     "smsp__sass_thread_inst_executed_op_memory_pred_on.sum",
     &ProfileCounters::LoadStore},
    {"inst_executed", "smsp__inst_executed.sum",
     &ProfileCounters::WarpInstructions},
    {"dram_read_transactions", "dram__sectors_read.sum",
     &ProfileCounters::DramReads},
    {"dram_write_transactions", "dram__sectors_write.sum",
     &ProfileCounters::DramWrites},
};

namespace {

class ProfileReader {
public:
  ProfileReader(StringRef File) : File(File) {}

  Expected<std::vector<KernelProfile>> read(StringRef Text);

private:
  /// Sums over the launches of one kernel.
  struct Sums {
    std::string Kernel;
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
    Kernels.push_back({Name.str(), {}, {}});
    return Kernels.back();
  }
  /// A value with its unit: "1,234", "2.5e3", "1.2" of "Kinst".
  Expected<double> value(const CsvCell &Cell, StringRef Unit) const;
  Error add(StringRef Kernel, unsigned Metric, const CsvCell &Cell,
            StringRef Unit, double Launches);
  Error readLong(ArrayRef<CsvRow> Rows, int Kernel, int Metric, int Value);
  Error readWide(ArrayRef<CsvRow> Rows, int Kernel);
  Expected<std::vector<KernelProfile>> means() const;

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
    return problem(Cell, "expected a count, got '" + Cell.Text + "'");
  if (Unit.starts_with("K"))
    return Number * 1e3;
  if (Unit.starts_with("M"))
    return Number * 1e6;
  if (Unit.starts_with("G"))
    return Number * 1e9;
  return Number;
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

Error ProfileReader::readLong(ArrayRef<CsvRow> Rows, int Kernel, int Metric,
                              int Value) {
  const CsvRow &Header = Rows.front();
  int Unit = column(Header, "Metric Unit");
  int Invocations = column(Header, "Invocations");
  for (const CsvRow &Row : Rows.drop_front()) {
    if (Row.size() != Header.size())
      return problem(Row.front(), "expected " + Twine(Header.size()) +
                                      " cells, got " + Twine(Row.size()));
    const ProfileMetric *Listed = find_if(Metrics, [&](const ProfileMetric &M) {
      return M.Nvprof == Row[Metric].Text || M.Ncu == Row[Metric].Text;
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
  }
  return Error::success();
}

/// The row behind the header has the units.
Error ProfileReader::readWide(ArrayRef<CsvRow> Rows, int Kernel) {
  const CsvRow &Header = Rows.front();
  if (Rows.size() < 2)
    return Error::success();
  const CsvRow &Units = Rows[1];
  for (const CsvRow &Row : Rows.drop_front(2)) {
    if (Row.size() != Header.size() || Units.size() != Header.size())
      return problem(Row.front(), "expected " + Twine(Header.size()) +
                                      " cells, got " + Twine(Row.size()));
    for (unsigned M = 0; M < std::size(Metrics); ++M)
      if (int At = column(Header, Metrics[M].Ncu); At >= 0)
        if (Error E = add(Row[Kernel].Text, M, Row[At], Units[At].Text, 1))
          return E;
  }
  return Error::success();
}

Expected<std::vector<KernelProfile>> ProfileReader::means() const {
  std::vector<KernelProfile> Result;
  for (const Sums &S : Kernels) {
    KernelProfile &P = Result.emplace_back();
    P.Kernel = S.Kernel;
    for (unsigned M = 0; M < std::size(Metrics); ++M) {
      if (S.Launches[M] <= 0)
        return createStringError((File + ": '" + S.Kernel + "' lacks " +
                                  Metrics[M].Nvprof +
                                  " (ncu: " + Metrics[M].Ncu + ")")
                                     .str());
      P.Counters.*Metrics[M].Counter = S.Value[M] / S.Launches[M];
    }
  }
  return Result;
}

Expected<std::vector<KernelProfile>> ProfileReader::read(StringRef Text) {
  // Lines that the profiler and the program print around the table.
  size_t Skipped = 0;
  for (StringRef Rest = Text; !Rest.empty();
       Skipped = Text.size() - Rest.size()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (!Line.starts_with("==") && Line.contains("Kernel") &&
        Line.contains(','))
      break;
  }
  Expected<std::vector<CsvRow>> Rows = readCsv(File, Text.drop_front(Skipped));
  if (!Rows)
    return Rows.takeError();
  if (Rows->empty())
    return createStringError(
        (File + ": not a CSV table of nvprof --csv or ncu --csv").str());
  unsigned Before = Text.take_front(Skipped).count('\n');
  for (CsvRow &Row : *Rows)
    for (CsvCell &Cell : Row)
      Cell.Line += Before;
  const CsvRow &Header = Rows->front();
  int Ncu = column(Header, "Kernel Name"), Nvprof = column(Header, "Kernel");
  int Metric = column(Header, "Metric Name");
  int Value = column(Header, "Metric Value"), Mean = column(Header, "Avg");
  Error E = Error::success();
  if (Ncu >= 0 && Metric >= 0 && Value >= 0)
    E = readLong(*Rows, Ncu, Metric, Value);
  else if (Nvprof >= 0 && Metric >= 0 && Mean >= 0)
    E = readLong(*Rows, Nvprof, Metric, Mean);
  else if (Ncu >= 0)
    E = readWide(*Rows, Ncu);
  else
    E = problem(Header.front(), "expected the columns of nvprof --csv (Kernel, "
                                "Metric Name, Avg) or ncu --csv (Kernel Name, "
                                "Metric Name, Metric Value)");
  if (E)
    return E;
  return means();
}

Expected<std::vector<KernelProfile>> parseProfile(StringRef File,
                                                  StringRef Text) {
  return ProfileReader(File).read(Text);
}

/// "void f<int>(float*)" -> "f<int>".
static StringRef plainName(StringRef Printed) {
  Printed.consume_front("void ");
  int Depth = 0;
  for (size_t I = 0; I < Printed.size(); ++I) {
    Depth += Printed[I] == '<';
    Depth -= Printed[I] == '>';
    if (Printed[I] == '(' && Depth == 0)
      return Printed.take_front(I);
  }
  return Printed;
}

const KernelProfile *findProfile(ArrayRef<KernelProfile> Profiles,
                                 StringRef Mangled, StringRef Name) {
  auto Found = find_if(Profiles, [&](const KernelProfile &P) {
    return P.Kernel == Mangled || plainName(P.Kernel) == plainName(Name);
  });
  return Found == Profiles.end() ? nullptr : &*Found;
}

} // namespace gpuestimate
