#include "gpu-estimate/ForeignIr/ThunkSequence.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuestimate {

namespace {

/// Limits of all GPUs (CUDA guide, "Technical Specifications per Compute
/// Capability"); a sequence is not read beyond MaxThunks.
constexpr uint64_t MaxGrid = 0x7fffffff, MaxThreads = 1024,
                   MaxSharedBytes = 1 << 20, MaxCluster = 16;
constexpr size_t MaxThunks = 50'000, MaxProblems = 10, MaxDepth = 16;

using Sizes = std::array<uint64_t, 3>;

class ThunkReader {
public:
  explicit ThunkReader(StringRef Text) : Rest(Text) {}

  ThunkSequence run();

private:
  bool thunk(StringRef Line, unsigned Indent);
  void part(StringRef Label, unsigned Indent);
  void launch(SequenceStep &T, StringRef Facts);
  std::optional<Sizes> sizes(StringRef Facts, StringRef Key, uint64_t MaxEach,
                             uint64_t MaxProduct);
  void problem(const Twine &What) {
    if (Read.Problems.size() < MaxProblems)
      Read.Problems.push_back({{Number, 0}, What.str()});
  }

  StringRef Rest;
  unsigned Number = 0; ///< of the line
  ThunkSequence Read;
  /// The thunks that the next line may be inside of, the outermost first.
  struct Open {
    unsigned Indent;
    size_t Step;
    std::string Part;
  };
  std::vector<Open> Around;
  bool AfterThunk = false; ///< the last line that is not blank is a thunk
};

} // namespace

/// The word behind "kernel = " or "kernel=".
static StringRef valueOf(StringRef Facts, StringRef Key) {
  for (size_t At = Facts.find(Key); At != StringRef::npos;
       At = Facts.find(Key, At + 1)) {
    StringRef Behind = Facts.drop_front(At + Key.size()).ltrim();
    if ((At == 0 || !isAlnum(Facts[At - 1])) && Behind.consume_front("="))
      return Behind.ltrim().take_until(
          [](char C) { return C == ',' || isSpace(C); });
  }
  return "";
}

/// Three numbers in brackets behind Key: "blocks: {8, 1, 1}", "grid: [8, 1,
/// 1]", "cluster_dim = ClusterDim{2, 1, 1}".
std::optional<Sizes> ThunkReader::sizes(StringRef Facts, StringRef Key,
                                        uint64_t MaxEach, uint64_t MaxProduct) {
  size_t At = Facts.find(Key);
  if (At == StringRef::npos)
    return std::nullopt;
  StringRef Behind = Facts.drop_front(At + Key.size());
  size_t Open = Behind.find_first_of("{[,");
  if (Open == StringRef::npos || Behind[Open] == ',')
    return std::nullopt; // "nullopt"
  StringRef List = Behind.drop_front(Open + 1).take_until(
      [](char C) { return C == '}' || C == ']'; });
  SmallVector<StringRef> Parts;
  List.split(Parts, ',', /*MaxSplit=*/3);
  Sizes Found = {1, 1, 1};
  uint64_t Product = 1;
  bool IsPossible = !Parts.empty() && Parts.size() <= 3;
  for (size_t I = 0; IsPossible && I < Parts.size(); ++I) {
    IsPossible = !Parts[I].trim().getAsInteger(10, Found[I]) && Found[I] >= 1 &&
                 Found[I] <= MaxEach && Found[I] <= MaxProduct / Product;
    if (IsPossible)
      Product *= Found[I];
  }
  if (IsPossible)
    return Found;
  problem("'" + Key + "' has no sizes that a launch can have ('" +
          List.take_front(60) + "'), and is ignored");
  return std::nullopt;
}

void ThunkReader::launch(SequenceStep &T, StringRef Facts) {
  if (T.Kind == "kCustomKernel") {
    // "NAME grid: [8, 1, 1] threads: [128, 1, 1] shared_memory: 0 bytes"
    T.Kernel = Facts.take_until(isSpace).str();
    T.Grid = sizes(Facts, "grid: ", MaxGrid, UINT64_MAX);
    T.Block = sizes(Facts, "threads: ", MaxThreads, MaxThreads);
  } else {
    T.Kernel = valueOf(Facts, "kernel").str();
    if (T.Kernel.empty())
      return;
    T.Grid = sizes(Facts, "blocks: ", MaxGrid, UINT64_MAX);
    T.Block = sizes(Facts, "threads/block: ", MaxThreads, MaxThreads);
  }
  auto Cluster = sizes(Facts, "cluster_dim", MaxCluster, MaxCluster);
  if (!Cluster)
    Cluster = sizes(Facts, "cluster: ", MaxCluster, MaxCluster);
  if (Cluster && (*Cluster)[0] * (*Cluster)[1] * (*Cluster)[2] > 1)
    for (unsigned I = 0; I < 3; ++I)
      T.Cluster[I] = (*Cluster)[I];
  for (StringRef Key : {"shared_memory: ", "shared memory [B]: "})
    if (size_t At = Facts.find(Key); At != StringRef::npos) {
      StringRef Digits = Facts.drop_front(At + Key.size()).take_while(isDigit);
      if (Digits.getAsInteger(10, T.DynamicSharedBytes) ||
          T.DynamicSharedBytes > MaxSharedBytes) {
        problem("'" + Key + Digits +
                "' is no size of shared memory, and is "
                "ignored");
        T.DynamicSharedBytes = 0;
      }
    }
}

