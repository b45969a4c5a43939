// All levels at once on random histories: what the ladder says of the weak ones, from whichever
// engine it has that, is what the axioms say; and each level alone has the answer that it has among
// all.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/levels/ladder.h"
#include "tests/oracle/axioms.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"
#include "tests/property/for_all.h"
#include "tests/property/regressions.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
std::string ladder_contradicts_axioms(const TinyHistory& tiny) {
  const History history = build(tiny);
  const Result<Verdict> verdict = check(history, {.models = ModelSet::all(), .each_model = true});
  if (!verdict.ok()) {
    return verdict.error().message;
  }
  for (const Standing& rung : verdict.value().ladder) {
    if (const std::optional<CycleLevel> cycles = cycle_level(rung.model)) {
      const std::optional<bool> holds = holds_without_cycles(history, *cycles);
      const bool is_open = rung.validity == Validity::kUnknown;
      if (holds && !is_open && *holds != (rung.validity == Validity::kValid)) {
        return std::string(friendly_name(rung.model)) + " should be " +
               (*holds ? "valid" : "invalid");
      }
      const bool may_be_open = rung.unknown_because.find("more than once") != std::string::npos ||
                               rung.unknown_because.find("no transactions") != std::string::npos;
      if (is_open && !may_be_open) {
        return std::string(friendly_name(rung.model)) + " is unknown: " + rung.unknown_because;
      }
    }
    const std::optional<OrderLevel> level = order_level(rung.model);
    if (!level || !is_saturable(level->visibility) || rung.validity == Validity::kUnknown) {
      continue;
    }
    const std::optional<bool> holds = holds_by_axiom(history, *level);
    if (holds && *holds != (rung.validity == Validity::kValid)) {
      return std::string(friendly_name(rung.model)) + " should be " +
             (*holds ? "valid" : "invalid");
    }
  }
  return {};
}

TEST_CASE("ladder property: registers with repeated values") {
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 1500},
                    60 * kBillion, ladder_contradicts_axioms);
}

TEST_CASE("ladder property: lists with repeated elements") {
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 1500},
                    61 * kBillion, ladder_contradicts_axioms);
}

/// Read uncommitted of lists by trying all orders of the transactions that took effect or were seen
/// to: each key's elements come in the order of the longest list that was read, those that no read
/// shows behind them; session order and real time lead from committed transactions. Where longest
/// lists differ, one of them tells the order. Nothing where an element is there twice, or a
/// reader appended to the key itself.
class WritesInOrder {
 public:
  explicit WritesInOrder(const History& history) : history_(history) {}

  /// The answers by each choice among the longest lists; none if the history is ambiguous
  /// otherwise.
  std::set<bool> answers(OrderLevel orders) {
    std::set<bool> found;
    if (find_lists()) {
      for (const Choice& choice : choices()) {
        found.insert(hold(choice, orders));
      }
    }
    return found;
  }

  [[nodiscard]] bool has_choice() const {
    return std::ranges::any_of(longest_, [](const auto& entry) { return entry.second.size() > 1; });
  }

 private:
  using Elements = std::vector<ValueId>;
  using Choice = std::map<KeyId, Elements>;

  [[nodiscard]] std::vector<Choice> choices() const {
    std::vector<Choice> found(1);
    for (const auto& [key, lists] : longest_) {
      std::vector<Choice> more;
      for (Choice choice : found) {
        for (const Elements& list : lists) {
          choice[key] = list;
          more.push_back(choice);
        }
      }
      found = std::move(more);
    }
    return found;
  }

  bool hold(const Choice& choice, OrderLevel orders) {
    std::vector<TxnId> order(took_effect_.begin(), took_effect_.end());
    do {
      if (agrees(order, choice, orders)) {
        return true;
      }
    } while (std::ranges::next_permutation(order).found);
    return false;
  }

