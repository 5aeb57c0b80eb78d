/// \file
/// Rows of the key table from fields of GpuModel: the conversions between a
/// typed field and the plain value that a file or the command line gives.
#ifndef GPU_ESTIMATE_LIB_MODEL_MACHINE_KEYTABLEBUILDER_H
#define GPU_ESTIMATE_LIB_MODEL_MACHINE_KEYTABLEBUILDER_H

#include "gpu-estimate/Model/Machine/GpuModelKeys.h"
#include <type_traits>

namespace gpuestimate {

// Conversions between a field of GpuModel and the base unit of its key.
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

/// Collects rows. Field is a generic lambda `[](auto &M) -> auto & {...}`, so
/// that one text serves reading and writing.
class TableBuilder {
public:
  std::vector<GpuKey> Keys;

  template <typename F>
  GpuKey &number(std::string Path, GpuDimension Dim, double Min, double Max,
                 std::string Meaning, F Field) {
    GpuKey &K = row(std::move(Path), Dim, std::move(Meaning));
    K.Min = Min;
    K.Max = Max;
    K.Get = [Field](const GpuModel &M) -> std::optional<GpuValue> {
      return GpuValue(toNumber(Field(M)));
    };
    K.Set = [Field](GpuModel &M, const GpuValue &V) {
      assign(Field(M), std::get<double>(V));
    };
    return K;
  }

  /// A number whose field is a std::optional.
  template <typename F>
  GpuKey &optionalNumber(std::string Path, GpuDimension Dim, double Min,
                         double Max, std::string Meaning, F Field) {
    GpuKey &K = row(std::move(Path), Dim, std::move(Meaning));
    K.Required = false;
    K.Min = Min;
    K.Max = Max;
    K.Get = [Field](const GpuModel &M) -> std::optional<GpuValue> {
      if (!Field(M))
        return std::nullopt;
      return GpuValue(toNumber(*Field(M)));
    };
    K.Set = [Field](GpuModel &M, const GpuValue &V) {
      assign(Field(M).emplace(), std::get<double>(V));
    };
    return K;
  }

  template <typename F>
  GpuKey &text(std::string Path, bool Required, std::string Meaning, F Field) {
    GpuKey &K = row(std::move(Path), GpuDimension::Text, std::move(Meaning));
    K.Required = Required;
    K.Identity = true;
    K.Get = [Field](const GpuModel &M) -> std::optional<GpuValue> {
      if (Field(M).empty())
        return std::nullopt;
      return GpuValue(Field(M));
    };
    K.Set = [Field](GpuModel &M, const GpuValue &V) {
      Field(M) = std::get<std::string>(V);
    };
    return K;
  }

  template <typename F>
  GpuKey &flag(std::string Path, std::string Meaning, F Field) {
    GpuKey &K = row(std::move(Path), GpuDimension::Flag, std::move(Meaning));
    K.Get = [Field](const GpuModel &M) -> std::optional<GpuValue> {
      return GpuValue(Field(M));
    };
    K.Set = [Field](GpuModel &M, const GpuValue &V) {
      Field(M) = std::get<bool>(V);
    };
    return K;
  }

  template <typename F>
  GpuKey &extent(std::string Path, double Max, std::string Meaning, F Field) {
    GpuKey &K = row(std::move(Path), GpuDimension::Extent, std::move(Meaning));
    K.Min = 1;
    K.Max = Max;
    K.Get = [Field](const GpuModel &M) -> std::optional<GpuValue> {
      return GpuValue(std::vector<double>(Field(M).begin(), Field(M).end()));
    };
    K.Set = [Field](GpuModel &M, const GpuValue &V) {
      for (unsigned I = 0; I < 3; ++I)
        Field(M)[I] =
            static_cast<unsigned>(std::get<std::vector<double>>(V)[I]);
    };
    return K;
  }

  GpuKey &row(std::string Path, GpuDimension Dim, std::string Meaning) {
    GpuKey &K = Keys.emplace_back();
    K.Path = std::move(Path);
    K.Dim = Dim;
    K.Meaning = std::move(Meaning);
    return K;
  }
};

} // namespace gpuestimate

#endif
