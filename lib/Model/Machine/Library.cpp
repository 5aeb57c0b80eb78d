/// \file
/// The folder of shipped models, and finding one by name.
#include "gpu-estimate/Model/Machine/Library.h"

#include "gpu-estimate/Support/Installation.h"
#include "gpu-estimate/Support/Suggest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace gpuestimate {

namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// A name without case, spaces and dashes, for comparisons.
std::string folded(llvm::StringRef Name) {
  std::string Result;
  for (char C : Name)
    if (llvm::isAlnum(C))
      Result += llvm::toLower(C);
  return Result;
}

bool answersTo(const GpuModel &Model, const std::string &Folded) {
  auto Same = [&](llvm::StringRef Name) { return folded(Name) == Folded; };
  return Same(Model.Id) || Same(Model.Name) ||
         llvm::any_of(Model.Aliases, Same);
}

/// Removes vendor and brand, with which a driver's product names begin.
std::string withoutBrand(llvm::StringRef Name) {
  std::string Folded = folded(Name);
  llvm::StringRef Product = Folded;
  for (llvm::StringRef Brand : {"nvidia", "amd", "tesla"})
    Product.consume_front(Brand);
  return Product.str();
}

llvm::Expected<std::vector<std::string>> modelFiles(llvm::StringRef Folder) {
  std::vector<std::string> Files;
  std::error_code Error;
  for (fs::directory_iterator It(Folder, Error), End; It != End && !Error;
       It.increment(Error))
    if (path::extension(It->path()) == ".yaml")
      Files.push_back(It->path());
  if (Error)
    return llvm::createStringError(
        Folder + ": cannot list the GPU models: " + Error.message());
  llvm::sort(Files);
  return Files;
}

llvm::Error unknownGpu(llvm::StringRef Name, llvm::ArrayRef<GpuModel> Models) {
  std::vector<std::string> Names, Ids;
  for (const GpuModel &Model : Models) {
    Ids.push_back(Model.Id);
    Names.push_back(Model.Id);
    Names.insert(Names.end(), Model.Aliases.begin(), Model.Aliases.end());
  }
  std::string Suggestion = didYouMean(Name, Names);
  if (Suggestion.empty())
    Suggestion = "; known are " + llvm::join(Ids, ", ");
  return llvm::createStringError("unknown GPU '" + Name.take_front(60) + "'" +
                                 Suggestion);
}

} // namespace

bool isProduct(const GpuModel &Model, llvm::StringRef DriverName) {
  std::string Wanted = withoutBrand(DriverName);
  auto Same = [&](llvm::StringRef Name) {
    return withoutBrand(Name) == Wanted;
  };
  return !Wanted.empty() && (Same(Model.Id) || Same(Model.Name) ||
                             llvm::any_of(Model.Aliases, Same));
}

llvm::Expected<std::string> findModelFolder(llvm::StringRef Override) {
  if (!Override.empty()) {
    if (!fs::is_directory(Override))
      return llvm::createStringError(Override + ": not a folder of GPU models");
    return Override.str();
  }
  return findDataFolder("hwmodels");
}

llvm::Expected<std::vector<GpuModel>> loadGpuModels(llvm::StringRef Folder) {
  llvm::Expected<std::vector<std::string>> Files = modelFiles(Folder);
  if (!Files)
    return Files.takeError();
  std::vector<GpuModel> Models;
  llvm::Error Errors = llvm::Error::success();
  for (const std::string &File : *Files) {
    llvm::Expected<GpuModel> Model = loadGpuModel(File);
    if (Model)
      Models.push_back(std::move(*Model));
    else
      Errors = llvm::joinErrors(std::move(Errors), Model.takeError());
  }
  if (Errors)
    return Errors;
  llvm::sort(Models,
             [](const GpuModel &A, const GpuModel &B) { return A.Id < B.Id; });
  return Models;
}

llvm::Expected<GpuModel> findGpuModel(llvm::StringRef Name,
                                      llvm::StringRef Folder) {
  if (Name.ends_with(".yaml") || Name.ends_with(".yml"))
    return loadGpuModel(Name);
  std::string Wanted = folded(Name);
  // An id, the usual case, needs one file only, and works even if another file
  // of the folder is broken.
  llvm::SmallString<128> Direct(Folder);
  path::append(Direct, Name.lower() + ".yaml");
  if (path::filename(Name) == Name && !Wanted.empty() && fs::exists(Direct))
    return loadGpuModel(Direct);

  llvm::Expected<std::vector<GpuModel>> Models = loadGpuModels(Folder);
  if (!Models)
    return Models.takeError();
  std::vector<const GpuModel *> Matches;
  for (const GpuModel &Model : *Models)
    if (answersTo(Model, Wanted))
      Matches.push_back(&Model);
  if (Matches.empty())
    return unknownGpu(Name, *Models);
  if (Matches.size() > 1)
    return llvm::createStringError("'" + Name + "' is ambiguous: " +
                                   Matches[0]->Id + " or " + Matches[1]->Id);
  return *Matches.front();
}

bool isArchitecture(llvm::StringRef Name) {
  return Name.starts_with("sm_") || Name.starts_with("gfx");
}

llvm::Expected<std::vector<GpuModel>> findGpuModels(llvm::StringRef Name,
                                                    llvm::StringRef Folder) {
  llvm::StringRef Target = Name;
  bool Nvidia = Target.consume_front("sm_");
  if (!isArchitecture(Name)) {
    llvm::Expected<GpuModel> One = findGpuModel(Name, Folder);
    if (!One)
      return One.takeError();
    return std::vector<GpuModel>{std::move(*One)};
  }
  llvm::Expected<std::vector<GpuModel>> Models = loadGpuModels(Folder);
  if (!Models)
    return Models.takeError();
  llvm::erase_if(*Models, [&](const GpuModel &Model) {
    return Nvidia ? folded(Model.ComputeCapability) != Target
                  : Model.GfxTarget != Name;
  });
  if (Models->empty())
    return llvm::createStringError("no GPU model is of architecture '" +
                                   Name.take_front(60) + "'");
  return Models;
}

} // namespace gpuestimate
