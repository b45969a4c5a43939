#include "parsers/elle_json/recorder_header.h"

#include <string_view>
#include <utility>
#include "engine/workloads/table.h"

#include "parsers/elle_json/edn_text.h"
#include "parsers/json/value_stream.h"

namespace elapid {

using json::Value;

namespace {

constexpr std::string_view kFormatName = "elapid/1";
constexpr std::string_view kNoClock = "none";

Error unexpected_field(std::string_view expected, Value found) {
  return malformed_at(found.offset(),
                      "expected " + std::string(expected) + ", found " + describe(found));
}

Status read_workload(Value value, RecorderHeader& header) {
  header.workload = value.is_string() ? find_workload(value.text()) : std::nullopt;
  if (!header.workload) {
    return unexpected_field(
        R"("list-append", "rw-register", "cas-register", "rows" or "other" as "workload")", value);
  }
  header.assumptions.push_back("The workload is " + std::string(value.text()) +
                               ", as the header says.");
  return {};
}

Status read_initial(Value value, RecorderHeader& header) {
  std::string text;
  ELAPID_RETURN_IF_ERROR(append_edn(value, edn::TextStyle::kCanonical, text));
  header.assumptions.push_back("Keys hold " + text +
                               " before the first write, as the header says.");
  header.initial = std::move(text);
  return {};
}

Status read_clock(Value value, RecorderHeader& header) {
  if (!value.is_string()) {
    return unexpected_field(R"(a string as "clock")", value);
  }
  header.has_common_clock = value.text() != kNoClock;
  header.assumptions.push_back(
      header.has_common_clock
          ? "Times of all processes are of one clock, " + describe(value) + ", as the header says."
          : "Times of different processes are of no common clock, as the header says.");
  return {};
}

Status read_universe(Value value, RecorderHeader& header) {
  const bool is_known = value.is_string() && (value.text() == "open" || value.text() == "closed");
  if (!is_known) {
    return unexpected_field(R"("open" or "closed" as "universe")", value);
  }
  header.is_open = value.text() == "open";
  return {};
}

}  // namespace

bool is_recorder_header(Value object) {
  return object.is_object() && find(object, "format") && !find(object, "type");
}

Result<RecorderHeader> read_recorder_header(Value object) {
  using Read = Status (*)(Value, RecorderHeader&);
  const Value format = *find(object, "format");
  if (!format.is_string() || format.text() != kFormatName) {
    return unexpected_field("\"" + std::string(kFormatName) + "\" as \"format\"", format);
  }
  RecorderHeader header;
  for (const auto& [key, read] : {std::pair<std::string_view, Read>("workload", read_workload),
                                  std::pair<std::string_view, Read>("initial", read_initial),
                                  std::pair<std::string_view, Read>("universe", read_universe),
                                  std::pair<std::string_view, Read>("clock", read_clock)}) {
    const auto value = find(object, key);
    ELAPID_RETURN_IF_ERROR(value ? read(*value, header) : Status());
  }
  return header;
}

Result<std::optional<RecorderHeader>> find_recorder_header(ByteSource& source) {
  ELAPID_RETURN_IF_ERROR(source.rewind());
  json::ValueStream values(source);
  if (!values.next() || !is_recorder_header(values.value())) {
    return std::optional<RecorderHeader>();
  }
  Result<RecorderHeader> header = read_recorder_header(values.value());
  return header ? Result<std::optional<RecorderHeader>>(std::move(header).value())
                : Result<std::optional<RecorderHeader>>(std::move(header.error()));
}

}  // namespace elapid