  /// Whether the history is unambiguous.
  bool find_lists() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      for (const Op op : history_.ops(txn)) {
        if (op.kind() == OpKind::kAppend) {
          writers_.try_emplace({op.key(), op.value()}, txn);
        }
      }
      if (appends_again(history_.ops(txn), txn) ||
          appends_again(history_.differing_invocation(txn).value_or(std::span<const Op>()), txn)) {
        return false;
      }
      if (history_.committed(txn)) {
        took_effect_.insert(txn);
      }
    }
    for (std::size_t known = 0; known != took_effect_.size();) {
      known = took_effect_.size();
      for (const TxnId reader : std::vector(took_effect_.begin(), took_effect_.end())) {
        for (const Op op : history_.ops(reader)) {
          if (op.kind() == OpKind::kReadList && !add_list(reader, op)) {
            return false;
          }
        }
      }
    }
    constexpr std::size_t kMost = 7;
    return took_effect_.size() <= kMost;
  }

  /// Whether something was appended before, by another transaction or by these operations.
  bool appends_again(std::span<const Op> ops, TxnId txn) {
    std::set<std::pair<KeyId, ValueId>> own;
    return std::ranges::any_of(ops, [&](Op op) {
      const std::pair written(op.key(), op.value());
      return op.kind() == OpKind::kAppend &&
             (!own.insert(written).second ||
              appenders_.try_emplace(written, txn).first->second != txn);
    });
  }

  bool add_list(TxnId reader, Op read) {
    const Elements list(history_.elements(read).begin(), history_.elements(read).end());
    std::set<Elements>& longest = longest_[read.key()];
    if (!longest.empty() && list.size() > longest.begin()->size()) {
      longest.clear();
    }
    if (longest.empty() || list.size() == longest.begin()->size()) {
      longest.insert(list);
    }
    if (std::set(list.begin(), list.end()).size() < list.size() ||
        std::ranges::any_of(history_.ops(reader), [&](Op op) {
          return op.kind() == OpKind::kAppend && op.key() == read.key();
        })) {
      return false;
    }
    for (const ValueId element : list) {
      shown_[read.key()].insert(element);
      const auto writer = writers_.find({read.key(), element});
      if (writer != writers_.end() &&
          history_.status(writer->second) == TxnStatus::kIndeterminate) {
        took_effect_.insert(writer->second);
      }
    }
    return true;
  }

  bool agrees(const std::vector<TxnId>& order, const Choice& choice, OrderLevel orders) {
    const auto place = [&](TxnId txn) { return std::ranges::find(order, txn); };
    for (auto later = order.begin(); later != order.end(); ++later) {
      for (auto earlier = order.begin(); earlier != later; ++earlier) {
        if (orders.sessions && history_.committed(*later) &&
            history_.session(*earlier) == history_.session(*later) &&
            history_.invocation_id(*later) < history_.invocation_id(*earlier)) {
          return false;
        }
        if (orders.real_time && history_.committed(*later) &&
            history_.completion_id(*later) < history_.invocation_id(*earlier)) {
          return false;
        }
      }
    }
    for (const auto& [key, list] : choice) {
      auto last = order.begin();
      for (const ValueId element : list) {
        const auto writer = writers_.find({key, element});
        if (writer != writers_.end() && took_effect_.contains(writer->second)) {
          if (place(writer->second) < last) {
            return false;
          }
          last = place(writer->second);
        }
      }
      for (const auto& [written, writer] : writers_) {
        if (written.first == key && took_effect_.contains(writer) &&
            !shown_[key].contains(written.second) && place(writer) < last) {
          return false;
        }
      }
    }
    return true;
  }

  const History& history_;
  std::map<std::pair<KeyId, ValueId>, TxnId> writers_;
  std::map<std::pair<KeyId, ValueId>, TxnId> appenders_;  // by any event
  std::set<TxnId> took_effect_;
  std::map<KeyId, std::set<Elements>> longest_;
  std::map<KeyId, std::set<ValueId>> shown_;
};

