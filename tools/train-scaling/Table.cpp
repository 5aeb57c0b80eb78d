#include "Table.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace gpuestimate {

static const char *const Header =
    "dataset,kernel,gpu,base_core_mhz,base_memory_mhz,sm_count,core_mhz,"
    "memory_mhz,measured_ms,predicted_ms,features";

std::string MeasuredTable::name() const {
  std::ostringstream Name;
  Name << Gpu << '@' << Grid.CoreClocks[Base.Core] << 'x'
       << Grid.MemoryClocks[Base.Memory];
  return Name.str();
}

namespace {

struct Line {
  double Sm, Core, Memory, Measured, Predicted;
  std::string Features;
};

using Configuration = std::vector<double>; // count, core, memory

} // namespace

static std::vector<std::string> split(const std::string &Text, char Separator) {
  std::vector<std::string> Parts;
  std::istringstream In(Text);
  for (std::string Part; std::getline(In, Part, Separator);)
    Parts.push_back(Part);
  return Parts;
}

static double number(const std::string &Text, const std::string &Place) {
  size_t End = 0;
  double Value = 0;
  try {
    Value = std::stod(Text, &End);
  } catch (const std::exception &) {
    End = 0;
  }
  if (Text.empty() || End != Text.size())
    throw std::runtime_error(Place + ": expected a number, got '" + Text + "'");
  return Value;
}

static std::vector<double> sorted(const std::set<double> &Values) {
  return {Values.begin(), Values.end()};
}

static size_t indexIn(const std::vector<double> &Values, double Value) {
  return static_cast<size_t>(
      std::lower_bound(Values.begin(), Values.end(), Value) - Values.begin());
}

/// Makes a table of the lines of its kernels.
static MeasuredTable
tableOf(const std::vector<std::string> &Names,
        const std::map<std::string, std::vector<Line>> &Kernels,
        double BaseCore, double BaseMemory, const std::string &File) {
  MeasuredTable Table;
  std::set<double> Sms, Cores, Memories;
  for (const auto &[Name, Lines] : Kernels)
    for (const Line &L : Lines) {
      Sms.insert(L.Sm);
      Cores.insert(L.Core);
      Memories.insert(L.Memory);
    }
  Table.Grid = {sorted(Sms), sorted(Cores), sorted(Memories)};
  Table.Base = {Sms.size() - 1, indexIn(Table.Grid.CoreClocks, BaseCore),
                indexIn(Table.Grid.MemoryClocks, BaseMemory)};
  for (const std::string &Name : Names) {
    MeasuredKernel Kernel;
    Kernel.Name = Name;
    Kernel.Measured.assign(Table.Grid.size(), 0);
    Kernel.Predicted = Kernel.Measured;
    for (const Line &L : Kernels.at(Name)) {
      size_t At =
          indexOf(Table.Grid, {indexIn(Table.Grid.SmCounts, L.Sm),
                               indexIn(Table.Grid.CoreClocks, L.Core),
                               indexIn(Table.Grid.MemoryClocks, L.Memory)});
      Kernel.Measured[At] = L.Measured;
      Kernel.Predicted[At] = L.Predicted;
      for (const std::string &Feature : split(L.Features, ' ')) {
        size_t Equals = Feature.find('=');
        if (Equals != std::string::npos)
          Kernel.Features[Feature.substr(0, Equals)] =
              number(Feature.substr(Equals + 1), File + ": " + Name);
      }
    }
    bool Complete = std::all_of(Kernel.Measured.begin(), Kernel.Measured.end(),
                                [](double Ms) { return Ms > 0; });
    if (Complete && !Kernel.Features.empty())
      Table.Kernels.push_back(std::move(Kernel));
    else
      Table.Incomplete.push_back(Name);
  }
  return Table;
}

std::vector<MeasuredTable> readTables(const std::string &File) {
  std::ifstream In(File);
  std::string Text;
  if (!std::getline(In, Text) || Text != Header)
    throw std::runtime_error(File + ":1: expected the header '" + Header + "'");
  struct Group {
    std::vector<std::string> Names;
    std::map<std::string, std::vector<Line>> Kernels;
    std::string Dataset, Gpu;
    double Core, Memory;
  };
  std::vector<std::string> Order;
  std::map<std::string, Group> Groups;
  for (unsigned Number = 2; std::getline(In, Text); ++Number) {
    std::string Place = File + ":" + std::to_string(Number);
    std::vector<std::string> Cells = split(Text, ',');
    if (Cells.size() == 10)
      Cells.emplace_back();
    if (Cells.size() != 11)
      throw std::runtime_error(Place + ": expected 11 cells, got " +
                               std::to_string(Cells.size()));
    std::string Key =
        Cells[0] + "," + Cells[2] + "," + Cells[3] + "," + Cells[4];
    if (!Groups.count(Key))
      Order.push_back(Key);
    Group &G = Groups[Key];
    G.Dataset = Cells[0];
    G.Gpu = Cells[2];
    G.Core = number(Cells[3], Place);
    G.Memory = number(Cells[4], Place);
    if (!G.Kernels.count(Cells[1]))
      G.Names.push_back(Cells[1]);
    G.Kernels[Cells[1]].push_back(
        {number(Cells[5], Place), number(Cells[6], Place),
         number(Cells[7], Place), number(Cells[8], Place),
         number(Cells[9], Place), Cells[10]});
  }
  std::vector<MeasuredTable> Tables;
  for (const std::string &Key : Order) {
    const Group &G = Groups[Key];
    Tables.push_back(tableOf(G.Names, G.Kernels, G.Core, G.Memory, File));
    Tables.back().Dataset = G.Dataset;
    Tables.back().Gpu = G.Gpu;
  }
  return Tables;
}

} // namespace gpuestimate
