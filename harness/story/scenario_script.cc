#include "harness/story/scenario_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "engine/ir/visible.h"
#include "engine/rows/rows.h"
#include "engine/rows/text.h"

namespace elapid {
namespace {

class ScenarioScript {
 public:
  ScenarioScript(const History& history, const ToldStory& story)
      : history_(history), story_(story) {}

  [[nodiscard]] Status check() const {
    const auto is_written = [](Op op) {
      return op.kind() == OpKind::kRead || op.kind() == OpKind::kReadList ||
             op.kind() == OpKind::kRow || writes(op);
    };
    if (history_.info().rows) {
      ELAPID_RETURN_IF_ERROR(check_rows());
    }
    if (!std::ranges::all_of(history_.all_ops(), is_written) ||
        !history_.workload().has_transactions()) {
      return usage_error(
          fmt::format("operations of {} are not those of a scenario", history_.workload().name()));
    }
    std::set<std::pair<KeyId, ValueId>> given;
    for (const Op op : history_.all_ops()) {
      if (writes(op) && !history_.values().as_integer(op.value())) {
        return usage_error("a scenario's values are whole numbers, not " +
                           history_.text(op.value()).substr(0, 100));
      }
      if (writes(op) && !given.emplace(op.key(), op.value()).second) {
        return usage_error("a scenario gives each value to a key once");
      }
    }
    return overlaps(history_, story_)
               ? Status()
               : usage_error(
                     "no two of its transactions overlap: a database that carries out one after "
                     "the other cannot show it");
  }

  std::string write(ModelSet violated) {
    text_ += fmt::format("about  {}\n", line(story_.title));
    add_start();
    text_ += "\n";
    for (const StoryStep& step : story_.steps) {
      if (step.moment.txn != history_.info().initial_txn) {
        add_step(step);
      }
    }
    text_ += "\n";
    for (std::size_t m = 0; m < kModelCount; ++m) {
      const auto model = static_cast<Model>(m);
      text_ += violated.test(model) ? fmt::format("expect not {}\n", friendly_name(model)) : "";
    }
    return std::move(text_);
  }

 private:
  /// Requires rows of one table, whose keys and columns are whole numbers.
  [[nodiscard]] Status check_rows() const {
    const rows::Rows& rows = *history_.info().rows;
    const auto is_number = [&](ValueId value) {
      return value.is_nil() || history_.values().as_integer(value).has_value();
    };
    for (const Op op : history_.all_ops()) {
      const rows::RowOp& of = rows.op(op);
      const bool is_all_numbers =
          (of.has_predicate() || is_number(rows.key(of.row))) &&
          std::ranges::all_of(rows.written(of), is_number, &rows::Field::value);
      if (!is_all_numbers) {
        return usage_error("a scenario's rows hold whole numbers, unlike " +
                           rows::text(history_, op).substr(0, 100));
      }
    }
    return {};
  }

  static bool writes(Op op) { return op.kind() == OpKind::kWrite || op.kind() == OpKind::kAppend; }

  /// Adds the initial state: the writes of the initial transaction, or one value for all keys.
  void add_start() {
    const TxnId initial = history_.info().initial_txn;
    const ValueId value = history_.info().initial;
    if (!initial.is_none()) {
      std::string ops;
      for (const Op op : history_.ops(initial)) {
        ops += writes(op) || op.kind() == OpKind::kRow ? " " + operation(op) : "";
      }
      text_ += ops.empty() ? "" : "start" + ops + "\n";
    } else if (!history_.has_lists() && !history_.info().rows &&
               history_.values().as_integer(value)) {
      std::set<KeyId> keys;
      for (const Op op : history_.all_ops()) {
        keys.insert(op.key());
      }
      text_ += "start";
      for (const KeyId key : keys) {
        text_ += fmt::format(" [:w {} {}]", history_.key_text(key), history_.text(value));
      }
      text_ += "\n";
    }
  }

  void add_step(const StoryStep& step) {
    const StoryMoment& moment = step.moment;
    std::string done;
    std::string note;
    if (moment.kind == StoryMoment::Kind::kBegin) {
      return;  // the first operation begins it and takes the snapshot
    }
    if (moment.kind == StoryMoment::Kind::kOp) {
      const Op op = history_.ops(moment.txn)[moment.mop];
      done = operation(op);
      const bool finds = op.kind() == OpKind::kRow ? !found_in_rows(op).empty() : !writes(op);
      note = finds ? "found " + found(moment.txn, op) : "";
    } else if (history_.ops(moment.txn).empty()) {
      return;
    } else {
      const bool is_undone = history_.status(moment.txn) == TxnStatus::kAborted;
      done = is_undone ? "rollback" : "commit";
      note = is_undone || history_.committed(moment.txn) ? "" : "its client never knew the outcome";
    }
    const std::string statement = visible_line(fmt::format("{}: {}", session(step.column), done));
    text_ += note.empty() ? statement + "\n"
                          : fmt::format("{:<30} ; {}\n", statement, visible_line(note));
  }

  [[nodiscard]] std::string operation(Op op) const {
    if (op.kind() == OpKind::kRow) {
      const std::string asked = rows::text_as_asked(history_, op);
      constexpr std::string_view kUnknown = " nil]";
      return asked.ends_with(kUnknown) ? asked.substr(0, asked.size() - kUnknown.size()) + "]"
                                       : asked;
    }
    const std::string key = history_.key_text(op.key());
    return writes(op) ? fmt::format("[:{} {} {}]", op.kind() == OpKind::kAppend ? "append" : "w",
                                    key, history_.text(op.value()))
                      : fmt::format("[:r {}]", key);
  }

  /// The result of an operation on rows: the text behind the operation itself.
  [[nodiscard]] std::string found_in_rows(Op op) const {
    const std::string asked = operation(op);
    const std::string whole = rows::text(history_, op);
    return whole.size() > asked.size() + 1
               ? whole.substr(asked.size(), whole.size() - asked.size() - 1)
               : "";
  }

  [[nodiscard]] std::string found(TxnId txn, Op op) const {
    if (op.kind() == OpKind::kRow) {
      return found_in_rows(op);
    }
    if (op.kind() != OpKind::kReadList) {
      return history_.committed(txn) || !op.value().is_nil() ? history_.text(op.value())
                                                             : "an unknown value";
    }
    std::string list = "[";
    for (const ValueId element : history_.elements(op)) {
      list += (list.size() == 1 ? "" : " ") + history_.text(element);
    }
    return list + "]";
  }

  /// The name of a session, as in `session 3`, without characters that a scenario forbids.
  [[nodiscard]] std::string session(std::size_t column) const {
    std::string name = story_.columns[column].name;
    std::ranges::replace_if(
        name,
        [](char c) {
          return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
        },
        '-');
    return name;
  }

  static std::string line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
  }

  const History& history_;
  const ToldStory& story_;
  std::string text_ = {};
};

}  // namespace

Result<std::string> scenario_script(const History& history, const ToldStory& story,
                                    ModelSet violated) {
  ScenarioScript script(history, story);
  ELAPID_RETURN_IF_ERROR(script.check());
  return script.write(violated);
}

}  // namespace elapid
