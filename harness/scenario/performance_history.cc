#include "harness/scenario/performance_history.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/rows/rows.h"
#include "engine/rows/text.h"
#include "harness/drive/sql/listed_numbers.h"

namespace elapid {
namespace {

using Kind = StepRequest::Kind;
using rows::RowOp;
using rows::RowOpKind;

std::string cell_text(const std::optional<std::string>& cell) {
  return cell.value_or("nil");
}

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20;
    out += c == '"' || c == '\\' ? "\\" : "";
    out += is_control ? ' ' : c;
  }
  return out + "\"";
}

/// The cells of a row behind its key, as `{:age 15 :name nil}`; a single value as it is.
std::string content_text(const Scenario& scenario, const StepRow& row) {
  const rows::Rows& rows = *scenario.script.info().rows;
  if (rows.column_count() == 1 && rows.column_name({0}).is_none()) {
    return cell_text(row[1]);
  }
  std::string text = "{";
  for (std::uint32_t column = 0; column < rows.column_count(); ++column) {
    text += (column == 0 ? "" : " ") + scenario.script.values().text(rows.column_name({column})) +
            ' ' + cell_text(row[column + 1]);
  }
  return text + "}";
}

std::string rows_text(const Scenario& scenario, std::span<const StepRow> found) {
  std::string text = "{";
  for (const StepRow& row : found) {
    text += (text.size() == 1 ? "" : " ") + cell_text(row[0]) + ' ' + content_text(scenario, row);
  }
  return text + "}";
}

/// The keys found, if the statement returned them, else the number of rows.
std::string found_text(const StepReply& answer) {
  if (answer.rows.empty()) {
    return answer.affected == 0 ? "#{}" : std::to_string(answer.affected);
  }
  std::string text = "#{";
  for (const StepRow& row : answer.rows) {
    text += (text.size() == 2 ? "" : " ") + cell_text(row[0]);
  }
  return text + "}";
}

std::string row_done_text(const Scenario& scenario, Op op, const StepReply& answer) {
  const rows::Rows& rows = *scenario.script.info().rows;
  const RowOp& row_op = rows.op(op);
  const std::string written = rows::text(scenario.script, op);
  const std::string open = written.substr(0, written.size() - 1) + " ";
  const std::string key =
      row_op.has_predicate() ? "" : scenario.script.values().text(rows.key(row_op.row));
  switch (row_op.kind) {
    case RowOpKind::kRead:
      return "[:r " + key + ' ' +
             (answer.rows.empty() ? "nil" : content_text(scenario, answer.rows.front())) + "]";
    case RowOpKind::kPredicateRead:
      return "[:rp " + rows::text(scenario.script, rows.predicate(row_op)) + ' ' +
             rows_text(scenario, answer.rows) + "]";
    case RowOpKind::kPredicateUpdate:
    case RowOpKind::kPredicateDelete:
      return open + found_text(answer) + "]";
    case RowOpKind::kUpdate:
    case RowOpKind::kDelete:
      // The operation only found that the row does not exist.
      return answer.affected == 0 ? "[:r " + key + " nil]" : written;
    default:
      return written;
  }
}

/// The text of an operation without its result.
std::string asked_text(const Scenario& scenario, Op op) {
  if (op.kind() == OpKind::kRow) {
    return rows::text(scenario.script, op);
  }
  const std::string key = scenario.script.key_text(op.key());
  switch (op.kind()) {
    case OpKind::kAppend:
      return "[:append " + key + ' ' + scenario.script.values().text(op.value()) + "]";
    case OpKind::kWrite:
      return "[:w " + key + ' ' + scenario.script.values().text(op.value()) + "]";
    default:
      return "[:r " + key + " nil]";
  }
}

/// A line of the history, with its time.
struct HistoryLine {
  std::size_t when = 0;
  std::size_t process = 0;
  std::string_view type = {};
  std::string value = {};
  std::string error = {};
  std::string_view function = "txn";
};

class PerformanceWriter {
 public:
  PerformanceWriter(const Scenario& scenario, const Performance& performance)
      : scenario_(scenario), performance_(performance) {}

  std::string write() {
    add_start();
    for (std::size_t session = 0; session < scenario_.sessions.size(); ++session) {
      add_session(session);
    }
    std::ranges::stable_sort(events_, {}, &HistoryLine::when);
    for (const HistoryLine& event : events_) {
      add_line(event);
    }
    add_final_reads();
    return std::move(text_);
  }

 private:
  void add_line(const HistoryLine& event) {
    text_ += "{:index " + std::to_string(index_++) + ", :type :" + std::string(event.type) +
             ", :process " + std::to_string(event.process) +
             ", :f :" + std::string(event.function) + ", :value " + event.value +
             (event.error.empty() ? "" : ", :error " + event.error) + "}\n";
  }

  void add_start() {
    if (scenario_.starts == 0) {
      return;
    }
    std::string value = scenario_.has_rows() ? "{" : "[";
    for (const Op op : scenario_.ops().first(scenario_.starts)) {
      value += value.size() == 1 ? "" : " ";
      value += scenario_.has_rows() ? content(op) : asked_text(scenario_, op);
    }
    value += scenario_.has_rows() ? "}" : "]";
    const std::string_view function = scenario_.has_rows() ? "init" : "txn";
    for (const std::string_view type : {"invoke", "ok"}) {
      add_line({.process = scenario_.sessions.size(),
                .type = type,
                .value = value,
                .function = function});
    }
  }

