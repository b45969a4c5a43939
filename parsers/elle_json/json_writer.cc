#include "parsers/elle_json/json_format.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/ir/call.h"
#include "engine/ir/json_string.h"
#include "engine/ir/utf8.h"
#include "engine/rows/rows.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/events.h"
#include "parsers/convert/fast_text.h"
#include "parsers/convert/plan.h"
#include "parsers/elle_json/json_values.h"
#include "parsers/elle_json/row_op_json.h"
#include "parsers/json/json_of_edn.h"

namespace elapid {

namespace {

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

/// The text of one line, an object.
class JsonLine {
 public:
  void begin() {
    text_.clear();
    opening_ = "{";
  }

  FastText& field(std::string_view name) {
    text_ << opening_ << '"' << name << "\": ";
    opening_ = ", ";
    return text_;
  }

  void integer(std::string_view name, std::optional<std::int64_t> n) {
    if (n) {
      field(name) << *n;
    }
  }

  void word(std::string_view name, std::string_view value) { field(name) << '"' << value << '"'; }

  void head(std::string_view type, std::int64_t process) {
    word("type", type);
    integer("process", process);
  }

  FastText& text() { return text_; }

  [[nodiscard]] std::string_view end() {
    text_ << '}';
    return text_.view();
  }

 private:
  FastText text_;
  std::string_view opening_;
};

/// Writes the bracket or comma before each element of an array.
class JsonArray {
 public:
  explicit JsonArray(FastText& text) : text_(text) { text_ << '['; }

  FastText& next() {
    text_ << separator_;
    separator_ = ", ";
    return text_;
  }

  void end() { text_ << ']'; }

 private:
  FastText& text_;
  std::string_view separator_;
};

std::string_view completion(TxnStatus status) {
  return status == TxnStatus::kCommitted ? "ok" : status == TxnStatus::kAborted ? "fail" : "info";
}

/// Makes the lines of one history.
class Lines {
 public:
  explicit Lines(const Plan& plan) : plan_(plan), keys_(plan.history()), values_(plan.history()) {
    if (plan.workload() == Workload::kRows) {
      row_ops_.emplace(plan.history());
    }
  }

  /// The line of an event, without a newline.
  Result<std::string_view> event(const PlannedEvent& event) {
    ELAPID_ASSIGN_OR_RETURN(EventDetails details, event_details(plan_, event));
    line_.begin();
    line_.integer("index", event.index);
    line_.integer("time", event.time);
    line_.head(name(event.type), plan_.txns()[event.txn].session);
    line_.field("f") << json_of_edn(details.f);
    if (plan_.copies_values()) {
      append_own_value(details.value);
    } else {
      ops_.assign(plan_, event);
      append_mops();
    }
    for (const auto& [key, value] : details.extras) {
      if (key == ":key" && plan_.workload().name() == "kv") {  // a key is compared, not an :error
        note(key, value, json_of_edn(value));
      }
      line_.text() << ", " << json_of_edn(key);
      line_.text() << ": " << json_of_edn(value);
    }
    return finished();
  }

  /// The line of a whole transaction. Without times it gets its place as time; the header says that
  /// these times order only its session.
  Result<std::string_view> transaction(const PlannedTxn& txn) {
    const std::int64_t place = 2 * transactions_++;
    const History& history = plan_.history();
    line_.begin();
    line_.head(completion(txn.status), txn.session);
    line_.word("f", plan_.is_contents(txn.txn) ? "init" : "txn");
    plan_.ops(txn, ops_.ops);
    append_mops();
    const auto invoked = history.event(txn.txn, EventKind::kInvocation).time;
    const auto completed = history.event(txn.txn, EventKind::kCompletion).time;
    const bool is_timed = invoked && completed;
    line_.integer("invoked", is_timed ? *invoked : place);
    line_.integer("completed", is_timed ? *completed : place + 1);
    line_.integer("start_ts", history.start_timestamp(txn.txn));
    line_.integer("commit_ts", history.commit_timestamp(txn.txn));
    if (const std::string_view level = history.levels().of(txn.txn); !level.empty()) {
      line_.field("isolation") << json_quoted(level);
    }
    return finished();
  }

 private:
  std::string_view json_of_edn(std::string_view edn) {
    scratch_.clear();
    append_json_of_edn(edn, scratch_);
    return scratch_;
  }

