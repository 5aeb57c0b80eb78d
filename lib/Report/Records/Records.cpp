#include "gpu-estimate/Report/Records/Records.h"

#include "Report/Json/JsonText.h"
#include "gpu-estimate/Report/Text/Table.h"
#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

static std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

/// Directory/File, relative to Here.
static std::string place(const json::Object *Location, StringRef Directory,
                         StringRef Here) {
  if (!Location)
    return "";
  std::string Name = text(*Location, "file");
  SmallString<256> File{StringRef(Name)};
  if (!Directory.empty())
    sys::fs::make_absolute(Directory, File);
  sys::path::remove_dots(File, /*remove_dot_dot=*/true);
  StringRef Shown = File;
  if (Shown.consume_front(Here))
    Shown = Shown.ltrim('/');
  return (Shown + ":" + Twine(Location->getInteger("line").value_or(0))).str();
}

static std::string sizes(const json::Array *Sizes) {
  SmallVector<std::string, 3> Parts;
  if (Sizes)
    for (const json::Value &V : *Sizes)
      Parts.push_back(std::to_string(V.getAsInteger().value_or(0)));
  while (Parts.size() > 1 && Parts.back() == "1")
    Parts.pop_back();
  return join(Parts, "x");
}

std::string launchText(const json::Object *L) {
  if (!L)
    return "";
  return sizes(L->getArray("grid")) + " of " + sizes(L->getArray("block"));
}

void summarise(Records &Into) {
  SmallString<256> Here;
  sys::fs::current_path(Here);
  StringSet<> SeenKeys; // a header's kernel in many sources
  for (json::Object &O : Into.Objects) {
    std::string Directory = text(O, "directory");
    std::vector<std::string> Mine; // one source may have two launches alike
    if (json::Array *All = O.getArray("estimates")) {
      json::Array Kept;
      for (json::Value &V : *All) {
        const json::Object *E = V.getAsObject();
        if (!E)
          continue;
        EstimateSummary S;
        S.Kernel = text(*E, "name");
        S.Gpu = text(*E, "gpu");
        S.Bottleneck = text(*E, "bottleneck");
        S.Place = place(E->getObject("location"), Directory, Here);
        const json::Object *L = E->getObject("launch");
        S.Launch = launchText(L);
        S.Milliseconds = E->getNumber("time_ms").value_or(0);
        std::string Key = join(
            ArrayRef<std::string>{
                text(*E, "kernel"), S.Gpu, S.Place, S.Launch,
                std::to_string(S.Milliseconds),
                place(L ? L->getObject("location") : nullptr, Directory, Here)},
            "\n");
        if (SeenKeys.contains(Key))
          continue;
        Mine.push_back(std::move(Key));
        Into.Estimates.push_back(std::move(S));
        Kept.push_back(std::move(V));
      }
      *All = std::move(Kept);
    }
    for (const std::string &Key : Mine)
      SeenKeys.insert(Key);
    if (const json::Array *All = O.getArray("budgets"))
      for (const json::Value &V : *All) {
        const json::Object *B = V.getAsObject();
        if (!B || !B->getBoolean("exceeded").value_or(false))
          continue;
        auto Time = [&](StringRef Key) {
          return formatTime(Seconds(B->getNumber(Key).value_or(0) / 1e3));
        };
        std::string Line = place(B->getObject("location"), Directory, Here) +
                           ": '" + text(*B, "name") + "' takes " +
                           Time("time_ms") + " on " + text(*B, "gpu") +
                           ", its budget is " + Time("budget_ms");
        if (!is_contained(Into.OverBudget, Line))
          Into.OverBudget.push_back(std::move(Line));
      }
    if (const json::Array *All = O.getArray("unresolved"))
      for (const json::Value &V : *All)
        if (const json::Object *U = V.getAsObject()) {
          std::string Name = text(*U, "name");
          std::string Line = place(U->getObject("location"), Directory, Here) +
                             ": " + (Name.empty() ? "" : "'" + Name + "': ") +
                             text(*U, "reason");
          if (!is_contained(Into.Unresolved, Line))
            Into.Unresolved.push_back(std::move(Line));
        }
  }
  stable_sort(Into.Estimates, [](const EstimateSummary &A,
                                 const EstimateSummary &B) {
    return std::tie(A.Gpu, B.Milliseconds) < std::tie(B.Gpu, A.Milliseconds);
  });
}