static SequenceStep::RoleType roleOf(const SequenceStep &T) {
  if (!T.Kernel.empty())
    return SequenceStep::Launch;
  StringRef Kind = T.Kind;
  if (Kind.ends_with("Done") || Kind == "kWaitForStreams")
    return SequenceStep::Marker;
  return StringSwitch<SequenceStep::RoleType>(Kind)
      .Case("kCommandBuffer", SequenceStep::Graph)
      .Case("kWhile", SequenceStep::Loop)
      .Case("kConditional", SequenceStep::Choice)
      .Cases("kSequential", "kAsyncStart", SequenceStep::Group)
      .Case("kCopy", SequenceStep::Copy)
      .Cases("kMemzero", "kMemset32BitValue", SequenceStep::Memset)
      .Default(SequenceStep::Other);
}

/// Reads "001: kKernel<tab>, kernel = ..."; false: the line is no thunk.
bool ThunkReader::thunk(StringRef Line, unsigned Indent) {
  StringRef Digits = Line.take_while(isDigit);
  if (!Digits.empty()) {
    Line = Line.drop_front(Digits.size());
    if (!Line.consume_front(":"))
      return false;
    Line = Line.ltrim();
  }
  StringRef Kind = Line.take_while(isAlnum);
  StringRef Facts = Line.drop_front(Kind.size());
  if (Kind.size() < 2 || Kind[0] != 'k' || !isUpper(Kind[1]) ||
      (!Facts.empty() && !isSpace(Facts.front())))
    return false;
  while (!Around.empty() && Around.back().Indent >= Indent)
    Around.pop_back();
  SequenceStep &T = Read.Steps.emplace_back();
  T.Kind = Kind.str();
  T.Line = Number;
  if (Digits.getAsInteger(10, T.Number))
    T.Number = 0;
  if (!Around.empty()) {
    T.Parent = Around.back().Step;
    T.Part = Around.back().Part;
    // A kind that is not known, with steps inside.
    if (SequenceStep &Outer = Read.Steps[Around.back().Step];
        Outer.Role == SequenceStep::Other)
      Outer.Role = SequenceStep::Group;
  }
  Facts = Facts.ltrim(" \t,");
  if (Facts.starts_with("[")) // of the graph of dependences
    Facts = Facts.split(']').second.ltrim();
  launch(T, Facts);
  T.Role = roleOf(T);
  if (Around.size() < MaxDepth)
    Around.push_back({Indent, Read.Steps.size() - 1, ""});
  return true;
}

/// A label of one part of a thunk: "body:" of the loop that the lines before it
/// belong to. XLA indents the first label of a loop not at all.
void ThunkReader::part(StringRef Label, unsigned Indent) {
  auto IsFirst = [&] {
    auto Role = Read.Steps[Around.back().Step].Role;
    return AfterThunk &&
           (Role == SequenceStep::Loop || Role == SequenceStep::Choice);
  };
  while (Around.size() > 1 && Around.back().Indent >= Indent && !IsFirst())
    Around.pop_back();
  if (!Around.empty())
    Around.back().Part = Label.str();
}

ThunkSequence ThunkReader::run() {
  constexpr size_t MaxLine = 1 << 16, MaxLabel = 64;
  StringRef Other;
  unsigned OtherLine = 1;
  bool IsEmpty = false;
  while (!Rest.empty()) {
    ++Number;
    size_t Length = std::min(Rest.find('\n'), Rest.size());
    StringRef Line = Rest.take_front(std::min(Length, MaxLine));
    Rest = Rest.drop_front(std::min(Length + 1, Rest.size()));
    StringRef Words = Line.trim();
    if (Words.empty())
      continue;
    unsigned Indent = Line.find_first_not_of(' ');
    bool IsThunk = thunk(Line.drop_front(Indent), Indent);
    if (IsThunk && Read.Steps.size() >= MaxThunks) {
      problem("the sequence is not read beyond its first " + Twine(MaxThunks) +
              " steps");
      break;
    }
    if (!IsThunk && Words.size() <= MaxLabel && Words.ends_with(":") &&
        all_of(Words.drop_back(),
               [](char C) { return isAlnum(C) || C == '_'; }))
      part(Words.drop_back(), Indent);
    else if (!IsThunk && Other.empty() && Words != "No thunks.") {
      Other = Words.take_front(60);
      OtherLine = Number;
    }
    IsEmpty |= Words == "No thunks.";
    AfterThunk = IsThunk;
  }
  if (Read.Steps.empty() && !IsEmpty) {
    Number = OtherLine;
    problem("no line of it is a step such as '001: kKernel', but '" + Other +
            "': it is ignored; give a file that XLA's --xla_dump_to has "
            "written");
  }
  return std::move(Read);
}

ThunkSequence readThunkSequence(StringRef Text) {
  return ThunkReader(Text).run();
}

} // namespace gpuestimate
