/// \file
/// Distances of pointers in elements and bytes.
#include "gpu-estimate/Session/Plan/PointerParts.h"

#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuestimate {

StringRef namedBuffer(StringRef Text) {
  return Text.take_while(
      [](char C) { return isAlnum(C) || C == '_' || C == '.'; });
}

void collectNames(ArrayRef<std::pair<std::string, std::string>> Pointers,
                  std::vector<std::string> &Names) {
  for (const auto &[Pointer, Text] : Pointers)
    for (StringRef Rest = Text; !Rest.empty();) {
      if (StringRef Name = namedBuffer(Rest); !Name.empty()) {
        Names.push_back(Name.str());
        Rest = Rest.drop_front(Name.size());
      } else {
        Rest = Rest.drop_front();
      }
    }
}

namespace {

class PointerParts {
public:
  PointerParts(const LaunchInputs &In, HostVariables *Host, LaunchPlan &Plan)
      : In(In), Host(Host), Plan(Plan) {}
  void run();

private:
  /// The pointers of the kernel, in the order of its arguments.
  std::vector<std::string> pointers() const;
  double elementBytes(StringRef Pointer) const;
  std::optional<BufferPart> saidByUser(StringRef Pointer, unsigned Depth = 0);
  std::optional<BufferPart> passedByHost(StringRef Pointer);
  void addSize(const BufferPart &Part);
  void doubt();

  const LaunchInputs &In;
  HostVariables *Host;
  LaunchPlan &Plan;
  std::vector<std::string> Doubtful;
};

} // namespace

std::vector<std::string> PointerParts::pointers() const {
  std::vector<std::string> Names;
  for (const KernelArgument &A : In.Kernel->Arguments)
    if (A.Kind == KernelArgument::Pointer)
      Names.push_back(A.Name);
  // Members of structures that are passed by value.
  for (const MemoryAccess &A : In.Kernel->Accesses)
    if (StringRef(A.Base).contains('.') && !is_contained(Names, A.Base))
      Names.push_back(A.Base);
  return Names;
}

double PointerParts::elementBytes(StringRef Pointer) const {
  for (const KernelArgument &A : In.Kernel->Arguments)
    if (A.Name == Pointer && A.ElementBytes > 0)
      return A.ElementBytes;
  for (const MemoryAccess &A : In.Kernel->Accesses)
    if (A.Base == Pointer)
      return A.BytesPerThread;
  return 1;
}

std::optional<BufferPart> PointerParts::saidByUser(StringRef Pointer,
                                                   unsigned Depth) {
  constexpr unsigned MaxDepth = 64; // a cycle
  auto Said = In.Pointers.find(Pointer);
  if (Said == In.Pointers.end() || Depth > MaxDepth)
    return std::nullopt;
  StringRef Text = Said->second, Buffer = namedBuffer(Text);
  auto ignored = [&](const Twine &Why) {
    Plan.Notices.push_back(
        ("'" + Pointer + "=" + Text + "' is ignored: " + Why).str());
    return std::nullopt;
  };
  if (!is_contained(pointers(), Buffer))
    return ignored("'" + Buffer + "' is no pointer argument of '" +
                   In.Kernel->Name + "'");
  Constants Variables;
  for (const auto &Value : Plan.Values)
    Variables[Value.getKey()] = Value.getValue();
  Variables[Buffer] = 0;
  Expected<double> Elements = parseNumber(Text, Variables);
  if (!Elements)
    return ignored(toString(Elements.takeError()));
  BufferPart Part{Pointer.str(), Buffer.str(),
                  *Elements * elementBytes(Pointer), "param"};
  if (auto Outer = saidByUser(Buffer, Depth + 1)) {
    Part.Buffer = Outer->Buffer;
    Part.Offset += Outer->Offset;
  }
  return Part;
}

std::optional<BufferPart> PointerParts::passedByHost(StringRef Pointer) {
  if (!Host) {
    auto Known = find_if(
        In.Parts, [&](const BufferPart &P) { return P.Pointer == Pointer; });
    return Known == In.Parts.end() || In.Pointers.contains(Known->Buffer)
               ? std::nullopt
               : std::optional(*Known);
  }
  auto Origin = In.Site->Origins.find(Pointer);
  // The first pointer of a group may be one that the user has moved.
  if (Origin == In.Site->Origins.end() ||
      In.Pointers.contains(Origin->second.Buffer))
    return std::nullopt;
  Expr Offset = Origin->second.Offset;
  std::optional<double> Bytes =
      Host->knows(Offset) ? Host->evaluate(Offset) : std::nullopt;
  if (!Bytes) {
    Doubtful.push_back("'" + Pointer.str() + "'");
    return std::nullopt;
  }
  return BufferPart{Pointer.str(), Origin->second.Buffer, *Bytes, "host-code"};
}

/// A pointer without a size of its own has the rest of the buffer.
void PointerParts::addSize(const BufferPart &Part) {
  auto Whole = Plan.Values.find(Part.Buffer);
  if (Whole == Plan.Values.end() || Plan.Values.contains(Part.Pointer))
    return;
  double Rest = Whole->second * elementBytes(Part.Buffer) - Part.Offset;
  if (Rest > 0)
    Plan.Values[Part.Pointer] = std::floor(Rest / elementBytes(Part.Pointer));
}

void PointerParts::doubt() {
  if (Doubtful.empty())
    return;
  bool One = Doubtful.size() == 1;
  Plan.Premises.push_back(
      join(Doubtful, ", ") + (One ? " is" : " are") + " taken as " +
      (One ? "a buffer of its own" : "buffers of their own") +
      ": host code passes a distance from another pointer that is not known "
      "(--param NAME=OTHER+ELEMENTS)");
}

void PointerParts::run() {
  for (const std::string &Pointer : pointers()) {
    std::optional<BufferPart> Part = In.Pointers.contains(Pointer)
                                         ? saidByUser(Pointer)
                                         : passedByHost(Pointer);
    if (!Part || Part->Buffer == Pointer)
      continue;
    addSize(*Part);
    Plan.Parts.push_back(std::move(*Part));
  }
  doubt();
}

void findPointerParts(const LaunchInputs &In, HostVariables *Host,
                      LaunchPlan &Plan) {
  PointerParts(In, Host, Plan).run();
}

} // namespace gpuestimate
