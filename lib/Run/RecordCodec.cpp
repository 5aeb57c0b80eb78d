/// \file
/// The fields of every record, reply and of the device facts.
#include "Fields.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Run/DeviceFacts.h"
#include "gpu-estimate/Support/JsonObject.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

template <> ArrayRef<StringLiteral> enumNames<RunMemory>() {
  static constexpr StringLiteral Names[] = {"device", "managed", "pinned",
                                            "registered", "variable"};
  return Names;
}

template <> ArrayRef<StringLiteral> enumNames<RunCopyKind>() {
  static constexpr StringLiteral Names[] = {"host-to-device", "device-to-host",
                                            "device-to-device", "host-to-host",
                                            "peer-to-peer"};
  return Names;
}

template <> ArrayRef<StringLiteral> enumNames<RunMigration>() {
  static constexpr StringLiteral Names[] = {"none", "faults", "prefetch"};
  return Names;
}

template <> ArrayRef<StringLiteral> enumNames<RunWait::KindType>() {
  static constexpr StringLiteral Names[] = {"device", "stream", "event"};
  return Names;
}

template <class Io> static void fields(Io &, RunCall &) {}

template <class Io> static void fields(Io &F, RunModule &R) {
  F("module", R.Module);
  F.bytes("bitcode", R.Bitcode);
}

template <class Io> static void fields(Io &F, RunKernel &R) {
  F("kernel", R.Kernel);
  F("module", R.Module);
  F("mangled", R.Mangled);
  F("registers", R.Registers);
}

template <class Io> static void fields(Io &F, RunAllocation &R) {
  F("address", R.Address);
  F("bytes", R.Bytes);
  F("memory", R.Kind);
  F("name", R.Name);
}

template <class Io> static void fields(Io &F, RunFree &R) {
  F("address", R.Address);
  F("async", R.Async);
}

template <class Io> static void fields(Io &F, RunCopy &R) {
  F("direction", R.Kind);
  F("bytes", R.Bytes);
  F("pinned", R.Pinned);
  F("async", R.Async);
  F("stream", R.Stream);
  F("migration", R.Migration);
}

template <class Io> static void fields(Io &F, RunMemset &R) {
  F("address", R.Address);
  F("bytes", R.Bytes);
  F("async", R.Async);
  F("stream", R.Stream);
}

template <class Io> static void fields(Io &F, RunTrace::LoadReuse &R) {
  F("instruction", R.Instruction);
  F("bytes", R.Bytes);
}

template <class Io> static void fields(Io &F, RunTrace::Warp &R) {
  F("block", R.Block);
  F("index", R.Index);
  F("weight", R.Weight);
  F("sampled", R.Sampled);
  F("runs", R.Runs);
  F("entries", R.Entries);
  F("reuses", R.Reuses);
}

template <class Io> static void fields(Io &F, RunTrace::Condition &R) {
  F("instruction", R.Instruction);
  F("lanes", R.Lanes);
  F("true", R.True);
}

template <class Io> static void fields(Io &F, RunTrace::Branch &R) {
  F("instruction", R.Instruction);
  F("warps", R.Warps);
  F("divergent", R.Divergent);
  F("lanes", R.Lanes);
}

template <class Io> static void fields(Io &F, RunTrace::Reuse &R) {
  F("bytes", R.Bytes);
  F("sectors", R.Sectors);
  F("first_uses", R.FirstUses);
  F("footprint", R.Footprint);
  F("union", R.Union);
  F("footprint_lines", R.FootprintLines);
  F("union_lines", R.UnionLines);
}

template <class Io> static void fields(Io &F, RunTrace::Access &R) {
  F("instruction", R.Instruction);
  F("requests", R.Requests);
  F("lanes", R.Lanes);
  F("sectors", R.Sectors);
  F("samples", R.Samples);
  F("weights", R.Weights);
  F("among_loads", R.AmongLoads);
  F("among_all", R.AmongAll);
}