  /// The content of an insert, as `7 {:age 15}`.
  [[nodiscard]] std::string content(Op op) const {
    const std::string insert = rows::text(scenario_.script, op);
    constexpr std::string_view kOpen = "[:insert ";
    return insert.substr(kOpen.size(), insert.size() - kOpen.size() - 1);
  }

  void add_session(std::size_t session) {
    const auto ends = [](const ScenarioStep& step) {
      return step.kind == Kind::kCommit || step.kind == Kind::kRollback;
    };
    std::vector<std::size_t> txn;
    for (const std::size_t i : performance_.order) {
      if (scenario_.steps[i].session == session) {
        txn.push_back(i);
        if (ends(scenario_.steps[i])) {
          add_transaction(session, txn);
          txn.clear();
        }
      }
    }
    if (!txn.empty()) {
      add_transaction(session, txn);
    }
  }

  void add_transaction(std::size_t session, const std::vector<std::size_t>& steps) {
    std::string asked = "[";
    std::string done = "[";
    const StepFate* last = nullptr;
    for (const std::size_t i : steps) {
      const StepFate& fate = performance_.steps[i];
      const auto ops = scenario_.ops_of(scenario_.steps[i]);
      for (std::size_t n = 0; n < ops.size(); ++n) {
        asked += (asked.size() == 1 ? "" : " ") + asked_text(scenario_, ops[n]);
        done +=
            (done.size() == 1 ? "" : " ") +
            done_text(scenario_, ops[n], n < fate.answers.size() ? fate.answers[n] : StepReply());
      }
      last = fate.kind == StepFate::Kind::kNotReached ? last : &fate;
    }
    asked += "]";
    const ScenarioStep& end = scenario_.steps[steps.back()];
    const bool failed = last->kind == StepFate::Kind::kFailed;
    const bool committed = !failed && end.kind == Kind::kCommit;
    events_.push_back({.when = performance_.steps[steps.front()].began,
                       .process = session,
                       .type = "invoke",
                       .value = asked});
    const bool is_lost = failed && last->answers.back().is_lost;
    const bool has_end = failed || end.kind == Kind::kCommit || end.kind == Kind::kRollback;
    events_.push_back({.when = has_end ? last->returned : performance_.end,
                       .process = session,
                       .type = committed ? "ok"
                               : is_lost ? "info"
                                         : "fail",
                       .value = committed ? done + "]" : asked,
                       .error = committed ? ""
                                : failed  ? "[:" + std::string(name(last->error())) + ' ' +
                                               quoted_text(last->answers.back().message) + "]"
                                         : ":aborted"});
  }

  void add_final_reads() {
    std::string asked = "[";
    std::string done = "[";
    for (std::size_t i = 0; i < performance_.final_reads.size(); ++i) {
      const StepReply& answer = performance_.final_reads[i];
      const std::string gap = i == 0 ? "" : " ";
      if (!scenario_.has_rows()) {
        const KeyId key{static_cast<std::uint32_t>(i)};
        const std::string open = gap + "[:r " + scenario_.script.key_text(key) + ' ';
        asked += open + "nil]";
        done += open + value_text(scenario_, answer) + "]";
        continue;
      }
      const std::string open = gap + "[:rp " + table_predicate(i) + ' ';
      asked += open + "nil]";
      done += open + rows_text(scenario_, answer.rows) + "]";
    }
    const std::size_t process = scenario_.sessions.size() + 1;
    add_line({.process = process, .type = "invoke", .value = asked + "]"});
    add_line({.process = process, .type = "ok", .value = done + "]"});
  }

  [[nodiscard]] std::string table_predicate(std::size_t table) const {
    const ScenarioTable& keys = scenario_.tables[table];
    return scenario_.tables.size() == 1 ? ":true"
                                        : "[:key " + std::to_string(keys.first_key) + ' ' +
                                              std::to_string(keys.last_key) + "]";
  }

 public:
  /// The content of a register or a list.
  static std::string value_text(const Scenario& scenario, const StepReply& answer) {
    const std::optional<std::string> cell =
        answer.rows.empty() ? std::nullopt : answer.rows.front().front();
    if (!scenario.script.has_lists()) {
      return cell_text(cell);
    }
    std::vector<std::int64_t> elements;
    add_listed_numbers(cell.value_or(""), elements);
    std::string text = "[";
    for (const std::int64_t element : elements) {
      text += (text.size() == 1 ? "" : " ") + std::to_string(element);
    }
    return text + "]";
  }

 private:
  const Scenario& scenario_;
  const Performance& performance_;
  std::vector<HistoryLine> events_ = {};
  std::size_t index_ = 0;
  std::string text_ = {};
};

}  // namespace

std::string done_text(const Scenario& scenario, Op op, const StepReply& answer) {
  if (op.kind() == OpKind::kRow) {
    return row_done_text(scenario, op, answer);
  }
  const bool reads = op.kind() == OpKind::kRead || op.kind() == OpKind::kReadList;
  return reads ? "[:r " + scenario.script.key_text(op.key()) + ' ' +
                     PerformanceWriter::value_text(scenario, answer) + "]"
               : asked_text(scenario, op);
}

std::string history_text(const Scenario& scenario, const Performance& performance) {
  return PerformanceWriter(scenario, performance).write();
}

}  // namespace elapid