std::string contradicts_writes_in_order(const TinyHistory& tiny) {
  const History history = build(tiny);
  for (const auto& [model, orders] :
       {std::pair(Model::kPl1, OrderLevel{Visibility::kNothing, false, false}),
        std::pair(Model::kStrongSessionPl1, OrderLevel{Visibility::kNothing, true, false}),
        std::pair(Model::kStrongPl1, OrderLevel{Visibility::kNothing, true, true})}) {
    WritesInOrder writes(history);
    const std::set<bool> holds = writes.answers(orders);
    const Result<Verdict> verdict = check(history, {.models = ModelSet{model}});
    if (!verdict.ok()) {
      return verdict.error().message;
    }
    const Validity right = holds.contains(true) ? Validity::kValid : Validity::kInvalid;
    const Validity told = verdict.value().validity;
    const bool is_empty =
        verdict.value().unknown_because.value_or("").find("no transactions") != std::string::npos;
    // Where several lists may tell the order, one has to allow it; if none does, `unknown` is
    // right, too.
    const bool is_right = told == right;
    const bool is_open =
        writes.has_choice() && right == Validity::kInvalid && told == Validity::kUnknown;
    if (!holds.empty() && !is_empty && !is_right && !is_open) {
      return std::string(friendly_name(model)) + " should be " + std::string(validity_word(right)) +
             ", is " + std::string(validity_word(told)) + ": " +
             verdict.value().unknown_because.value_or("");
    }
  }
  return {};
}

TEST_CASE("ladder property: read uncommitted of lists is an order of their writes") {
  for (const Variety variety : {Variety::kDistinct, Variety::kCorners}) {
    for_all_histories({.model = Workload::kListAppend, .variety = variety, .cases = 1000},
                      68 * kBillion, contradicts_writes_in_order);
  }
}

/// What is wrong with the answer about a level alone, which stands on this rung among all.
std::string flaw_alone(const History& history, const Standing& rung) {
  const Result<Verdict> verdict = check(history, {.models = ModelSet{rung.model}});
  if (!verdict.ok()) {
    return verdict.error().message;
  }
  const Verdict& alone = verdict.value();
  if (alone.validity != rung.validity) {
    return "is " + std::string(validity_word(rung.validity)) + " among all, and alone " +
           std::string(validity_word(alone.validity)) + ": " + alone.unknown_because.value_or("");
  }
  const bool is_named = (alone.not_models | alone.also_not_models).test(rung.model);
  if (is_named != (alone.validity == Validity::kInvalid)) {
    return is_named ? "is named among those ruled out" : "is invalid, and not named as ruled out";
  }
  return alone.validity == Validity::kInvalid && alone.anomalies.empty() ? "is invalid for nothing"
                                                                         : "";
}

std::string has_two_answers(const History& history) {
  const Result<Verdict> all = check(history, {.models = ModelSet::all(), .each_model = true});
  if (!all.ok()) {
    return all.error().message;
  }
  for (const Standing& rung : all.value().ladder) {
    if (std::string flaw = flaw_alone(history, rung); !flaw.empty()) {
      return std::string(friendly_name(rung.model)) + " " + flaw;
    }
  }
  return {};
}

std::string tiny_has_two_answers(const TinyHistory& tiny) {
  return has_two_answers(build(tiny));
}

TEST_CASE("ladder property: a level of registers has one answer, alone and among all") {
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 400},
                    62 * kBillion, tiny_has_two_answers);
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kDistinct, .cases = 400},
                    63 * kBillion, tiny_has_two_answers);
}

TEST_CASE("ladder property: a level of lists has one answer, alone and among all") {
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 400},
                    64 * kBillion, tiny_has_two_answers);
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kDistinct, .cases = 400},
                    65 * kBillion, tiny_has_two_answers);
}

TEST_CASE("ladder property: a level of rows has one answer, alone and among all") {
  const std::uint64_t first = 66 * kBillion + first_seed_of_cases();
  for (std::uint64_t seed = first; seed < first + case_count(200); ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (history && rows_can_be_tried(history.value())) {
      INFO("seed " << seed << '\n' << rows_text(history.value()));
      CHECK(has_two_answers(history.value()) == "");
    }
  }
}

TEST_CASE("ladder property: rows that went wrong once") {
  const History history = rows_history(
      "open\n"
      "0: [:dp [:present :a] #{1}] [:dp [:mod :a 3 0] 2]\n"
      "0: [:insert 1 {:a 1}]\n");
  CHECK(has_two_answers(history) == "");
}

TEST_CASE("ladder property: histories that went wrong once") {
  for_all_regressions(ladder_contradicts_axioms);
  for_all_regressions(tiny_has_two_answers);
}

}  // namespace
}  // namespace elapid
