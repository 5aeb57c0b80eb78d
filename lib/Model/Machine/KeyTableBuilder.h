/// \file
/// Builds the key table of a machine model: each row converts between a typed
/// field and the plain value that a file or the command line gives.
#ifndef GPU_ESTIMATE_LIB_MODEL_MACHINE_KEYTABLEBUILDER_H
#define GPU_ESTIMATE_LIB_MODEL_MACHINE_KEYTABLEBUILDER_H

#include "gpu-estimate/Model/Machine/MachineKeys.h"
#include "gpu-estimate/Support/Units.h"
#include <type_traits>

namespace gpuestimate {

// Factors of the units in which limits of keys are written.
inline constexpr double Mega = 1e6, Giga = 1e9, KiB = 1024, MiB = 1024 * KiB,
                        GiB = 1024 * MiB;

// The field of a row: the lambda that KeyTableBuilder takes.
#define FIELD(EXPR) [](auto &M) -> auto & { return M.EXPR; }

// Conversions between a field and the base unit of its key.
template <typename Tag> double toNumber(Quantity<Tag> Q) { return Q.value(); }
template <typename T>
  requires std::is_arithmetic_v<T>
double toNumber(T V) {
  return static_cast<double>(V);
}
template <typename Tag> void assign(Quantity<Tag> &Field, double V) {
  Field = Quantity<Tag>(V);
}
template <typename T>
  requires std::is_arithmetic_v<T>
void assign(T &Field, double V) {
  Field = static_cast<T>(V);
}

/// Collects the rows for Model. Each function takes a generic lambda
/// `[](auto &M) -> auto & {...}`, the field for reading and for writing.
template <typename Model> class KeyTableBuilder {
public:
  using Key = KeyOf<Model>;
  std::vector<Key> Keys;

  template <typename F>
  Key &number(std::string Path, KeyDimension Dim, double Min, double Max,
              std::string Meaning, F Field) {
    Key &K = row(std::move(Path), Dim, std::move(Meaning));
    K.Min = Min;
    K.Max = Max;
    K.Get = [Field](const Model &M) -> std::optional<KeyValue> {
      return KeyValue(toNumber(Field(M)));
    };
    K.Set = [Field](Model &M, const KeyValue &V) {
      assign(Field(M), std::get<double>(V));
    };
    return K;
  }

  /// A number whose field is a std::optional.
  template <typename F>
  Key &optionalNumber(std::string Path, KeyDimension Dim, double Min,
                      double Max, std::string Meaning, F Field) {
    Key &K = row(std::move(Path), Dim, std::move(Meaning));
    K.Required = false;
    K.Min = Min;
    K.Max = Max;
    K.Get = [Field](const Model &M) -> std::optional<KeyValue> {
      if (!Field(M))
        return std::nullopt;
      return KeyValue(toNumber(*Field(M)));
    };
    K.Set = [Field](Model &M, const KeyValue &V) {
      assign(Field(M).emplace(), std::get<double>(V));
    };
    return K;
  }

  template <typename F>
  Key &text(std::string Path, bool Required, std::string Meaning, F Field) {
    Key &K = row(std::move(Path), KeyDimension::Text, std::move(Meaning));
    K.Required = Required;
    K.Identity = true;
    K.Get = [Field](const Model &M) -> std::optional<KeyValue> {
      if (Field(M).empty())
        return std::nullopt;
      return KeyValue(Field(M));
    };
    K.Set = [Field](Model &M, const KeyValue &V) {
      Field(M) = std::get<std::string>(V);
    };
    return K;
  }

  template <typename F>
  Key &flag(std::string Path, std::string Meaning, F Field) {
    Key &K = row(std::move(Path), KeyDimension::Flag, std::move(Meaning));
    K.Get = [Field](const Model &M) -> std::optional<KeyValue> {
      return KeyValue(Field(M));
    };
    K.Set = [Field](Model &M, const KeyValue &V) {
      Field(M) = std::get<bool>(V);
    };
    return K;
  }

  template <typename F>
  Key &extent(std::string Path, double Max, std::string Meaning, F Field) {
    Key &K = row(std::move(Path), KeyDimension::Extent, std::move(Meaning));
    K.Min = 1;
    K.Max = Max;
    K.Get = [Field](const Model &M) -> std::optional<KeyValue> {
      return KeyValue(std::vector<double>(Field(M).begin(), Field(M).end()));
    };
    K.Set = [Field](Model &M, const KeyValue &V) {
      for (unsigned I = 0; I < 3; ++I)
        Field(M)[I] =
            static_cast<unsigned>(std::get<std::vector<double>>(V)[I]);
    };
    return K;
  }

  Key &row(std::string Path, KeyDimension Dim, std::string Meaning) {
    Key &K = Keys.emplace_back();
    K.Path = std::move(Path);
    K.Dim = Dim;
    K.Meaning = std::move(Meaning);
    return K;
  }
};

} // namespace gpuestimate

#endif
