/// \file
/// A trace in Google's Trace Event Format ("Trace Event Format", 2016), with
/// the categories of PyTorch's Kineto: kernel, gpu_memcpy, gpu_memset,
/// cuda_runtime, cpu_op, and arrows "ac2g" from calls to their work.
#include "gpu-estimate/Report/Run/Run.h"
#include "gpu-estimate/Run/DeviceStreams.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <set>

using namespace llvm;

namespace gpuestimate {

namespace {

/// The events of one GPU: two processes, its streams and its host.
class RunTracePrinter {
public:
  RunTracePrinter(json::OStream &J, const RunReport &Run, uint64_t Number)
      : J(J), Run(Run), Gpu(2 * Number), Host(2 * Number + 1),
        FirstCorrelation(Number << 32) {}
  void print();

private:
  static constexpr double NsPerUs = 1e3;
  /// Calls, launches and copies beyond these are left out: viewers load traces
  /// of a few hundred megabytes.
  static constexpr size_t MaxEvents = 200000;
  using Fields = function_ref<void()>;

  void name(StringRef Kind, uint64_t Process, uint64_t Thread, StringRef Name);
  void names();
  void event(StringRef Category, StringRef Name, uint64_t Process,
             uint64_t Thread, double StartNs, double EndNs, Fields Args);
  template <class T> static ArrayRef<T> shown(const std::vector<T> &All) {
    return ArrayRef(All).take_front(MaxEvents);
  }
  void labelWhatIsLeftOut();
  void arrow(std::optional<size_t> Call, RunHandle Stream, double StartNs);
  void correlation(std::optional<size_t> Call);
  void launches();
  void copies();
  void calls();

  json::OStream &J;
  const RunReport &Run;
  uint64_t Gpu, Host;        ///< process numbers
  uint64_t FirstCorrelation; ///< arrows of several GPUs stay apart
};

} // namespace

static std::string utf8(StringRef Text) {
  return json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text);
}

void RunTracePrinter::name(StringRef Kind, uint64_t Process, uint64_t Thread,
                           StringRef Name) {
  J.object([&] {
    J.attribute("ph", "M");
    J.attribute("name", Kind);
    J.attribute("pid", Process);
    J.attribute("tid", Thread);
    StringRef Key = Kind == "process_labels" ? "labels" : "name";
    J.attributeObject("args", [&] { J.attribute(Key, utf8(Name)); });
  });
}

void RunTracePrinter::names() {
  name("process_name", Gpu, 0, Run.GpuName);
  name("process_name", Host, 0, "host of " + Run.GpuName);
  std::set<RunHandle> Streams;
  for (const RunReportLaunch &L : Run.Launches)
    Streams.insert(L.Stream);
  for (const RunReportCopy &C : Run.Copies)
    Streams.insert(C.Stream);
  for (RunHandle Stream : Streams)
    name("thread_name", Gpu, Stream, streamName(Stream));
  std::set<uint64_t> Threads;
  for (const RunReportCall &C : Run.Calls)
    if (Threads.insert(C.Thread).second)
      name("thread_name", Host, C.Thread, "thread " + std::to_string(C.Thread));
}

void RunTracePrinter::event(StringRef Category, StringRef Name,
                            uint64_t Process, uint64_t Thread, double StartNs,
                            double EndNs, Fields Args) {
  J.object([&] {
    J.attribute("ph", "X");
    J.attribute("cat", Category);
    J.attribute("name", utf8(Name));
    J.attribute("pid", Process);
    J.attribute("tid", Thread);
    J.attribute("ts", StartNs / NsPerUs);
    J.attribute("dur", (EndNs - StartNs) / NsPerUs);
    J.attributeObject("args", Args);
  });
}

void RunTracePrinter::correlation(std::optional<size_t> Call) {
  if (Call)
    J.attribute("correlation", FirstCorrelation + *Call);
}

void RunTracePrinter::arrow(std::optional<size_t> Call, RunHandle Stream,
                            double StartNs) {
  if (!Call || *Call >= MaxEvents)
    return;
  const RunReportCall &C = Run.Calls[*Call];
  auto End = [&](StringRef Phase, uint64_t Process, uint64_t Thread,
                 double Ns) {
    J.object([&] {
      J.attribute("ph", Phase);
      J.attribute("cat", "ac2g");
      J.attribute("name", "ac2g");
      J.attribute("id", FirstCorrelation + *Call);
      J.attribute("pid", Process);
      J.attribute("tid", Thread);
      J.attribute("ts", Ns / NsPerUs);
      if (Phase == "f")
        J.attribute("bp", "e");
    });
  };
  End("s", Host, C.Thread, C.StartNs);
  End("f", Gpu, Stream, StartNs);
}