  /// Appends the value of a single operation, which may have any form, or be empty if the source
  /// has none: without a value, the invoked one counts.
  void append_own_value(std::string_view edn) {
    if (!edn.empty()) {
      const std::string_view json = json_of_edn(edn);
      line_.field("value") << json;
      note("value", edn, json);
    }
  }

  /// Notes the JSON text of a value, and of those inside it but integers, which keep their text.
  /// Values of different fields, and keys of maps, are not the same.
  void note(std::string_view field, std::string_view edn, std::string_view json) {
    std::string text(field);
    text += '\0';
    text += json;
    const std::string& first = edn_of_.try_emplace(std::move(text), edn).first->second;
    if (first != edn) {
      one_in_json_ = {first, std::string(edn)};
    }
    constexpr std::string_view kOfIntegers = "-0123456789 []()";
    const bool may_differ = edn.find_first_not_of(kOfIntegers) != std::string_view::npos;
    const auto elements = may_differ ? elements_of(edn) : std::nullopt;
    for (std::size_t i = 0; elements && i < elements->size(); ++i) {
      const std::string_view element = (*elements)[i];
      if (edn.starts_with('{') && i % 2 == 0) {
        note("key", element, json_of_edn(element));
      } else if (element.find_first_not_of(kOfIntegers) != std::string_view::npos) {
        note(field, element, json_of_edn(element));
      }
    }
  }

  std::string_view text(JsonValues& names, ValueId value) {
    scratch_.clear();
    names.append(value, scratch_);
    return scratch_;
  }

  void append_mops() {
    JsonArray mops(line_.field("value"));
    for (const PlannedOp& op : ops_.ops) {
      if (op.kind == OpKind::kRow) {
        mops.next() << row_ops_->text(op);
        continue;
      }
      FastText& out = mops.next() << '[' << function(op.kind) << ", ";
      out << text(keys_, plan_.history().key_value(op.key)) << ", ";
      op.kind == OpKind::kReadList
          ? append_list(op.elements)
          : static_cast<void>(out << text(values_, op.is_initial ? ValueId::nil() : op.value));
      out << ']';
    }
    mops.end();
  }

  void append_list(std::span<const ValueId> elements) {
    JsonArray list(line_.text());
    for (const ValueId element : elements) {
      list.next() << text(values_, element);
    }
    list.end();
  }

  Result<std::string_view> finished() {
    std::optional<std::pair<ValueId, ValueId>> merged = keys_.merged();
    merged = merged ? merged : values_.merged();
    merged = !merged && row_ops_ ? row_ops_->merged() : merged;
    if (merged) {
      return usage_error(plan_.history().text(merged->first) + " and " +
                         plan_.history().text(merged->second) + " would be one in JSON");
    }
    if (!one_in_json_.first.empty()) {
      return usage_error(one_in_json_.first + " and " + one_in_json_.second +
                         " would be one in JSON");
    }
    return line_.end();
  }

  const Plan& plan_;
  JsonValues keys_;
  JsonValues values_;
  std::optional<RowOpJson> row_ops_;  // in a history of rows
  EventOps ops_;
  std::int64_t transactions_ = 0;
  JsonLine line_;
  std::string scratch_;
  std::unordered_map<std::string, std::string> edn_of_;  // by field and JSON, the source's EDN
  std::pair<std::string, std::string> one_in_json_;
};

/// The lines of histories of plain numbers.
class PlainLines {
 public:
  /// The line of an event, without a newline.
  std::string_view event(const PlainEvent& event) {
    line_.begin();
    line_.integer("index", event.index);
    line_.integer("time", event.time);
    line_.head(name(event.type), event.process);
    tell(event);
    return line_.end();
  }

  /// The line of the transaction that has completed.
  std::string_view transaction(const PlainEvent& event) {
    line_.begin();
    line_.head(name(event.type), event.process);
    tell(event);
    line_.integer("invoked", event.invoked);
    line_.integer("completed", event.time);
    if (event.timestamps) {
      line_.integer("start_ts", event.timestamps->start);
      line_.integer("commit_ts", event.timestamps->commit);
    }
    return line_.end();
  }

 private:
  void tell(const PlainEvent& event) {
    line_.word("f", event.function);
    FastText& out = line_.field("value");
    if (event.tuple_key) {
      out << '[' << *event.tuple_key << ", ";
    }
    append_value(event, out);
    if (event.tuple_key) {
      out << ']';
    }
    for (const PlainField& field : event.fields) {
      append_json(field.value, line_.field(field.name));
    }
    if (!event.message.empty()) {
      line_.field("error") << "[\"" << event.error << "\", " << json_quoted(as_utf8(event.message))
                           << ']';
    } else if (!event.error.empty()) {
      line_.word("error", event.error);
    }
  }