template <class Io> static void fields(Io &F, RunTrace &R) {
  F("runs", R.Runs);
  F("lanes", R.Lanes);
  F("loops", R.Loops);
  F("entries", R.Entries);
  F("warps", R.Warps);
  F("conditions", R.Conditions);
  F("branches", R.Branches);
  F("accesses", R.Accesses);
  F("wanted_warps", R.WantedWarps);
  F("stop", R.Stop);
}

template <class Io> static void fields(Io &F, RunLaunch &R) {
  F("kernel", R.Kernel);
  F("grid", R.Grid);
  F("block", R.Block);
  F("dynamic_shared_bytes", R.DynamicSharedBytes);
  F("stream", R.Stream);
  F("cooperative", R.Cooperative);
  F.bytes("arguments", R.Arguments);
  F("executed", R.Executed);
  F("problem", R.Problem);
  F("trace", R.Trace);
}

template <class Io> static void fields(Io &F, RunLibraryCall &R) {
  F("name", R.Name);
  F("sizes", R.Sizes);
  F("operands", R.Operands);
  F("results", R.Results);
  F("compute", R.Compute);
  F("stream", R.Stream);
}

template <class Io> static void fields(Io &F, RunStream &R) {
  F("stream", R.Stream);
  F("non_blocking", R.NonBlocking);
  F("destroyed", R.Destroyed);
}

template <class Io> static void fields(Io &F, RunEventRecord &R) {
  F("event", R.Event);
  F("stream", R.Stream);
}

template <class Io> static void fields(Io &F, RunStreamWait &R) {
  F("stream", R.Stream);
  F("event", R.Event);
}

template <class Io> static void fields(Io &F, RunHostFunction &R) {
  F("stream", R.Stream);
  F("function_ns", R.HostNs);
}

template <class Io> static void fields(Io &F, RunGraphLaunch &R) {
  F("graph", R.Graph);
  F("stream", R.Stream);
  F("begin", R.Begin);
}

template <class Io> static void fields(Io &F, RunWait &R) {
  F("on", R.On);
  F("handle", R.Handle);
}

template <class Io> static void fields(Io &F, RunElapsed &R) {
  F("from", R.From);
  F("to", R.To);
}

template <class Io> static void fields(Io &F, RunQuery &R) {
  F("on", R.On);
  F("handle", R.Handle);
}

template <class Io> static void fields(Io &F, RunFault &R) {
  F("what", R.What);
  F("kernel", R.Kernel);
  F("block", R.Block);
  F("thread_index", R.Thread);
  F("file", R.File);
  F("line", R.Line);
  F("buffer", R.Buffer);
}

template <class Io> static void fields(Io &F, RunNotice &R) {
  F("text", R.Text);
}

template <class Io> static void fields(Io &F, RunExit &R) {
  F("status", R.Status);
}

template <class Io> static void fields(Io &F, RunReply &R) {
  F("now_ns", R.NowNs);
  F("elapsed_ms", R.ElapsedMs);
  F("ready", R.Ready);
  F("wants_traces", R.WantsTraces);
  F("registers", R.Registers);
}

template <class Io> static void fields(Io &F, DeviceFacts &D) {
  F("name", D.Name);
  F("amd", D.IsAmd);
  F("arch", D.Arch);
  F("major", D.Major);
  F("minor", D.Minor);
  F("multiprocessors", D.Multiprocessors);
  F("warp_size", D.WarpSize);
  F("max_threads_per_block", D.MaxThreadsPerBlock);
  F("max_threads_per_sm", D.MaxThreadsPerSm);
  F("max_blocks_per_sm", D.MaxBlocksPerSm);
  F("registers_per_sm", D.RegistersPerSm);
  F("shared_bytes_per_sm", D.SharedBytesPerSm);
  F("shared_bytes_per_block", D.SharedBytesPerBlock);
  F("shared_bytes_per_block_opt_in", D.SharedBytesPerBlockOptIn);
  F("global_bytes", D.GlobalBytes);
  F("l2_bytes", D.L2Bytes);
  F("core_clock_hz", D.CoreClockHz);
  F("memory_clock_hz", D.MemoryClockHz);
  F("memory_bus_bits", D.MemoryBusBits);
  F("count", D.Count);
}