void RunTracePrinter::launches() {
  for (const RunReportLaunch &L : shown(Run.Launches)) {
    const RunEstimate &E = Run.Estimates[L.Estimate];
    event("kernel", E.Name, Gpu, L.Stream, L.StartNs, L.EndNs, [&] {
      correlation(L.Call);
      J.attribute("stream", L.Stream);
      auto Sizes = [&](StringRef Key, const std::array<uint64_t, 3> &Values) {
        J.attributeArray(Key, [&] {
          for (uint64_t V : Values)
            J.value(V);
        });
      };
      Sizes("grid", L.Grid);
      Sizes("block", L.Block);
      J.attribute("dynamic shared memory", L.DynamicSharedBytes);
      J.attribute("bound by", E.Bottleneck);
      for (const auto &[Name, Value] : E.Arguments)
        J.attribute("argument " + utf8(Name), utf8(Value));
    });
    arrow(L.Call, L.Stream, L.StartNs);
  }
}

/// "Memcpy HtoD (Pageable -> Device)": Kineto's names.
static std::string traceName(const RunReportCopy &C) {
  std::string Memory = C.Migration != RunMigration::None ? "Managed"
                       : C.Pinned                        ? "Pinned"
                                                         : "Pageable";
  switch (C.Kind) {
  case OperationKind::CopyIn:
    return "Memcpy HtoD (" + Memory + " -> Device)";
  case OperationKind::CopyOut:
    return "Memcpy DtoH (Device -> " + Memory + ")";
  case OperationKind::Memset:
    return "Memset (Device)";
  case OperationKind::DeviceCopy:
  case OperationKind::Kernel:
  case OperationKind::HostFunction:
  case OperationKind::Marker:
    break;
  }
  return "Memcpy DtoD (Device -> Device)";
}

void RunTracePrinter::copies() {
  for (const RunReportCopy &C : shown(Run.Copies)) {
    bool IsSet = C.Kind == OperationKind::Memset;
    event(IsSet ? "gpu_memset" : "gpu_memcpy", traceName(C), Gpu, C.Stream,
          C.StartNs, C.EndNs, [&] {
            correlation(C.Call);
            J.attribute("stream", C.Stream);
            J.attribute("bytes", C.Bytes);
            if (C.EndNs > C.StartNs)
              J.attribute("memory bandwidth (GB/s)",
                          static_cast<double>(C.Bytes) / (C.EndNs - C.StartNs));
          });
    arrow(C.Call, C.Stream, C.StartNs);
  }
}

void RunTracePrinter::calls() {
  // What the program does itself is worth an event where it can be seen.
  constexpr double MinProgramNs = 1000;
  double EndNs = 0;
  for (auto [I, C] : enumerate(shown(Run.Calls))) {
    if (C.StartNs - EndNs >= MinProgramNs)
      event("cpu_op", "program", Host, C.Thread, EndNs, C.StartNs, [] {});
    EndNs = C.EndNs;
    event("cuda_runtime", C.Name, Host, C.Thread, C.StartNs, C.EndNs, [&] {
      correlation(I);
      if (C.WaitNs > 0)
        J.attribute("waits (us)", C.WaitNs / NsPerUs);
    });
  }
}

void RunTracePrinter::labelWhatIsLeftOut() {
  std::string Label;
  auto Count = [&](StringRef What, size_t All) {
    if (All > MaxEvents)
      Label += (Label.empty() ? "left out: " : ", ") +
               std::to_string(All - MaxEvents) + " " + What.str();
  };
  Count("calls", Run.Calls.size());
  Count("launches", Run.Launches.size());
  Count("copies", Run.Copies.size());
  if (!Label.empty())
    name("process_labels", Host, 0, Label);
}

void RunTracePrinter::print() {
  names();
  labelWhatIsLeftOut();
  calls();
  launches();
  copies();
}

void printRunTrace(raw_ostream &OS, ArrayRef<RunReport> Runs) {
  json::OStream J(OS);
  J.object([&] {
    J.attribute("schemaVersion", 1);
    J.attributeArray("deviceProperties", [&] {
      for (auto [I, Run] : enumerate(Runs))
        J.object([&] {
          J.attribute("id", static_cast<uint64_t>(2 * I));
          J.attribute("name", utf8(Run.GpuName));
        });
    });
    J.attribute("displayTimeUnit", "ms");
    J.attributeArray("traceEvents", [&] {
      for (auto [I, Run] : enumerate(Runs))
        RunTracePrinter(J, Run, I).print();
    });
  });
  OS << '\n';
}

} // namespace gpuestimate
