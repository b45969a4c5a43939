#include "parsers/elle_json/json_events.h"

#include <utility>

#include "parsers/elle_json/json_op_stream.h"
#include "parsers/elle_json/recorder_header.h"

namespace elapid {

Result<History> read_json_history(ByteSource& source, const ReadOptions& options, Format format) {
  Result<std::optional<RecorderHeader>> found = find_recorder_header(source);
  if (!found) {
    return source.located(std::move(found.error()));
  }
  if (!found.value()) {
    return read_op_history<JsonOpStream>(source, options, format);
  }
  RecorderHeader& header = *found.value();
  ReadOptions with_header = options;
  if (!options.workload) {
    with_header.workload = header.workload;
  }
  if (!options.initial) {
    with_header.initial = std::move(header.initial);
  }
  return read_op_history<JsonOpStream>(
      source, with_header, format,
      {.assumptions = std::move(header.assumptions), .has_real_time = header.has_common_clock});
}

Result<std::vector<IndependentHistory>> read_independent_json(ByteSource& source,
                                                              const ReadOptions& options,
                                                              Format format) {
  return read_independent_histories<JsonOpStream>(source, options, format);
}

}  // namespace elapid
