#include "parsers/jepsen/workload_inference.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include "engine/ir/call.h"
#include "engine/ir/empty_values.h"
#include "engine/workloads/table.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen/row_events.h"

namespace elapid {

namespace {

/// The number of a key's subkey, as 12 of `"7_12"`, in canonical EDN; nothing for other texts.
std::optional<std::uint64_t> subkey_number(std::string_view key, std::string_view text) {
  const bool is_quoted = key.size() > 1 && key.front() == '"';
  const std::string begin =
      '"' + std::string(is_quoted ? key.substr(1, key.size() - 2) : key) + '_';
  if (!text.starts_with(begin) || !text.ends_with('"')) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data() + begin.size(), text.data() + text.size() - 1, number);
  return error == std::errc() && *end == '"' ? std::optional(number) : std::nullopt;
}

/// Collects clues from a collection that an operation returned.
void look_at_shown(std::string_view text, CallClue& clue) {
  clue.has_set |= text.starts_with('#');
  const auto elements = text.starts_with('[') ? elements_of(text) : std::nullopt;
  if (elements) {
    clue.has_lengths |= clue.length.value_or(elements->size()) != elements->size();
    clue.length = clue.length.value_or(elements->size());
    clue.has_repeat |=
        std::set<std::string_view>(elements->begin(), elements->end()).size() < elements->size();
    clue.has_subkeys |= shows_subkeys(text);
  }
}

}  // namespace

bool shows_subkeys(std::string_view value) {
  const auto pair = value.starts_with('[') ? elements_of(value) : std::nullopt;
  const bool is_keyed = pair && pair->size() == 2 && pair->back().starts_with('[');
  const auto subkeys = is_keyed ? elements_of(pair->back()) : std::nullopt;
  if (!subkeys) {
    return false;
  }
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  std::size_t found = 0;
  for (const std::string_view subkey : *subkeys) {
    if (subkey != "nil") {
      const auto number = subkey_number(pair->front(), subkey);
      if (!number || *number >= last) {
        return false;
      }
      last = *number;
      ++found;
    }
  }
  return found > 1 || found < subkeys->size();
}

bool WorkloadInference::look_at(const OpMap& op) {
  if (!is_client(op) && !functions_.is_orphan(op)) {
    return false;
  }
  if (!op.begins_mops && functions_.is_named(op.f)) {
    look_at_single(op);
  }
  if (op.begins_mops && !clues_.has_other_transaction) {
    look_at_whole(op);
  }
  for (const MopInput& mop : op.mops) {
    clues_.has_append |= mop.kind == OpKind::kAppend;
    clues_.has_write |= mop.kind == OpKind::kWrite;
    clues_.has_list |= mop.kind == OpKind::kReadList;
    clues_.has_read |= mop.kind == OpKind::kRead;
    clues_.has_other |= mop.kind == OpKind::kOther;
    if (mop.kind == OpKind::kOther) {
      const std::string name = values_.text(mop.value);
      clues_.has_row |= is_row_operation(name);
      clues_.has_log |= name == ":send" || name == ":poll";
    }
  }
  return std::ranges::any_of(
      workload_rows(), [&](const WorkloadRow& row) { return !row.recognise(clues_).empty(); });
}

/// Collects clues from a transaction, while all transactions may be those of long-fork.
void WorkloadInference::look_at_whole(const OpMap& op) {
  const std::string f = functions_.is_named(op.f) ? values_.text(op.f) : "";
  const std::string_view name = f.starts_with(':') ? std::string_view(f).substr(1) : f;
  const auto reads = [](const MopInput& mop) {
    return mop.kind == OpKind::kRead || mop.kind == OpKind::kReadList;
  };
  const bool writes_one = name == "write" && op.mops.size() == 1 &&
                          op.mops.begin()->kind == OpKind::kWrite &&
                          values_.as_integer(op.mops.begin()->value) == 1;
  const bool reads_group =
      name == "read" && op.mops.size() > 1 && std::ranges::all_of(op.mops, reads);
  clues_.writes_one |= writes_one;
  clues_.reads_group |= reads_group;
  clues_.has_other_transaction = !writes_one && !reads_group;
}

void WorkloadInference::look_at_single(const OpMap& op) {
  const std::string f = values_.text(op.f);
  CallClue& clue = clues_.calls[f.starts_with(':') ? f.substr(1) : f];
  const bool is_collection = op.whole.is_collection || op.is_mops();  // an empty vector has no mops
  clue.has_nil |= !op.has_value;
  clue.has_collection |= op.has_value && is_collection;
  clue.shown += op.type == EventType::kOk && op.has_value && is_collection ? 1U : 0U;
  clue.has_map |= op.has_value && op.whole.text.starts_with('{');
  clue.has_scalar |= op.has_value && !is_collection;
  clue.has_nonzero |= op.has_value && !is_collection && op.whole.text != "0";
  if (op.type == EventType::kOk) {
    clue.ends_empty = !op.has_value || op.is_mops() || op.whole.text == ":empty" ||
                      (op.is_json && op.whole.text == EmptyValues::kInJson);
  } else if (op.type == EventType::kFail) {
    const auto error = std::ranges::find_if(
        op.fields, [](const auto& field) { return field.first == kErrorField; });
    clue.ends_empty |= error == op.fields.end() || tells_of_nothing(error->second);
  }
  const std::string_view text = op.whole.text;
  clue.asks_nil |= op.type == EventType::kInvoke && !op.has_value;
  if (op.type == EventType::kOk && op.has_value && is_collection) {
    look_at_shown(text, clue);
  }
  const std::string_view row = text.substr(0, text.find('}'));  // the only one, or the first
  clue.has_timed_row |= (row.starts_with('{') || row.starts_with("[{")) &&
                        row.find(":sts ") != std::string_view::npos &&
                        row.find(":val ") != std::string_view::npos;
}

std::pair<Workload, std::string_view> WorkloadInference::answer() const {
  Clues clues = clues_;
  clues.is_whole = true;
  for (const WorkloadRow& row : workload_rows()) {
    if (const std::string_view reason = row.recognise(clues); !reason.empty()) {
      return {row.workload, reason};
    }
  }
  return {Workload::kOther, "nothing tells what its operations mean"};
}

std::string WorkloadInference::sentence() const {
  const auto [workload, reason] = answer();
  return "The workload is " + std::string(workload.name()) + ": " + std::string(reason) + ".";
}

Result<ToldWorkload> told_workload(Sources& sources, const FormatName& format,
                                   const ReadOptions& options) {
  Clues none;
  return format.format->tells_workload == nullptr
             ? ToldWorkload()
             : format.format->tells_workload(sources, format.dialect, options, none);
}

}  // namespace elapid