/// The field "record", in the order of RunRecord::What.
static constexpr StringLiteral RecordNames[] = {
    "call",         "module",      "kernel",        "allocation",   "free",
    "copy",         "memset",      "launch",        "library-call", "stream",
    "event-record", "stream-wait", "host-function", "graph-launch", "wait",
    "elapsed",      "query",       "fault",         "notice",       "exit"};
static_assert(std::size(RecordNames) ==
              std::variant_size_v<decltype(RunRecord::What)>);

/// Makes the alternative with this index of the variant.
template <size_t I = 0>
static void emplaceAlternative(decltype(RunRecord::What) &What, size_t Index) {
  if constexpr (I < std::size(RecordNames)) {
    if (I == Index)
      What.emplace<I>();
    else
      emplaceAlternative<I + 1>(What, Index);
  }
}

template <class Io> static void fields(Io &F, RunRecord &R) {
  F("call", R.Call);
  F("host_ns", R.HostNs);
  F("host_thread", R.Thread);
  std::visit([&](auto &What) { fields(F, What); }, R.What);
}

std::string toJson(const RunRecord &R) {
  std::string Text;
  raw_string_ostream Stream(Text);
  json::OStream OS(Stream);
  OS.object([&] {
    OS.attribute("record", RecordNames[R.What.index()]);
    FieldWriter Writer(OS);
    // A FieldWriter changes nothing: fields() serves readers, too.
    fields(Writer, const_cast<RunRecord &>(R));
  });
  return Text;
}

Expected<RunRecord> parseRunRecord(StringRef Line) {
  Expected<json::Object> Object = parseJsonObject(Line);
  if (!Object)
    return Object.takeError();
  FieldReader Reader(*Object);
  std::string Name;
  Reader("record", Name);
  const auto *Known = find(RecordNames, Name);
  if (Known == std::end(RecordNames))
    return createStringError("field 'record': expected one of " +
                             join(ArrayRef(RecordNames), ", "));
  RunRecord R;
  emplaceAlternative(R.What, Known - RecordNames);
  fields(Reader, R);
  if (Error E = Reader.takeError())
    return E;
  return R;
}

std::string toJson(const RunReply &R) {
  return objectText(const_cast<RunReply &>(R));
}

Expected<RunReply> parseRunReply(StringRef Line) {
  return parseFields<RunReply>(Line);
}

std::string toJson(const DeviceFacts &Facts) {
  return objectText(const_cast<DeviceFacts &>(Facts));
}

Expected<DeviceFacts> parseDeviceFacts(StringRef Json) {
  return parseFields<DeviceFacts>(Json);
}

bool hostWaits(const RunCopy &C) {
  bool HasHostSide = C.Kind == RunCopyKind::HostToDevice ||
                     C.Kind == RunCopyKind::DeviceToHost ||
                     C.Kind == RunCopyKind::HostToHost;
  return !C.Async || (HasHostSide && !C.Pinned);
}

bool asks(const RunRecord &R) {
  if (const auto *Copy = std::get_if<RunCopy>(&R.What))
    return hostWaits(*Copy);
  if (const auto *Set = std::get_if<RunMemset>(&R.What))
    return !Set->Async;
  if (const auto *Free = std::get_if<RunFree>(&R.What))
    return !Free->Async;
  return std::holds_alternative<RunKernel>(R.What) ||
         std::holds_alternative<RunWait>(R.What) ||
         std::holds_alternative<RunElapsed>(R.What) ||
         std::holds_alternative<RunQuery>(R.What);
}

} // namespace gpuestimate
