#include "parsers/jepsen/edn_format.h"

#include <array>
#include <string>

#include "parsers/jepsen/edn_event.h"
#include "parsers/jepsen/op_history.h"
#include "parsers/jepsen/op_stream.h"

namespace elapid {

namespace {

/// Whether the character behind `#` is one of EDN. Scripts and settings have `!` or a blank there.
bool begins_dispatch(std::string_view inside) {
  const char c = inside.empty() ? ' ' : inside.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("{_:^").find(c) != std::string_view::npos;
}

/// The reason to take the form for EDN; empty if other formats share it.
std::string why_edn(const FirstForm& form) {
  switch (form.opening) {
    case '{':
      return form.first == ':'
                 ? std::string("it begins with ") + (form.is_enclosed ? "a vector with " : "") +
                       "a map of keyword keys"
             : form.first == ';' || form.first == '#' || form.first == '^'
                 ? "it begins with a map that holds a comment or a tag"
                 : "";
    case '(':
      return "it begins with a list";
    case ';':
      return "it begins with a comment";
    case '#':
      return begins_dispatch(form.inside) ? "it begins with a tag or a discarded form" : "";
    default:
      return "";
  }
}

std::vector<Sign> looks_like_edn(const FileLook& file) {
  std::string reason = why_edn(file.form);
  return reason.empty() ? std::vector<Sign>() : std::vector<Sign>{{Strength::kPossible, reason}};
}

constexpr std::string_view kEdnFile = "history.edn";

/// A store may have a history in several forms. test.jepsen comes first, as in Jepsen.
std::vector<Sign> holds_history_edn(const DirectoryLook& directory) {
  if (!directory.has(kEdnFile)) {
    return {};
  }
  const bool is_second = directory.has("test.jepsen");
  return {{is_second ? Strength::kLikely : Strength::kStrong,
           "it is a directory with a history.edn",
           {},
           kEdnFile}};
}

Result<History> read_edn(Sources& sources, const std::string& /*dialect*/,
                         const ReadOptions& options) {
  return read_file(sources, [&](ByteSource& source) { return read_edn_history(source, options); });
}

Result<std::vector<IndependentHistory>> read_edn_by_key(Sources& sources,
                                                        const std::string& /*dialect*/,
                                                        const ReadOptions& options) {
  return read_file(sources,
                   [&](ByteSource& source) { return read_independent_edn(source, options); });
}

Result<TupleSign> finds_tuples_in_edn(Sources& sources, const std::string& /*dialect*/,
                                      const ReadOptions& options) {
  return read_file(sources,
                   [&](ByteSource& source) { return finds_tuples<OpStream>(source, options); });
}

Result<ToldWorkload> tell_workload_of_edn(Sources& sources, const std::string& /*dialect*/,
                                          const ReadOptions& options, Clues& clues) {
  return read_file(
      sources, [&](ByteSource& source) { return tell_workload<OpStream>(source, options, clues); });
}

constexpr Target edn_target() {
  Target target = kEventTarget;
  target.format = &kEdnFormat;
  target.extension = ".edn";
  target.extension_tells = true;
  target.write_file = write_edn;
  target.make_event_writer = make_edn_event_writer;
  target.single_operations = true;
  target.copies_values = true;
  return target;
}

constexpr Target knossos_target() {
  Target target = kEventTarget;
  target.format = &kKnossosFormat;
  target.extension = ".edn";
  target.write_file = write_knossos;
  target.make_event_writer = make_edn_event_writer;
  target.lists = false;
  target.rows = false;
  target.empty_transactions = false;
  target.one_register = true;
  return target;
}

constexpr std::array kEdnTargets = {edn_target()};
constexpr std::array kKnossosTargets = {knossos_target()};

}  // namespace

constinit const Format kEdnFormat = {.name = "edn",
                                     .tools = "Jepsen, Elle",
                                     .looks_at_file = looks_like_edn,
                                     .looks_at_directory = holds_history_edn,
                                     .in_directory = kEdnFile,
                                     .read = read_edn,
                                     .read_independent = read_edn_by_key,
                                     .finds_tuples = finds_tuples_in_edn,
                                     .tells_workload = tell_workload_of_edn,
                                     .opens_details = open_details<read_edn_event_details>,
                                     .grows_by_lines = true,
                                     .targets = kEdnTargets};

constinit const Format kKnossosFormat = {.name = "knossos",
                                         .tools = "Knossos",
                                         .read = read_edn,
                                         .read_independent = read_edn_by_key,
                                         .tells_workload = tell_workload_of_edn,
                                         .opens_details = open_details<read_edn_event_details>,
                                         .grows_by_lines = true,
                                         .targets = kKnossosTargets};

Result<History> read_edn_history(ByteSource& source, const ReadOptions& options) {
  return read_op_history<OpStream>(source, options, kEdnFormat);
}

Result<std::vector<IndependentHistory>> read_independent_edn(ByteSource& source,
                                                             const ReadOptions& options) {
  return read_independent_histories<OpStream>(source, options, kEdnFormat);
}

}  // namespace elapid
