#include "parsers/elle_json/json_format.h"

#include <array>
#include <utility>

#include "parsers/elle_json/json_op_stream.h"
#include "parsers/elle_json/recorder_header.h"
#include "parsers/jepsen/edn_format.h"
#include "parsers/jepsen/op_history.h"

namespace elapid {

namespace {

std::vector<Sign> looks_like_array(const FileLook& file) {
  if (!file.form.is_object() || !file.form.is_enclosed) {
    return {};
  }
  return {{Strength::kPossible, "it begins with an array of objects"}};
}

std::vector<Sign> looks_like_objects(const FileLook& file) {
  if (!file.form.is_object() || file.form.is_enclosed) {
    return {};
  }
  return {{Strength::kPossible, "it begins with an object, not an array"}};
}

/// How to read what follows the header, if there is one.
struct Headed {
  ReadOptions options;
  HistoryInfo info;
  bool is_recorded;  // in the recorder format
};

Result<Headed> take_header(ByteSource& source, const ReadOptions& options, const Format& format) {
  Result<std::optional<RecorderHeader>> found = find_recorder_header(source);
  if (!found) {
    return source.located(std::move(found.error()));
  }
  Headed headed = {.options = options, .info = {}, .is_recorded = &format == &kJsonlFormat};
  if (!found.value()) {
    return headed;
  }
  RecorderHeader& header = *found.value();
  headed.is_recorded = true;
  headed.options.has_unrecorded_rows = header.is_open;
  if (!options.workload) {
    headed.options.workload = header.workload;
  }
  if (!options.initial) {
    headed.options.initial = std::move(header.initial);
  }
  headed.info.assumptions = std::move(header.assumptions);
  headed.info.has_real_time = header.has_common_clock;
  return headed;
}

template <const Format& kFormat>
Result<History> read_json(Sources& sources, const std::string& /*dialect*/,
                          const ReadOptions& options) {
  return read_file(sources,
                   [&](ByteSource& source) { return read_json_history(source, options, kFormat); });
}

template <const Format& kFormat>
Result<std::vector<IndependentHistory>> read_json_by_key(Sources& sources,
                                                         const std::string& /*dialect*/,
                                                         const ReadOptions& options) {
  return read_file(
      sources, [&](ByteSource& source) { return read_independent_json(source, options, kFormat); });
}

template <class Stream>
Result<TupleSign> finds_tuples_in_json(Sources& sources, const std::string& /*dialect*/,
                                       const ReadOptions& options) {
  return read_file(sources,
                   [&](ByteSource& source) { return finds_tuples<Stream>(source, options); });
}

template <class Stream>
Result<ToldWorkload> tell_workload_of_json(Sources& sources, const std::string& /*dialect*/,
                                           const ReadOptions& options, Clues& clues) {
  return read_file(
      sources, [&](ByteSource& source) { return tell_workload<Stream>(source, options, clues); });
}

constexpr Target json_target() {
  Target target = kEventTarget;
  target.format = &kJsonFormat;
  target.extension = ".json";
  target.write_file = write_json;
  target.make_event_writer = make_json_event_writer;
  target.single_operations = true;
  target.json_types = true;
  target.copies_values = true;
  return target;
}

constexpr Target jsonl_target() {
  Target target = json_target();
  target.format = &kJsonlFormat;
  target.extension = ".jsonl";
  target.extension_tells = true;
  target.write_file = write_jsonl;
  target.make_event_writer = make_jsonl_event_writer;
  target.whole_times = true;
  target.timestamps = true;
  target.declares_initial = true;
  target.open_universe = true;
  return target;
}

constexpr std::array kJsonTargets = {json_target()};
constexpr std::array kJsonlTargets = {jsonl_target()};

}  // namespace

constinit const Format kJsonFormat = {.name = "json",
                                      .tools = "elle-cli",
                                      .looks_at_file = looks_like_array,
                                      .read = read_json<kJsonFormat>,
                                      .read_independent = read_json_by_key<kJsonFormat>,
                                      .finds_tuples = finds_tuples_in_json<JsonOpStream>,
                                      .tells_workload = tell_workload_of_json<JsonOpStream>,
                                      .opens_details = open_details<read_json_event_details>,
                                      .targets = kJsonTargets};

constinit const Format kJsonlFormat = {.name = "jsonl",
                                       .tools = "elle-cli, recorders",
                                       .looks_at_file = looks_like_objects,
                                       .read = read_json<kJsonlFormat>,
                                       .read_independent = read_json_by_key<kJsonlFormat>,
                                       .finds_tuples = finds_tuples_in_json<RecorderOpStream>,
                                       .tells_workload = tell_workload_of_json<RecorderOpStream>,
                                       .opens_details = open_details<read_json_event_details>,
                                       .grows_by_lines = true,
                                       .is_stream = true,
                                       .targets = kJsonlTargets};

Result<History> read_json_history(ByteSource& source, const ReadOptions& options,
                                  const Format& format) {
  ELAPID_ASSIGN_OR_RETURN(Headed headed, take_header(source, options, format));
  return headed.is_recorded
             ? read_op_history<RecorderOpStream>(source, headed.options, format, headed.info)
             : read_op_history<JsonOpStream>(source, headed.options, format, headed.info);
}

Result<std::vector<IndependentHistory>> read_independent_json(ByteSource& source,
                                                              const ReadOptions& options,
                                                              const Format& format) {
  ELAPID_ASSIGN_OR_RETURN(Headed headed, take_header(source, options, format));
  return headed.is_recorded ? read_independent_histories<RecorderOpStream>(source, headed.options,
                                                                           format, headed.info)
                            : read_independent_histories<JsonOpStream>(source, headed.options,
                                                                       format, headed.info);
}

}  // namespace elapid
