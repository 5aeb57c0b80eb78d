/// \file
/// A GPU model as rows for a report, as the text of a model file, and the
/// reference of all keys for the documentation.
#ifndef GPU_ESTIMATE_MODEL_MACHINE_DESCRIBE_H
#define GPU_ESTIMATE_MODEL_MACHINE_DESCRIBE_H

#include "gpu-estimate/Model/Machine/GpuModel.h"

namespace gpuestimate {

/// One key of one model. Value, Source and Kind are empty where the model
/// does not state the (optional) key.
struct GpuValueRow {
  std::string Key;
  std::string Value;  ///< as written, with its unit
  std::string Source; ///< who measured or documented it; then the note
  std::string Kind;   ///< see provenanceKinds()
  std::string Meaning;
};

/// One row for each key of the table, in its order.
std::vector<GpuValueRow> describe(const GpuModel &Model);

/// Number of values with a source, and of those that were measured on, or taken
/// over from, another GPU.
struct ValueOrigins {
  unsigned All = 0, OfOtherGpus = 0;
};
ValueOrigins valueOrigins(const GpuModel &Model);

/// The model as a file that loadGpuModel reads back to the same values,
/// sources and kinds.
std::string writeGpuModel(const GpuModel &Model);

/// Reference page of the model file format, as markdown.
std::string gpuModelReference();

} // namespace gpuestimate

#endif
