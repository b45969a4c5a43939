// Of valid histories of rows and predicates no proof of the contrary is accepted: proofs are made
// of the words of proofs, all kinds of steps and choices, and not from proofs that were true once.
//
// A step begins with a clause of most choices that there are. It loses all that it can do without
// as long as it is accepted, so that false steps are as strong as can be; they are put together
// then, and single choices follow by unit propagation.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/certify/rows/rows_proof.h"
#include "engine/rows/rows.h"
#include "harness/generate/random.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using Kind = RowsChoice::Kind;
using Reason = RowsProofStep::Reason;

constexpr std::size_t kReasons = 12;

constexpr std::array kModels = {Model::kPl3,
                                Model::kStrongSessionSerializable,
                                Model::kPlSs,
                                Model::kPlSi,
                                Model::kStrongSessionSnapshotIsolation,
                                Model::kStrongSnapshotIsolation,
                                Model::kPl299,
                                Model::kPl2,
                                Model::kReadAtomic,
                                Model::kPl299,  // where results without keys are choices
                                Model::kPl2,
                                Model::kReadAtomic};

bool is_valid(const History& history, Model model) {
  if (model == Model::kPl299) {
    return rows_are_repeatable(history);
  }
  if (model == Model::kPl2) {
    return rows_are_read_committed(history);
  }
  if (model == Model::kReadAtomic) {
    return rows_are_read_atomic(history);
  }
  const OrderLevel level = order_level(model).value();
  return (!level.real_time || history.info().has_real_time) && rows_hold(history, level);
}