static Error listRecords(StringRef Folder, std::vector<std::string> &Files) {
  if (sys::fs::is_regular_file(Folder)) {
    Files.push_back(Folder.str());
    return Error::success();
  }
  std::error_code Problem;
  for (sys::fs::directory_iterator Entry(Folder, Problem), End;
       !Problem && Entry != End; Entry.increment(Problem))
    if (sys::path::extension(Entry->path()) == ".jsonl")
      Files.push_back(Entry->path());
  if (Problem)
    return createStringError(Folder + ": " + Problem.message());
  return Error::success();
}

static void readRecord(StringRef File, bool KeepGone, Records &Into) {
  auto Buffer = MemoryBuffer::getFile(File);
  if (!Buffer) { // a compile has just replaced or removed it
    Into.Problems.push_back((File + ": " + Buffer.getError().message()).str());
    return;
  }
  SmallVector<StringRef> Lines;
  (*Buffer)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (auto [Number, Line] : enumerate(Lines)) {
    auto Place = (File + ":" + Twine(Number + 1) + ": ").str();
    Expected<json::Value> Value = json::parse(Line);
    json::Object *O = Value ? Value->getAsObject() : nullptr;
    if (!Value)
      Into.Problems.push_back(Place + toString(Value.takeError()));
    else if (!O || text(*O, "schema") != "gpu-estimate/1")
      Into.Problems.push_back(Place + "not an object of schema gpu-estimate/1");
    if (!O || text(*O, "schema") != "gpu-estimate/1")
      continue;
    std::string Name = text(*O, "source");
    SmallString<256> Source{StringRef(Name)};
    sys::fs::make_absolute(text(*O, "directory"), Source);
    if (!KeepGone && !Name.empty() && !sys::fs::exists(Source)) {
      Into.Problems.push_back(Place + Name +
                              " no longer exists; its estimates are left out");
      continue;
    }
    ++Into.Sources;
    Into.Objects.push_back(std::move(*O));
  }
}

Expected<Records> readRecords(ArrayRef<std::string> Folders, bool KeepGone) {
  Records All;
  std::vector<std::string> Files;
  for (const std::string &Folder : Folders)
    if (Error E = listRecords(Folder, Files))
      return E;
  sort(Files);
  for (const std::string &File : Files)
    readRecord(File, KeepGone, All);
  if (Files.empty())
    return createStringError(join(Folders, ", ") +
                             ": no *.jsonl there; has a compile with "
                             "`gpu-estimate cc --results=DIR` run?");
  summarise(All);
  return All;
}

void printRecordsText(raw_ostream &OS, const Records &R) {
  size_t First = 0;
  while (First < R.Estimates.size()) {
    StringRef Gpu = R.Estimates[First].Gpu;
    size_t End = First;
    double Sum = 0;
    for (; End < R.Estimates.size() && R.Estimates[End].Gpu == Gpu; ++End)
      Sum += R.Estimates[End].Milliseconds;
    OS << Gpu << ": " << End - First << " estimates, "
       << formatTime(Seconds(Sum / 1e3)) << " if each runs once\n";
    Table T({Align::Right, Align::Right, Align::Left, Align::Left, Align::Left,
             Align::Left});
    T.row({"time", "share", "kernel", "where", "launch", "bound by"});
    for (; First < End; ++First) {
      const EstimateSummary &E = R.Estimates[First];
      T.row({formatTime(Seconds(E.Milliseconds / 1e3)),
             formatPercent(Sum > 0 ? E.Milliseconds / Sum : 0), E.Kernel,
             E.Place, E.Launch, E.Bottleneck});
    }
    T.print(OS, 2);
    OS << '\n';
  }
  if (R.Estimates.empty())
    OS << "no estimate in " << R.Sources << " sources\n";
  auto List = [&](StringRef Title, ArrayRef<std::string> Lines) {
    if (!Lines.empty())
      OS << Title << "\n  " << join(Lines, "\n  ") << '\n';
  };
  List("over budget", R.OverBudget);
  List("no estimate for", R.Unresolved);
}

void printRecordsJson(raw_ostream &OS, Records R, StringRef ToolVersion) {
  json::OStream J(OS, /*IndentSize=*/2);
  auto All = [&](StringRef Key) {
    J.attributeArray(Key, [&] {
      for (const json::Object &O : R.Objects)
        if (const json::Array *Values = O.getArray(Key))
          for (const json::Value &V : *Values)
            J.value(V);
    });
  };
  J.object([&] {
    J.attribute("schema", "gpu-estimate/1");
    J.attribute("tool_version", ToolVersion);
    All("estimates");
    All("functions");
    All("budgets");
    All("unresolved");
    All("notices");
  });
  OS << '\n';
}

} // namespace gpuestimate
