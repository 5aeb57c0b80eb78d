#include "LaunchSites.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

namespace gpuestimate {

std::vector<std::string> parametersOf(const LaunchSite &Site) {
  std::vector<std::string> Names;
  auto add = [&](Expr E) {
    if (E)
      for (std::string &Name : E.parameters())
        Names.push_back(std::move(Name));
  };
  for (unsigned I = 0; I < 3; ++I) {
    add(Site.Grid[I]);
    add(Site.Block[I]);
  }
  add(Site.DynamicSharedBytes);
  for (const auto &Argument : Site.Arguments)
    add(Argument.getValue());
  for (const auto &Origin : Site.Origins)
    add(Origin.getValue().Offset);
  std::sort(Names.begin(), Names.end());
  Names.erase(std::unique(Names.begin(), Names.end()), Names.end());
  return Names;
}

static std::string text(Expr E) { return E ? E.str() : "?"; }

std::string fingerprint(const LaunchSite &Site) {
  std::string Result;
  for (unsigned I = 0; I < 3; ++I)
    Result += text(Site.Grid[I]) + "," + text(Site.Block[I]) + ";";
  Result += text(Site.DynamicSharedBytes);
  std::vector<std::string> Arguments;
  for (const auto &Argument : Site.Arguments)
    Arguments.push_back(
        (";" + Argument.getKey() + "=" + text(Argument.getValue())).str());
  for (const auto &Origin : Site.Origins)
    Arguments.push_back((";" + Origin.getKey() + "@" +
                         Origin.getValue().Buffer + "+" +
                         text(Origin.getValue().Offset))
                            .str());
  std::sort(Arguments.begin(), Arguments.end());
  for (const std::string &Argument : Arguments)
    Result += Argument;
  for (const LaunchVariant &Variant : Site.Variants) {
    std::vector<std::string> Values;
    for (const auto &Value : Variant.Values)
      Values.push_back(
          (Value.getKey() + "=" + std::to_string(Value.getValue())).str());
    std::sort(Values.begin(), Values.end());
    for (const std::string &Value : Values)
      Result += ";" + Value;
  }
  return Result;
}

void addRepeats(LaunchSite &Old, const LaunchSite &New) {
  Old.Repeats = Old.Repeats && New.Repeats
                    ? Old.Repeats + Old.Context->import(New.Repeats)
                    : Expr();
  for (unsigned I = 0; I < Old.Variants.size(); ++I)
    Old.Variants[I].Weight += New.Variants[I].Weight;
}

} // namespace gpuestimate
