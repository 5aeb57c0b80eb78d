#include "gpu-estimate/Session/Pipeline/KernelSettings.h"

#include "gpu-estimate/Session/Settings/ParseValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace gpuestimate {

KernelSettings::KernelSettings(const Setup &S, StringRef MainFile,
                               const KernelSource &Kernel,
                               std::vector<Options> Said)
    : Annotations(std::move(Said)), Merged(S.Given) {
  take({"command-line", &S.Given, nullptr, {}}, Kernel);
  for (const ConfigEntry &Entry : S.Project.Kernels)
    if (matchesKernel(Entry.KernelRegex, Kernel.Mangled, Kernel.Name) &&
        (isAboutFile(Entry, S.Project, MainFile) ||
         isAboutFile(Entry, S.Project, Kernel.Location.File)))
      take({"config", &Entry.Values, &Entry.Places, Entry.Place}, Kernel);
  take({"config", &S.Project.Values, &S.Project.Places, {}}, Kernel);
  for (const Options &Annotation : reverse(Annotations))
    take({"annotation", &Annotation, nullptr, {}}, Kernel);
  for (const Authority &A : drop_begin(Authorities))
    Merged = merge(std::move(Merged), *A.Says);
}

void KernelSettings::take(Authority A, const KernelSource &Kernel) {
  if (A.Says->Registers && RegistersSource.empty())
    RegistersSource = A.Source.str();
  for (const Budget &B : A.Says->Budgets)
    if (B.KernelRegex.empty() ||
        matchesKernel(B.KernelRegex, Kernel.Mangled, Kernel.Name))
      Budgets.push_back({B, A.Source.str()});
  Authorities.push_back(std::move(A));
}

void KernelSettings::applyTo(KernelModel &Kernel,
                             ArrayRef<const LaunchSite *> Sites,
                             std::vector<std::string> &Used) {
  StringSet<> Patterns;
  for (const IndexPattern &Pattern : Merged.Patterns)
    if (assumePattern(Kernel, Pattern)) {
      Patterns.insert(Pattern.name());
      Used.push_back(Pattern.name());
    }
  std::vector<std::string> Names;
  collectParameterNames(Kernel, Sites, Names);
  StringSet<> CanonicalNames;
  for (const std::string &Name : Names)
    CanonicalNames.insert(canonicalName(Name));
  for (const Authority &A : Authorities) {
    if (A.Place.isValid())
      Used.push_back(spell(A.Place));
    if (A.Places)
      for (const auto &Entry : *A.Places)
        if (CanonicalNames.contains(Entry.getKey()) ||
            Patterns.contains(Entry.getKey()))
          Used.push_back(spell(Entry.getValue()));
  }
}

void KernelSettings::addMissed(StringRef Mangled, StringRef Name,
                               const SourceLocation &Location,
                               const GpuModel &Gpu, bool HasCode,
                               std::vector<BudgetCheck> &Into) const {
  const ClaimedBudget *B = budgetOn(Budgets, Gpu.Id);
  if (!B || (!HasCode && B->Claim.KernelRegex.empty()))
    return;
  BudgetCheck C;
  C.Kernel = Mangled.str();
  C.Name = Name.str();
  C.Location = Location;
  C.Gpu = Gpu.Id;
  C.GpuName = Gpu.Name;
  C.Limit = B->Claim.Limit;
  C.Source = B->Source;
  C.Silenced = Merged.Silenced;
  Into.push_back(std::move(C));
}

LaunchInputs KernelSettings::launchInputs(
    const KernelModel &Kernel,
    std::pair<StringRef, const Options *> Highest) const {
  LaunchInputs In;
  In.Kernel = &Kernel;
  In.IsFirst = Merged.Caches == CacheState::Cold;
  auto Add = [&](const std::string &Name, double Value) {
    In.Named.try_emplace(Name, Value);
    for (const Unknown &U : Kernel.Unknowns)
      if (!U.Name.empty() && !U.Anchor.empty() && U.Anchor == Name)
        In.Named.try_emplace(U.Name, Value);
  };
  // The last value of one authority counts, and does not replace that of a
  // higher one.
  auto AddAuthority = [&](StringRef Source, const Options &Says) {
    for (const auto &[Name, Value] : reverse(Says.Parameters))
      Add(Name, Value);
    for (const auto &[Name, Text] : reverse(Says.Pointers))
      In.Pointers.try_emplace(Name, Text);
    In.Authorities.push_back({Source.str(), Says.Launch});
  };
  if (Highest.second)
    AddAuthority(Highest.first, *Highest.second);
  for (const Authority &A : Authorities)
    AddAuthority(A.Source, *A.Says);
  return In;
}

} // namespace gpuestimate