/// Forges proofs about one history at one level.
class RowsForger {
 public:
  RowsForger(const History& history, Model model, Random& random)
      : history_(history),
        rows_(*history.info().rows),
        model_(model),
        random_(random),
        has_two_events_(model != Model::kPl2 && has_two_events(order_level(model)->visibility)) {
    using enum Reason;
    reasons_ = {kFound, kFound, kCycle, kMeaning, kContents, kDerived};
    if (has_two_events_) {
      reasons_.push_back(kOverlap);
    } else if (model == Model::kPl299 || model == Model::kPl2 || model == Model::kReadAtomic) {
      reasons_.insert(reasons_.end(), {kVersions, kVersion, kWritten, kAtLeast, kAtMost});
    }
    if (model == Model::kReadAtomic) {
      reasons_.insert(reasons_.end(), {kFractured, kFractured});
    }
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      if (history.status({t}) == TxnStatus::kAborted) {
        continue;  // no step may name it
      }
      txns_.push_back({t});
      for (std::uint32_t mop = 0; mop < history.ops({t}).size(); ++mop) {
        operations_.push_back({{t}, mop});
      }
    }
    for (KeyId key{0}; key.index() < history.key_count(); ++key.value) {
      if (rows_.is_row(key)) {
        keys_.push_back(key);
      }
    }
  }

  /// Random steps, and then their consequences.
  void run(std::size_t steps) {
    for (std::size_t i = 0; i < steps && !is_forged_ && !operations_.empty() && !keys_.empty();
         ++i) {
      RowsProofStep step = random_step();
      if (holds(step, random_.percent(20))) {
        strengthen(step);
        keep(std::move(step));
      }
    }
    conclude();
  }

  [[nodiscard]] bool is_forged() const { return is_forged_; }

  [[nodiscard]] std::size_t tried() const { return tried_; }

  /// Of each reason, how many steps were accepted.
  [[nodiscard]] const std::array<std::size_t, kReasons>& accepted() const { return accepted_; }

 private:
  static constexpr std::size_t kMostKept = 40;

  using Operation = std::pair<TxnId, std::uint32_t>;

  /// Whether the step is accepted, behind what was kept or alone. A proof that is accepted as a
  /// whole is a forgery.
  bool holds(const RowsProofStep& step, bool with_kept) {
    RowsProofEvidence proof = {.model = model_};
    if (with_kept) {
      proof.steps = kept_;
    }
    proof.steps.push_back(step);
    ++tried_;
    const auto flaw = check_rows_proof(history_, AnomalyType::kPl3CycleExists, proof);
    is_forged_ = is_forged_ || !flaw;
    return !flaw || *flaw == "the proof does not end in a contradiction";
  }

  /// Removes from the clause and from the causes all parts that the step does not need.
  void strengthen(RowsProofStep& step) {
    const bool with_kept = !holds(step, false);
    random_.shuffle(step.clause);
    for (std::size_t part = step.clause.size(); part > 0; part /= 2) {
      for (std::size_t i = 0; i < step.clause.size() && !is_forged_;) {
        RowsProofStep less = step;
        const auto begin = less.clause.begin() + static_cast<std::ptrdiff_t>(i);
        const std::size_t end = std::min(less.clause.size(), i + part);
        less.clause.erase(begin, less.clause.begin() + static_cast<std::ptrdiff_t>(end));
        if (holds(less, with_kept)) {
          step = std::move(less);
        } else {
          i += part;
        }
      }
    }
  }

  void keep(RowsProofStep step) {
    const bool is_known = std::ranges::any_of(kept_, [&](const RowsProofStep& other) {
      return std::ranges::all_of(other.clause, [&](const RowsChoice& choice) {
        return std::ranges::find(step.clause, choice) != step.clause.end();
      });
    });
    ++accepted_.at(static_cast<std::size_t>(step.reason));
    if (!is_known && kept_.size() < kMostKept) {
      kept_.push_back(std::move(step));
    }
  }

  /// Single choices, and the end, by unit propagation.
  void conclude() {
    std::vector<RowsChoice> named;
    const auto name = [&](const RowsChoice& choice) {
      if (std::ranges::find(named, choice) == named.end()) {
        named.push_back(choice);
      }
    };
    for (const RowsProofStep& step : kept_) {
      for (const RowsChoice& choice : step.clause) {
        name(choice);
        name(contrary(choice));
      }
    }
    for (bool goes_on = true; goes_on && !is_forged_;) {
      goes_on = std::erase_if(named, [&](const RowsChoice& choice) {
                  const RowsProofStep step = {.clause = {choice}};
                  const bool follows = holds(step, true);
                  if (follows) {
                    kept_.push_back(step);
                  }
                  return follows;
                }) > 0;
    }
    holds({}, true);
  }

  static RowsChoice contrary(RowsChoice choice) {
    if (choice.kind == Kind::kBefore) {
      std::swap(choice.first, choice.second);
    } else {
      choice.holds = !choice.holds;
    }
    return choice;
  }

  // Steps.

  RowsProofStep random_step() {
    RowsProofStep step = {.reason = random_.pick(reasons_)};
    const Operation operation = random_.pick(operations_);
    const rows::RowOp& op = op_of(operation);
    step.txn = operation.first;
    step.mop = operation.second;
    step.by_predicate = op.has_predicate();
    step.other = random_writer(10);
    step.row = op.has_predicate() || random_.percent(10) ? random_.pick(keys_) : op.row;
    for (std::size_t count = random_.below(4); count > 0; --count) {
      step.causes.push_back(random_cause(step));
    }
    for (std::size_t count = random_.percent(20) ? 1 + random_.below(2) : 0; count > 0; --count) {
      const Operation later = random_.pick(operations_);
      step.later.push_back({later.first, later.second});
    }
    for (const std::uint32_t item : items_of(op)) {
      if (random_.percent(70)) {
        step.items.push_back(item);
      }
    }
    if (step.reason == Reason::kCycle) {
      make_cycle(step);
    } else {
      make_clause(step);
    }
    return step;
  }

  [[nodiscard]] const rows::RowOp& op_of(const Operation& operation) const {
    return rows_.op(history_.ops(operation.first)[operation.second]);
  }

  [[nodiscard]] std::vector<std::uint32_t> items_of(const rows::RowOp& op) const {
    std::vector<std::uint32_t> items(op.known == rows::Known::kBag ? rows_.shown(op).size() : 0);
    std::iota(items.begin(), items.end(), 0U);
    return items;
  }

  TxnId random_writer(std::size_t none) {
    return random_.percent(none) ? TxnId::none() : random_.pick(txns_);
  }

  LastWriter random_cause(const RowsProofStep& step) {
    const std::size_t parts = kFirstColumn + rows_.column_count();
    return {.row = random_.percent(70) ? step.row : random_.pick(keys_),
            .part = static_cast<std::uint32_t>(random_.below(parts)),
            .writer = random_writer(30),
            .reader = random_.percent(80) ? usual_reader(step) : random_.pick(txns_)};
  }

  [[nodiscard]] OrderEvent start(TxnId txn) const { return {txn, !has_two_events_}; }

  void make_cycle(RowsProofStep& step) {
    for (std::size_t length = 2 + random_.below(3); length > 0; --length) {
      const TxnId txn = random_.pick(txns_);
      step.cycle.push_back(random_.percent(50) ? start(txn) : OrderEvent{txn});
    }
    for (std::size_t i = 0; i < step.cycle.size(); ++i) {
      add(step, {.first = step.cycle[(i + 1) % step.cycle.size()], .second = step.cycle[i]}, 95);
    }
  }

  /// With so many percent.
  void add(RowsProofStep& step, RowsChoice choice, std::size_t chance) {
    const bool makes_sense = choice.kind != Kind::kBefore || choice.first != choice.second;
    if (makes_sense && random_.percent(chance)) {
      step.clause.push_back(std::move(choice));
    }
  }

  /// Most choices that there are, each or its contrary, as steps of the kind need them or not.
  void make_clause(RowsProofStep& step) {
    is_apt_ = random_.percent(70);
    for (const TxnId a : txns_) {
      add(step, {.kind = Kind::kTookEffect, .holds = holds(false), .first = {a}}, often());
      for (const TxnId b : txns_) {
        add_orders(step, a, b);
      }
    }
    const std::size_t found = random_.percent(50) ? 95 : random_.below(100);
    for (const Operation& operation : operations_) {
      const bool is_own = operation == Operation(step.txn, step.mop);
      const std::size_t chance = step.reason == Reason::kWritten ? 80 : 20;
      for (const KeyId row : keys_) {
        if (is_own || random_.percent(chance)) {
          add_findings(step, operation, row, found);
        }
      }
    }
    if (!rows_.is_closed()) {
      add_beginnings(step);
    }
  }

  [[nodiscard]] std::size_t often() { return is_apt_ ? 100 : 60 + random_.below(40); }

  bool holds(bool aptly) { return random_.percent(is_apt_ ? 98 : 70) == aptly; }

  void add_orders(RowsProofStep& step, TxnId a, TxnId b) {
    if (has_two_events_ ? a != b : a < b) {
      const RowsChoice choice = {.first = start(a), .second = {b}};
      const bool turned = step.reason == Reason::kOverlap ? holds(true)
                          : is_apt_ && a == step.txn      ? !is_about_versions(step)
                          : is_apt_ && b == step.txn      ? is_about_versions(step)
                                                          : random_.percent(50);
      const bool is_reader_first = step.reason != Reason::kOverlap && a == step.txn;
      add(step, turned != is_reader_first ? contrary(choice) : choice, often());
    }
    for (const TxnId middle : txns_) {
      add(step,
          {.kind = Kind::kBetween,
           .holds = holds(true),
           .first = {b},
           .second = start(a),
           .middle = middle},
          often());
    }
    add(step,
        {.kind = Kind::kBetween,
         .holds = holds(true),
         .first = OrderEvent{TxnId::none()},
         .second = start(a),
         .middle = b},
        often());
  }

  static bool is_about_versions(const RowsProofStep& step) {
    return step.reason == Reason::kVersions || step.reason == Reason::kWritten;
  }

  /// Whether the operation found rows, or may have, and does not say which.
  static bool says_no_keys(const rows::RowOp& op) {
    using enum rows::Known;
    const bool is_number = op.known == kCount || op.known == kAny;
    return op.has_predicate() && (op.known == kNothing || (is_number && op.count > 0) ||
                                  (op.known == kBag && op.shown_count > 0));
  }

  void add_findings(RowsProofStep& step, const Operation& operation, KeyId row, std::size_t found) {
    const rows::RowOp& op = op_of(operation);
    const bool has_ways = says_no_keys(op);
    const bool may_miss = op.kind == rows::RowOpKind::kDelete && op.row == row;
    RowsChoice choice = {.first = {operation.first}, .row = row, .mop = operation.second};
    std::vector<std::uint32_t> ways = items_of(op);
    ways.push_back(kAsFound);
    choice.kind = Kind::kFound;
    for (const std::uint32_t as : has_ways || may_miss ? ways : std::vector<std::uint32_t>()) {
      choice.as = as;
      choice.holds = random_.percent(found);
      add(step, choice, often());
    }
    ways.push_back(kAsMissed);
    ways = has_ways ? ways : std::vector<std::uint32_t>();
    ways.push_back(kAsRecorded);
    choice.kind = Kind::kConcerned;
    std::vector<TxnId> writers = txns_;
    if (!rows_.is_closed() || model_ == Model::kReadAtomic) {
      writers.push_back(TxnId::none());
    }
    const bool is_doubted = step.reason == Reason::kVersion || step.reason == Reason::kFractured;
    const bool is_named = is_about_versions(step) || is_doubted || random_.percent(20);
    for (const std::uint32_t as : is_named ? ways : std::vector<std::uint32_t>()) {
      for (const TxnId writer : writers) {
        choice.as = as;
        choice.middle = writer;
        choice.holds = holds(!is_doubted);
        add(step, choice, often());
      }
    }
  }

  void add_beginnings(RowsProofStep& step) {
    std::vector<ValueId> values = {ValueId::none(), ValueId::nil()};
    for (std::int64_t value = -1; value <= 5; ++value) {
      values.push_back(ValueId::integer(value));
    }
    const std::size_t holds = step.reason == Reason::kContents ? 100 : random_.below(100);
    for (const KeyId row : keys_) {
      RowsChoice choice = {.kind = Kind::kAtFirst, .row = row};
      choice.part = kRowExistence;
      choice.values = {ValueId::integer(1)};
      choice.holds = random_.percent(holds);
      add(step, choice, often());
      for (std::uint32_t column = 0; column < rows_.column_count(); ++column) {
        choice.part = kFirstColumn + column;
        for (const ValueId value : values) {
          choice.values = {value};
          choice.holds = random_.percent(holds);
          add(step, choice, often());
        }
      }
    }
  }

  const History& history_;
  const rows::Rows& rows_;
  Model model_;
  Random& random_;
  bool has_two_events_;
  std::vector<Reason> reasons_;  // that the level has
  std::vector<TxnId> txns_;
  std::vector<KeyId> keys_;
  std::vector<Operation> operations_;
  std::vector<RowsProofStep> kept_;
  bool is_apt_ = false;
  bool is_forged_ = false;
  std::size_t tried_ = 0;
  std::array<std::size_t, kReasons> accepted_ = {};
};

