/// \file
/// Reads and writes the members of a record as fields of a JSON object. A
/// record names its fields once, in a function template
///
///   template <class Io> void fields(Io &F, RunFree &R) {
///     F("address", R.Address);
///     F("async", R.Async);
///   }
///
/// that a FieldWriter and a FieldReader call alike.
#ifndef GPU_ESTIMATE_LIB_RUN_FIELDS_H
#define GPU_ESTIMATE_LIB_RUN_FIELDS_H

#include "gpu-estimate/Support/JsonObject.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// The names of an enumeration's values, in their order. A type without them
/// has no specialisation.
template <class Enum> llvm::ArrayRef<llvm::StringLiteral> enumNames();

/// Writes fields into the object that is open in the stream.
class FieldWriter {
public:
  explicit FieldWriter(llvm::json::OStream &OS) : OS(OS) {}

  template <class T> void operator()(llvm::StringRef Name, T &Value) {
    OS.attributeBegin(Name);
    write(Value);
    OS.attributeEnd();
  }
  template <class T>
  void operator()(llvm::StringRef Name, std::optional<T> &Value) {
    if (Value)
      (*this)(Name, *Value);
  }
  template <class T>
  void operator()(llvm::StringRef Name, std::shared_ptr<T> &Value) {
    if (Value)
      (*this)(Name, *Value);
  }
  /// Bytes of any value, as base64.
  void bytes(llvm::StringRef Name, std::string &Value);
  void bytes(llvm::StringRef Name, std::vector<std::string> &Values);

private:
  void write(std::string &Text);
  void write(bool Value) { OS.value(Value); }
  void write(double Value) { OS.value(Value); }
  void write(uint64_t Value) { OS.value(Value); }
  void write(int64_t Value) { OS.value(Value); }
  void write(unsigned Value) { OS.value(static_cast<uint64_t>(Value)); }
  void write(int Value) { OS.value(static_cast<int64_t>(Value)); }
  template <class T, size_t N> void write(std::array<T, N> &Values) {
    OS.array([&] {
      for (T &Value : Values)
        write(Value);
    });
  }
  template <class T> void write(std::vector<T> &Values) {
    OS.array([&] {
      for (T &Value : Values)
        write(Value);
    });
  }
  void write(std::pair<std::string, double> &Value) {
    OS.array([&] {
      write(Value.first);
      write(Value.second);
    });
  }
  template <class T> void write(T &Value) {
    if constexpr (std::is_enum_v<T>) {
      OS.value(enumNames<T>()[static_cast<size_t>(Value)]);
    } else {
      OS.object([&] { fields(*this, Value); });
    }
  }

  llvm::json::OStream &OS;
};

/// Reads fields of an object. Every field must be there unless it is optional;
/// the first problem is kept, with the path of its field.
class FieldReader {
public:
  explicit FieldReader(const llvm::json::Object &O) : Current(&O) {}

  template <class T> void operator()(llvm::StringRef Name, T &Value) {
    if (const llvm::json::Value *Field = find(Name, /*IsNeeded=*/true))
      inside(Name, [&] { read(*Field, Value); });
  }
  template <class T>
  void operator()(llvm::StringRef Name, std::optional<T> &Value) {
    Value.reset();
    if (const llvm::json::Value *Field = find(Name, /*IsNeeded=*/false))
      inside(Name, [&] { read(*Field, Value.emplace()); });
  }
  template <class T>
  void operator()(llvm::StringRef Name, std::shared_ptr<T> &Value) {
    Value.reset();
    if (const llvm::json::Value *Field = find(Name, /*IsNeeded=*/false)) {
      Value = std::make_shared<T>();
      inside(Name, [&] { read(*Field, *Value); });
    }
  }
  void bytes(llvm::StringRef Name, std::string &Value);
  void bytes(llvm::StringRef Name, std::vector<std::string> &Values);

  /// The first problem, or one about a field of the object that nobody read.
  llvm::Error takeError();

private:
  const llvm::json::Value *find(llvm::StringRef Name, bool IsNeeded);
  template <class Body> void inside(const llvm::Twine &Step, Body Read) {
    size_t Length = Path.size();
    Path += (Path.empty() ? "" : ".") + Step.str();
    Read();
    Path.resize(Length);
  }
  void expected(llvm::StringRef What);
  void checkUnread();
  void readBytes(const llvm::json::Value &V, std::string &Value);
  const llvm::json::Array *array(const llvm::json::Value &V);

  void read(const llvm::json::Value &V, std::string &Value);
  void read(const llvm::json::Value &V, bool &Value);
  void read(const llvm::json::Value &V, double &Value);
  void read(const llvm::json::Value &V, uint64_t &Value);
  void read(const llvm::json::Value &V, int64_t &Value);
  void read(const llvm::json::Value &V, unsigned &Value);
  void read(const llvm::json::Value &V, int &Value);
  void read(const llvm::json::Value &V, std::pair<std::string, double> &Value);
  template <class T> void readElements(const llvm::json::Array &From, T &Into) {
    for (size_t I = 0; I < From.size() && Problem.empty(); ++I)
      inside(std::to_string(I), [&] { read(From[I], Into[I]); });
  }
  template <class T, size_t N>
  void read(const llvm::json::Value &V, std::array<T, N> &Values) {
    const llvm::json::Array *Elements = array(V);
    if (Elements && Elements->size() != N)
      expected(std::to_string(N) + " elements");
    else if (Elements)
      readElements(*Elements, Values);
  }
  template <class T>
  void read(const llvm::json::Value &V, std::vector<T> &Values) {
    if (const llvm::json::Array *Elements = array(V)) {
      Values.resize(Elements->size());
      readElements(*Elements, Values);
    }
  }
  template <class T> void read(const llvm::json::Value &V, T &Value) {
    if constexpr (std::is_enum_v<T>) {
      std::string Name;
      read(V, Name);
      for (auto [I, Known] : llvm::enumerate(enumNames<T>()))
        if (Name == Known) {
          Value = static_cast<T>(I);
          return;
        }
      expected("one of " + llvm::join(enumNames<T>(), ", "));
    } else if (const llvm::json::Object *Inner = V.getAsObject()) {
      auto [Outer, OuterRead] = std::pair(Current, NumRead);
      Current = Inner;
      NumRead = 0;
      fields(*this, Value);
      checkUnread();
      Current = Outer;
      NumRead = OuterRead;
    } else {
      expected("an object");
    }
  }

  const llvm::json::Object *Current;
  size_t NumRead = 0; ///< fields of Current that were asked for and are there
  std::string Path;   ///< "trace.accesses.3.samples"
  std::string Problem;
};

/// An object on one line.
template <class T> std::string objectText(T &Value) {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  llvm::json::OStream OS(Stream);
  OS.object([&] {
    FieldWriter Writer(OS);
    fields(Writer, Value);
  });
  return Text;
}
template <class T> llvm::Expected<T> parseFields(llvm::StringRef Text) {
  llvm::Expected<llvm::json::Object> Object = parseJsonObject(Text);
  if (!Object)
    return Object.takeError();
  FieldReader Reader(*Object);
  T Value;
  fields(Reader, Value);
  if (llvm::Error E = Reader.takeError())
    return E;
  return Value;
}

} // namespace gpuestimate

#endif
