#include "parsers/elle_json/json_format.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/plan.h"
#include "parsers/elle_json/json_text.h"

namespace elapid {

namespace {

/// JSON texts of values. Two values with one text would be one value afterwards.
class JsonValues {
 public:
  explicit JsonValues(const History& history) : history_(history) {}

  void append(ValueId value, std::string& out) {
    if (value.is_integer() || value.is_long()) {
      history_.values().append_text(value, out);
      return;
    }
    const auto [text, is_new] = texts_.try_emplace(value);
    if (is_new) {
      append_json_of_edn(history_.text(value), text->second);
      note_merged(value, text->second);
    }
    out += text->second;
  }

  /// Two values that have become one.
  [[nodiscard]] const std::optional<std::pair<ValueId, ValueId>>& merged() const { return merged_; }

 private:
  void note_merged(ValueId value, const std::string& text) {
    const auto [first, is_first] = values_.try_emplace(text, value);
    if (!is_first) {
      merged_ = {first->second, value};
    }
  }

  const History& history_;
  std::unordered_map<ValueId, std::string> texts_;
  std::unordered_map<std::string, ValueId> values_;
  std::optional<std::pair<ValueId, ValueId>> merged_;
};

std::string_view function(OpKind kind) {
  switch (kind) {
    case OpKind::kWrite:
      return "\"w\"";
    case OpKind::kAppend:
      return "\"append\"";
    default:
      return "\"r\"";
  }
}

/// Makes the lines of one history.
class Lines {
 public:
  explicit Lines(const Plan& plan) : plan_(plan), keys_(plan.history()), values_(plan.history()) {}

  /// The line of an event, without a newline.
  Result<std::string_view> event(const PlannedEvent& event) {
    Result<EventDetails> details = event_details(plan_, event);
    if (!details) {
      return std::move(details.error());
    }
    line_ = "{\"index\": " + std::to_string(event.index);
    append_integer("time", event.time);
    append_head(name(event.type), plan_.txns()[event.txn]);
    line_ += ", \"f\": ";
    append_json_of_edn(details.value().f, line_);
    ops_.assign(plan_, event);
    append_mops();
    for (const auto& [key, value] : details.value().extras) {
      line_ += ", ";
      append_json_of_edn(key, line_);
      line_ += ": ";
      append_json_of_edn(value, line_);
    }
    return finished();
  }

  /// The line of a transaction that came whole. One without times gets those of its place, which
  /// order nothing but its session where the header says that there is no clock.
  Result<std::string_view> transaction(const PlannedTxn& txn) {
    const std::int64_t place = 2 * transactions_++;
    const History& history = plan_.history();
    line_ = "{";
    append_head(txn.status == TxnStatus::kCommitted ? "ok"
                : txn.status == TxnStatus::kAborted ? "fail"
                                                    : "info",
                txn);
    line_ += ", \"f\": \"txn\"";
    plan_.ops(txn, ops_.ops);
    append_mops();
    const auto invoked = history.event(txn.txn, EventKind::kInvocation).time;
    const auto completed = history.event(txn.txn, EventKind::kCompletion).time;
    const bool is_timed = invoked && completed;
    append_integer("invoked", is_timed ? *invoked : place);
    append_integer("completed", is_timed ? *completed : place + 1);
    append_integer("start_ts", history.start_timestamp(txn.txn));
    append_integer("commit_ts", history.commit_timestamp(txn.txn));
    return finished();
  }

 private:
  void append_head(std::string_view type, const PlannedTxn& txn) {
    line_ += line_.size() == 1 ? "" : ", ";
    line_ += "\"type\": \"";
    line_ += type;
    line_ += "\", \"process\": " + std::to_string(txn.session);
  }

  void append_integer(std::string_view field, std::optional<std::int64_t> n) {
    if (n) {
      line_ += ", \"" + std::string(field) + "\": " + std::to_string(*n);
    }
  }

  void append_mops() {
    line_ += ", \"value\": [";
    for (const PlannedOp& op : ops_.ops) {
      line_ += line_.back() == '[' ? "[" : ", [";
      line_ += function(op.kind);
      line_ += ", ";
      keys_.append(plan_.history().key_value(op.key), line_);
      line_ += ", ";
      op.kind == OpKind::kReadList
          ? append_list(op.elements)
          : values_.append(op.is_initial ? ValueId::nil() : op.value, line_);
      line_ += ']';
    }
    line_ += ']';
  }

  void append_list(std::span<const ValueId> elements) {
    line_ += '[';
    for (const ValueId element : elements) {
      line_ += line_.back() == '[' ? "" : ", ";
      values_.append(element, line_);
    }
    line_ += ']';
  }

  Result<std::string_view> finished() {
    for (const JsonValues* names : {&keys_, &values_}) {
      if (const auto& merged = names->merged()) {
        return usage_error(plan_.history().text(merged->first) + " and " +
                           plan_.history().text(merged->second) + " would be one in JSON");
      }
    }
    line_ += '}';
    return std::string_view(line_);
  }

  const Plan& plan_;
  JsonValues keys_;
  JsonValues values_;
  EventOps ops_;
  std::int64_t transactions_ = 0;
  std::string line_;
};

/// Writes the line of each item with `separator` between them.
template <class Items, class Line>
Status write_lines(const Items& items, std::string_view separator, OutputFile& out, Line line) {
  bool is_first = true;
  for (const auto& item : items) {
    const Result<std::string_view> text = line(item);
    if (!text) {
      return text.error();
    }
    out << (is_first ? "" : separator) << text.value();
    is_first = false;
  }
  return {};
}

}  // namespace

Status write_json(const Plan& plan, OutputFile& out) {
  Lines lines(plan);
  out << "[";
  Status status = write_lines(plan_events(plan), ",\n ", out,
                              [&](const PlannedEvent& event) { return lines.event(event); });
  out << "]\n";
  return status;
}

namespace {

/// What cannot be told from the lines, if there is such a thing.
void write_header(const Plan& plan, OutputFile& out) {
  const HistoryInfo& info = plan.history().info();
  const std::optional<ValueId> initial = plan.declared_initial();
  if (!info.is_session_trace && !initial) {
    return;
  }
  out << R"({"format": "elapid/1", "workload": ")" << plan.workload().name() << '"';
  if (initial) {
    std::string text;
    JsonValues(plan.history()).append(*initial, text);
    out << ", \"initial\": " << text;
  }
  out << (info.is_session_trace && !info.has_real_time ? ", \"clock\": \"none\"}\n" : "}\n");
}

}  // namespace

Status write_jsonl(const Plan& plan, OutputFile& out) {
  Lines lines(plan);
  const bool is_trace = plan.history().info().is_session_trace;
  write_header(plan, out);
  Status status = is_trace
                      ? write_lines(plan.txns(), "\n", out,
                                    [&](const PlannedTxn& txn) { return lines.transaction(txn); })
                      : write_lines(plan_events(plan), "\n", out,
                                    [&](const PlannedEvent& event) { return lines.event(event); });
  out << (plan.txns().empty() ? "" : "\n");
  return status;
}

}  // namespace elapid