  static void append_value(const PlainEvent& event, FastText& out) {
    switch (event.shape) {
      case PlainValue::kNil:
        out << "null";
        return;
      case PlainValue::kMops:
        return append_mops(event, out);
      case PlainValue::kNumber:
        out << event.numbers[0];
        return;
      case PlainValue::kPair:
        out << '[' << event.numbers[0] << ", " << event.numbers[1] << ']';
        return;
      case PlainValue::kElements:
        return append_list(event.elements, out);
      case PlainValue::kBalances:
        return append_balances(event, out);
      case PlainValue::kKeyword:
        out << '"' << event.keyword << '"';
        return;
      case PlainValue::kAsked:
        out << '[' << event.numbers[0] << ", null]";
        return;
      case PlainValue::kDenied:
        out << '[' << event.numbers[0] << ", false]";
        return;
      case PlainValue::kAffirmed:
        out << '[' << event.numbers[0] << ", true]";
        return;
      case PlainValue::kTree:
        return append_json(*event.tree, out);
      case PlainValue::kTransfer:
        out << "{\"from\": " << event.numbers[0] << ", \"to\": " << event.numbers[1]
            << ", \"amount\": " << event.numbers[2] << '}';
        return;
    }
  }

  static void append_mops(const PlainEvent& event, FastText& out) {
    JsonArray mops(out);
    for (const PlainMop& mop : event.mops) {
      if (mop.kind == OpKind::kRow) {
        append_row_op(event, mop, mops.next());
        continue;
      }
      mops.next() << '[' << function(mop.kind) << ", " << mop.key << ", ";
      if (mop.kind == OpKind::kReadList) {
        append_list(event.elements.subspan(mop.list_begin, mop.list_length), out);
      } else if (mop.is_nil) {
        out << "null";
      } else {
        out << mop.value;
      }
      out << ']';
    }
    mops.end();
  }

  static void append_row_op(const PlainEvent& event, const PlainMop& mop, FastText& out) {
    const PlainRowOp& op = event.row_ops[static_cast<std::size_t>(mop.value)];
    if (op.kind == PlainRowKind::kInsert) {
      out << "[\"insert\", " << op.key << ", ";
      append_row(op.group, op.value, op.unique, out);
      out << ']';
      return;
    }
    const auto found = event.elements.subspan(mop.list_begin, mop.list_length);
    if (op.by == PlainRowsBy::kRow) {
      return append_op_by_key(op, found, out);
    }
    static constexpr std::string_view kNames[] = {"", "rp", "up", "dp"};
    out << "[\"" << kNames[static_cast<std::size_t>(op.kind)] << "\", ";
    append_predicate(op, out);
    if (op.kind == PlainRowKind::kUpdate) {
      out << ", {\"v\": " << op.value << ", \"u\": " << op.unique << '}';
    }
    out << ", ";
    if (mop.is_nil) {
      out << "null";
    } else if (mop.tells_rows) {
      out << "{\"keys\": ";
      append_list(found, out);
      out << '}';
    } else if (op.kind != PlainRowKind::kRead) {
      out << "{\"count\": " << found.front() << '}';
    } else {
      append_rows(found, out);
    }
    out << ']';
  }

  static void append_op_by_key(const PlainRowOp& op, std::span<const std::int64_t> found,
                               FastText& out) {
    static constexpr std::string_view kNames[] = {"", "r", "update", "delete"};
    out << "[\"" << kNames[static_cast<std::size_t>(op.kind)] << "\", " << op.low;
    if (op.kind == PlainRowKind::kUpdate) {
      out << ", {\"v\": " << op.value << ", \"u\": " << op.unique << '}';
    } else if (op.kind == PlainRowKind::kRead && found.empty()) {
      out << ", null";
    } else if (op.kind == PlainRowKind::kRead) {
      out << ", ";
      append_row(found[1], found[2], found[3], out);
    }
    out << ']';
  }

  static void append_rows(std::span<const std::int64_t> found, FastText& out) {
    out << "{\"rows\": ";
    JsonArray rows(out);
    for (std::size_t i = 0; i + 3 < found.size(); i += 4) {
      rows.next() << '[' << found[i] << ", ";
      append_row(found[i + 1], found[i + 2], found[i + 3], out);
      out << ']';
    }
    rows.end();
    out << '}';
  }