/// Small histories, each at some levels that it satisfies.
void forge_rows(std::size_t histories, std::size_t steps) {
  constexpr std::uint64_t kFirstSeed = 120'000'000'000;
  const std::uint64_t begin = kFirstSeed + first_seed_of_cases();
  std::size_t tried = 0;
  std::array<std::size_t, kReasons> accepted = {};
  std::size_t count = 0;
  for (std::uint64_t seed = begin; count < histories; ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (!history || !rows_can_be_tried(history.value()) || !says_something(history.value())) {
      continue;
    }
    Random random(seed);
    const Model model = kModels.at(random.below(kModels.size()));
    if (!is_valid(history.value(), model)) {
      continue;
    }
    ++count;
    RowsForger forger(history.value(), model, random);
    forger.run(steps);
    tried += forger.tried();
    for (std::size_t i = 0; i < accepted.size(); ++i) {
      accepted.at(i) += forger.accepted().at(i);
    }
    INFO("seed " << seed << ", " << friendly_name(model) << '\n' << rows_text(history.value()));
    CHECK_FALSE(forger.is_forged());
  }
  std::string text;
  for (const std::size_t number : accepted) {
    text += ' ' + std::to_string(number);
  }
  WARN(tried << " steps tried; accepted by reason:" << text);
}

TEST_CASE("forged proofs: none about a valid history of rows is accepted") {
  forge_rows(round_count(100, 1'000), 300);
}

TEST_CASE("forged proofs: none about many histories of rows", "[.nightly]") {
  forge_rows(10'000, 1000);
}

}  // namespace
}  // namespace elapid