  static void append_row(std::int64_t group, std::int64_t value, std::int64_t unique,
                         FastText& out) {
    out << "{\"g\": " << group << ", \"v\": " << value << ", \"u\": " << unique << '}';
  }

  static void append_predicate(const PlainRowOp& op, FastText& out) {
    switch (op.by) {
      case PlainRowsBy::kRow:
      case PlainRowsBy::kKeys:
        out << "[\"key\", " << op.low << ", " << op.high << ']';
        return;
      case PlainRowsBy::kGroup:
        out << "[\"=\", \"g\", " << op.group << ']';
        return;
      case PlainRowsBy::kValues:
        out << "[\"in\", \"v\", " << op.low << ", " << op.high << ']';
        return;
      case PlainRowsBy::kValuesOfGroup:
        out << "[\"and\", [\"=\", \"g\", " << op.group << "], [\"in\", \"v\", " << op.low << ", "
            << op.high << "]]";
        return;
    }
  }

  static void append_list(std::span<const std::int64_t> elements, FastText& out) {
    JsonArray list(out);
    for (const std::int64_t element : elements) {
      list.next() << element;
    }
    list.end();
  }

  static void append_balances(const PlainEvent& event, FastText& out) {
    std::string_view opening = "{\"";
    for (const PlainMop& mop : event.mops) {
      out << opening << mop.key << "\": " << mop.value;
      opening = ", \"";
    }
    out << (event.mops.empty() ? "{}" : "}");
  }

  JsonLine line_;
};

/// Writes the line of each item with `separator` between them.
template <class Items, class Line>
Status write_lines(const Items& items, std::string_view separator, OutputFile& out, Line line) {
  bool is_first = true;
  for (const auto& item : items) {
    ELAPID_ASSIGN_OR_RETURN(const std::string_view text, line(item));
    out << (is_first ? "" : separator) << text;
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

constexpr std::string_view kHeader = R"({"format": "elapid/1", "workload": ")";

/// Writes the header, if the lines do not tell everything.
void write_header(const Plan& plan, OutputFile& out) {
  const HistoryInfo& info = plan.history().info();
  const std::optional<ValueId> initial = plan.declared_initial();
  const bool is_open = info.rows != nullptr && !info.rows->is_closed();
  // Without a header, a few operations on rows could be taken for another workload.
  if (!info.is_session_trace && !initial && info.rows == nullptr) {
    return;
  }
  out << kHeader << plan.workload().name() << '"';
  if (initial) {
    std::string text;
    JsonValues(plan.history()).append(*initial, text);
    out << ", \"initial\": " << text;
  }
  out << (is_open ? ", \"universe\": \"open\"" : "");
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

namespace {

class JsonEventWriter : public PlainEventWriter {
 public:
  std::string_view begin() override { return "["; }

  std::string_view write(const PlainEvent& event) override {
    if (event.is_silent || event.is_nemesis) {
      return {};
    }
    text_.clear();
    text_ << separator_ << lines_.event(event);
    separator_ = ",\n ";
    return text_.view();
  }

  std::string_view end() override { return "]\n"; }

 private:
  PlainLines lines_;
  FastText text_;
  std::string_view separator_;
};

class JsonlEventWriter : public PlainEventWriter {
 public:
  explicit JsonlEventWriter(const EventStream& stream) : stream_(stream) {}

  std::string_view begin() override {
    text_.clear();
    if (stream_.timestamps || stream_.workload == Workload::kRows) {
      text_ << kHeader << stream_.workload.name() << "\"}\n";
    }
    return text_.view();
  }

  /// With timestamps a line holds a transaction.
  std::string_view write(const PlainEvent& event) override {
    text_.clear();
    if (event.is_nemesis) {
      return {};
    }
    if (stream_.timestamps && event.type != EventType::kInvoke) {
      text_ << lines_.transaction(event) << '\n';
    } else if (!stream_.timestamps && !event.is_silent) {
      text_ << lines_.event(event) << '\n';
    }
    return text_.view();
  }

 private:
  EventStream stream_;
  PlainLines lines_;
  FastText text_;
};

}  // namespace

std::unique_ptr<PlainEventWriter> make_json_event_writer(const EventStream& /*stream*/) {
  return std::make_unique<JsonEventWriter>();
}

std::unique_ptr<PlainEventWriter> make_jsonl_event_writer(const EventStream& stream) {
  return std::make_unique<JsonlEventWriter>(stream);
}

}  // namespace elapid
