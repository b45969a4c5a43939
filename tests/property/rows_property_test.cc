// Random histories of rows and predicates: the engine's answers are those of the definition, and
// orders that prove them survive certification.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/argue/argue.h"
#include "engine/argue/first_contents.h"
#include "engine/certify/certify.h"
#include "engine/certify/rows/rows_proof.h"
#include "engine/certify/rows/rows_witness.h"
#include "engine/replay/commit_search.h"
#include "engine/replay/order_repair.h"
#include "engine/replay/order_search.h"
#include "engine/replay/replay.h"
#include "engine/replay/statement_search.h"
#include "engine/rows/rows.h"
#include "harness/generate/random.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

constexpr std::array kRowLevels = {
    OrderLevel{Visibility::kSerial, false, false},  OrderLevel{Visibility::kSerial, true, false},
    OrderLevel{Visibility::kSerial, true, true},    OrderLevel{Visibility::kSnapshot, false, false},
    OrderLevel{Visibility::kSnapshot, true, false}, OrderLevel{Visibility::kSnapshot, true, true},
};

constexpr std::array kModels = {Model::kPl3,
                                Model::kStrongSessionSerializable,
                                Model::kPlSs,
                                Model::kPlSi,
                                Model::kStrongSessionSnapshotIsolation,
                                Model::kStrongSnapshotIsolation,
                                Model::kPl299,
                                Model::kPl2,
                                Model::kReadAtomic};

/// What is wrong with the engine's answer; empty if nothing.
std::string mistake(const History& history, OrderLevel level, std::size_t (&answers)[3]) {
  const ReplayResult result = replay_rows(history, {.level = level});
  ++answers[static_cast<std::size_t>(result.validity)];
  const bool is_knowable =
      history.info().rows->is_closed() && (!level.real_time || history.info().has_real_time);
  if (result.validity == Validity::kUnknown) {
    return is_knowable ? "unknown: " + result.unknown_because : "";
  }
  const bool is_valid = result.validity == Validity::kValid;
  if (is_valid != rows_hold(history, level)) {
    return is_valid ? "valid, and is not" : "invalid, and is valid";
  }
  if (is_valid) {
    return check_evidence(history, level, result.witness.value()).value_or("");
  }
  return result.failure.has_value() ? "" : "invalid without a reason";
}

TEST_CASE("rows: a row that nothing matches changes no answer, nor does an item read by its key") {
  const std::uint64_t first = 3'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(1000);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    RowsSketch sketch = random_rows(seed);
    const Result<History> before = build(sketch);
    for (RowsSketch::Transaction& txn : sketch.transactions) {
      for (RowsSketch::Operation& op : txn.operations) {
        if (op.kind == rows::RowOpKind::kRead) {
          op.kind = rows::RowOpKind::kPredicateRead;
          op.predicate = rows::Predicate::key_range(op.row, op.row);
        }
      }
    }
    // Alone at the end of time, and of no column that a predicate of the others speaks of.
    sketch.transactions.push_back(
        {.session = 500,
         .begin = 1'000'000,
         .end = 1'000'001,
         .operations = {{.kind = rows::RowOpKind::kInsert, .row = 99, .version = 999},
                        {.kind = rows::RowOpKind::kDelete, .row = 99, .version = 1000}}});
    const Result<History> after = build(sketch);
    REQUIRE(before.ok() == after.ok());
    if (!before.ok()) {
      continue;
    }
    INFO("seed " << seed);
    for (const OrderLevel level : kRowLevels) {
      CHECK(replay_rows(before.value(), {.level = level}).validity ==
            replay_rows(after.value(), {.level = level}).validity);
    }
  }
}

TEST_CASE("rows: replay answers as the definition does") {
  const std::uint64_t first = 1'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(6000);
  std::size_t answers[3] = {};
  std::size_t failures = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (!history) {
      continue;
    }
    for (const OrderLevel level : kRowLevels) {
      const std::string wrong = mistake(history.value(), level, answers);
      if (!wrong.empty()) {
        ++failures;
        FAIL_CHECK("seed " << seed << " visibility " << static_cast<int>(level.visibility)
                           << " sessions " << level.sessions << " real time " << level.real_time
                           << ": " << wrong << '\n'
                           << rows_text(history.value()));
        break;
      }
    }
  }
  CHECK(answers[static_cast<std::size_t>(Validity::kValid)] > cases / 2);
  CHECK(answers[static_cast<std::size_t>(Validity::kInvalid)] > cases / 2);
}

TEST_CASE("rows: transactions without an invocation are judged as the definition does") {
  const std::uint64_t first = 29'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(2000);
  std::size_t answers[3] = {};
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const RowsSketch sketch = random_rows(seed);
    const Result<History> history = build(without_some_invocations(sketch, seed));
    for (const OrderLevel level : kRowLevels) {
      if (!sketch.has_times || !history || !history.value().info().has_real_time) {
        continue;
      }
      INFO("seed " << seed << " visibility " << static_cast<int>(level.visibility) << " sessions "
                   << level.sessions << " real time " << level.real_time << '\n'
                   << rows_text(history.value()));
      REQUIRE(mistake(history.value(), level, answers).empty());
    }
  }
  CHECK(answers[static_cast<std::size_t>(Validity::kValid)] > cases / 3);
  CHECK(answers[static_cast<std::size_t>(Validity::kInvalid)] > cases / 3);
}

/// The search alone: other ways to an answer are not in its way.
TEST_CASE("rows: a search that is cut off anywhere gives the answer of the whole one, or none") {
  const std::uint64_t first = 31'000'000 * first_seed_of_cases();
  const std::uint64_t cases = 1 + case_count(3000) / 10;  // each takes thousands of searches
  const auto answer = [](const History& history, OrderLevel level, std::uint64_t work) {
    replay::OrderSearch search(history, level);
    replay::ReplayBudget budget = {.work = work, .states = 1'000'000};
    return search.run(budget);
  };
  std::size_t unknown = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (!history || !history.value().info().rows->is_closed()) {
      continue;
    }
    for (const OrderLevel level : kRowLevels) {
      INFO("seed " << seed << " visibility " << static_cast<int>(level.visibility) << " sessions "
                   << level.sessions << " real time " << level.real_time);
      const Validity whole = answer(history.value(), level, 1'000'000);
      REQUIRE(whole != Validity::kUnknown);
      for (std::uint64_t work = 1; work < 400; ++work) {
        const Validity cut = answer(history.value(), level, work);
        REQUIRE((cut == whole || cut == Validity::kUnknown));
        unknown += cut == Validity::kUnknown ? 1U : 0U;
      }
    }
  }
  CHECK(unknown > cases);
}

TEST_CASE("rows: orders that are repaired are those of the level") {
  const std::uint64_t first = 23'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(3000);
  std::size_t found = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (!history || !history.value().info().rows->is_closed()) {
      continue;
    }
    for (const OrderLevel level : kRowLevels) {
      if (level.real_time) {
        continue;
      }
      INFO("seed " << seed << " visibility " << static_cast<int>(level.visibility) << " sessions "
                   << level.sessions << '\n'
                   << rows_text(history.value()));
      replay::OrderRepair repair(history.value(), level);
      replay::ReplayBudget budget = {.work = 100'000};
      if (repair.run(budget)) {
        ++found;
        CHECK(check_evidence(history.value(), level, {.order = repair.order(), .beginning = {}})
                  .value_or("")
                  .empty());
      }
    }
  }
  CHECK(found > cases / 2);
}

std::string refusal_of(const History& history, const Anomaly& proof) {
  for (const CertifyFailure& failure : Certifier(history, {}, false).certify({proof})) {
    return "refused: " + failure.reason;
  }
  return "";
}

/// The error of the answer by clauses, or an empty text.
std::string flaw_of_argument(const History& history, Model model, std::size_t (&answers)[3]) {
  const OrderLevel level = order_level(model).value();
  std::vector<OrderEvent> guess;  // as far from right as any
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    guess.insert(guess.begin(), {txn, true});
  }
  ArgueResult result = argue_rows(
      history, {.level = level,
                .first_guess = history.txn_count() % 2 == 0 ? guess : std::vector<OrderEvent>()});
  ++answers[static_cast<std::size_t>(result.validity)];
  if (result.validity == Validity::kUnknown) {
    return "";
  }
  const bool is_valid = result.validity == Validity::kValid;
  if (is_valid != rows_hold(history, level)) {
    return is_valid ? "valid, and is not" : "invalid, and is valid";
  }
  if (is_valid) {
    const Witness witness = {.order = std::move(result.order),
                             .beginning = std::move(result.beginning)};
    return check_evidence(history, level, witness).value_or("");
  }
  return refusal_of(history, {AnomalyType::kPl3CycleExists,
                              RowsProofEvidence{.model = model, .steps = std::move(result.proof)}});
}

TEST_CASE("rows: clauses answer as the definition does, and their proofs survive certification") {
  const std::uint64_t first = 5'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(4000);
  std::size_t answers[3] = {};
  std::size_t failures = 0;
  constexpr std::array kModelsInOrder = {
      Model::kPl3,  Model::kStrongSessionSerializable,      Model::kPlSs,
      Model::kPlSi, Model::kStrongSessionSnapshotIsolation, Model::kStrongSnapshotIsolation};
  for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (!history || !rows_can_be_tried(history.value())) {
      continue;
    }
    for (const Model model : kModelsInOrder) {
      if (order_level(model)->real_time && !history.value().info().has_real_time) {
        continue;
      }
      const std::string wrong = flaw_of_argument(history.value(), model, answers);
      if (!wrong.empty()) {
        ++failures;
        FAIL_CHECK("seed " << seed << " " << friendly_name(model) << ": " << wrong << '\n'
                           << rows_text(history.value()));
        break;
      }
    }
  }
  INFO(answers[0] << ' ' << answers[1] << ' ' << answers[2]);
  CHECK(answers[static_cast<std::size_t>(Validity::kValid)] > cases);
  CHECK(answers[static_cast<std::size_t>(Validity::kInvalid)] > cases / 10);
}

OldVersions old_versions_of(Model model) {
  return model == Model::kPl299        ? OldVersions::kOfPredicates
         : model == Model::kReadAtomic ? OldVersions::kOfOneState
                                       : OldVersions::kOfReads;
}

bool holds_at(const History& history, Model model) {
  return model == Model::kPl299        ? rows_are_repeatable(history)
         : model == Model::kPl2        ? rows_are_read_committed(history)
         : model == Model::kReadAtomic ? rows_are_read_atomic(history)
                                       : rows_hold(history, order_level(model).value());
}

/// The error of the answer by clauses on a level with old versions, or an empty text.
std::string flaw_of_old_versions(const History& history, Model model, std::size_t (&answers)[3]) {
  ArgueResult result = argue_rows(history, {.level = {.visibility = Visibility::kSerial},
                                            .old_versions = old_versions_of(model)});
  ++answers[static_cast<std::size_t>(result.validity)];
  if (result.validity == Validity::kUnknown) {
    return "";
  }
  const bool is_valid = result.validity == Validity::kValid;
  if (!is_valid && model == Model::kReadAtomic && deletes_by_key(history)) {
    // Such a delete may have missed its row in the state that was seen, which clauses do not say:
    // only proofs that do not rest on it count.
    RowsProofEvidence proof = {.model = model, .steps = result.proof};
    if (check_rows_proof(history, AnomalyType::kPl2CycleExists, proof, {})) {
      return "";
    }
  }
  if (is_valid != holds_at(history, model)) {
    return is_valid ? "valid, and is not" : "invalid, and is valid";
  }
  if (is_valid) {
    const Witness witness = {.order = std::move(result.order),
                             .reads = std::move(result.reads),
                             .beginning = std::move(result.beginning),
                             .taken = std::move(result.taken)};
    return check_rows_of_old_versions(history, model, witness).value_or("");
  }
  return refusal_of(history, {AnomalyType::kPl299CycleExists,
                              RowsProofEvidence{.model = model, .steps = std::move(result.proof)}});
}

TEST_CASE("rows: clauses decide repeatable read, read committed and read atomic by definition") {
  const std::uint64_t first = 9'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(4000);
  std::size_t failures = 0;
  std::size_t answers[3] = {};
  for (const Model model : {Model::kPl299, Model::kPl2, Model::kReadAtomic}) {
    for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
      const Result<History> history = build(random_rows(seed));
      if (!history || !rows_can_be_tried(history.value())) {
        continue;
      }
      const std::string wrong = flaw_of_old_versions(history.value(), model, answers);
      if (!wrong.empty()) {
        ++failures;
        FAIL_CHECK("seed " << seed << " " << friendly_name(model) << ": " << wrong << '\n'
                           << rows_text(history.value()));
      }
    }
  }
  INFO(answers[0] << ' ' << answers[1] << ' ' << answers[2]);
  CHECK(answers[static_cast<std::size_t>(Validity::kValid)] > cases / 10);
  CHECK(answers[static_cast<std::size_t>(Validity::kInvalid)] > cases / 200);
  CHECK(answers[static_cast<std::size_t>(Validity::kUnknown)] < cases / 20);
}

/// What rows of an open universe are tried with.
replay::RowContents guess(const History& history) {
  const std::vector<replay::RowState> states = argue::guessed_beginning(history);
  replay::RowContents rows;
  for (KeyId row{0}; row.index() < states.size(); ++row.value) {
    if (states[row.index()].is_alive) {
      rows.emplace_back(row, states[row.index()]);
    }
  }
  return rows;
}

/// What Search finds at repeatable read and read committed holds by definition.
template <class Search>
void expect_orders_of_level(std::uint64_t first) {
  const std::uint64_t cases = case_count(6000);
  std::size_t found = 0;
  std::size_t unnamed = 0;
  std::size_t failures = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
    const bool is_repeatable = seed % 2 == 0;
    const Result<History> history = build(random_rows(seed));
    if (!history || !rows_can_be_tried(history.value())) {
      continue;
    }
    const replay::RowContents beginning = guess(history.value());
    Search search(history.value(),
                  is_repeatable ? replay::Stale::kPredicates : replay::Stale::kAllReads, beginning);
    replay::ReplayBudget budget = {.work = 100'000, .states = 100'000};
    if (!search.run(budget)) {
      continue;
    }
    ++found;
    unnamed += search.taken().empty() ? 0U : 1U;
    const bool holds = is_repeatable ? rows_are_repeatable(history.value())
                                     : rows_are_read_committed(history.value());
    const std::string wrong =
        check_rows_of_old_versions(history.value(), is_repeatable ? Model::kPl299 : Model::kPl2,
                                   {.order = search.order(),
                                    .beginning = replay::parts_at_first(beginning),
                                    .taken = search.taken()})
            .value_or("");
    if (!wrong.empty() || !holds) {
      ++failures;
      FAIL_CHECK("seed " << seed << ": " << wrong << " holds " << holds << '\n'
                         << rows_text(history.value()));
    }
  }
  INFO("found " << found << ", with unnamed rows " << unnamed);
  CHECK(found > cases / 4);
  CHECK(unnamed > cases / 40);
}

TEST_CASE("rows: orders found operation by operation are those of the level") {
  expect_orders_of_level<replay::StatementSearch>(31'000'000 * first_seed_of_cases());
}

TEST_CASE("rows: orders found commit by commit are those of the level") {
  expect_orders_of_level<replay::CommitSearch>(32'000'000 * first_seed_of_cases());
}

/// The sketch with one result changed, or one transaction less.
RowsSketch changed_in_one_place(RowsSketch sketch, std::uint64_t seed) {
  std::vector<RowsSketch::Operation*> with_results;
  for (RowsSketch::Transaction& txn : sketch.transactions) {
    for (RowsSketch::Operation& op : txn.operations) {
      if (op.known == rows::Known::kCount || !op.shown.empty()) {
        with_results.push_back(&op);
      }
    }
  }
  if (with_results.empty() || seed % 5 == 0) {
    sketch.transactions.pop_back();
    return sketch;
  }
  RowsSketch::Operation& op = *with_results[seed / 5 % with_results.size()];
  if (op.shown.empty()) {
    op.count += op.count > 0 && seed % 2 == 0 ? -1U : 1U;
  } else if (op.shown.front().columns.empty() || seed % 2 == 0) {
    op.shown.pop_back();
  } else {
    op.shown.front().columns.front().second = static_cast<std::int64_t>(seed % 4);
  }
  return sketch;
}

/// What proves a history invalid, or nothing.
std::optional<RowsProofEvidence> refutation_of(const History& history, Model model) {
  ArgueOptions options = {.level = {.visibility = Visibility::kSerial}};
  if (model == Model::kPl299 || model == Model::kPl2 || model == Model::kReadAtomic) {
    options.old_versions = old_versions_of(model);
  } else {
    options.level = order_level(model).value();
  }
  ArgueResult result = argue_rows(history, options);
  return result.validity == Validity::kInvalid
             ? std::optional(RowsProofEvidence{.model = model, .steps = std::move(result.proof)})
             : std::nullopt;
}

/// Leaves out a step, a choice, a cause or a later finding, or takes one from elsewhere.
void damage(RowsProofEvidence& proof, Random& random) {
  const auto drop_one = [&](auto& items) {
    if (!items.empty()) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(random.below(items.size())));
    }
  };
  const auto any_step = [&]() -> RowsProofStep& {
    return proof.steps[random.below(proof.steps.size())];
  };
  RowsProofStep& step = any_step();
  switch (random.below(9)) {
    case 0:
      drop_one(proof.steps);
      break;
    case 1:
    case 2:
      drop_one(step.clause);
      break;
    case 3:
      drop_one(step.causes);
      break;
    case 4:
      step.causes = any_step().causes;
      break;
    case 5:
      step.later = any_step().later;
      break;
    case 6:
      step.mop = any_step().mop;
      break;
    case 7:
      step.clause = any_step().clause;
      break;
    default:
      if (!step.clause.empty()) {
        RowsChoice& choice = step.clause[random.below(step.clause.size())];
        choice.as = any_step().items.empty() ? kAsFound : 0;
        std::swap(choice.first, choice.second);
        choice.holds = choice.kind == RowsChoice::Kind::kBefore || !choice.holds;
      }
  }
}

TEST_CASE("rows: proofs of one history, whole or damaged, prove nothing of a valid one like it") {
  const std::uint64_t first = 29'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(400);
  constexpr std::size_t kDamages = 12;
  std::size_t refused = 0;
  Random random(first);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const RowsSketch sketch = random_rows(seed);
    const Result<History> history = build(sketch);
    const Result<History> other = build(changed_in_one_place(sketch, seed));
    if (!history || !other || !rows_can_be_tried(history.value()) ||
        !rows_can_be_tried(other.value())) {
      continue;
    }
    for (const Model model : kModels) {
      const bool lacks_time =
          order_level(model)->real_time && !history.value().info().has_real_time;
      const auto proof = lacks_time ? std::nullopt : refutation_of(other.value(), model);
      if (!proof || !holds_at(history.value(), model)) {
        continue;
      }
      INFO("seed " << seed << ' ' << friendly_name(model) << '\n' << rows_text(history.value()));
      RowsProofEvidence changed = *proof;
      for (std::size_t i = 0; i <= kDamages; ++i) {
        CHECK_FALSE(Certifier(history.value(), {}, false)
                        .certify({{AnomalyType::kPl3CycleExists, changed}})
                        .empty());
        ++refused;
        if (random.percent(30) || changed.steps.empty()) {
          changed = *proof;
        }
        damage(changed, random);
      }
    }
  }
  CHECK(refused > cases / 10);
}

bool has_indeterminate(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) == TxnStatus::kIndeterminate) {
      return true;
    }
  }
  return false;
}

/// Not of histories with deletes by key: weaker levels let them miss their rows, which names do not
/// know yet. Nor of a dirty read by a transaction that took effect only if sessions or real time
/// count.
TEST_CASE("rows: the name of a proof rules out no level that holds") {
  const std::uint64_t first = 31'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(400);
  std::size_t named = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (!history || !rows_can_be_tried(history.value()) || deletes_by_key(history.value())) {
      continue;
    }
    const auto is_askable = [&](Model model) {
      return !order_level(model)->real_time || history.value().info().has_real_time;
    };
    for (const Model model : kModels) {
      const auto proof = is_askable(model) ? refutation_of(history.value(), model) : std::nullopt;
      const auto type = proof ? class_of_proof(history.value(), *proof) : std::nullopt;
      if (!type) {
        continue;
      }
      ++named;
      const ModelSet impossible = impossible_models({*type});
      for (const Model other : kModels) {
        // At snapshot isolation the rows of a lost update may have been found by predicates.
        const bool is_stronger = *type == AnomalyType::kLostUpdate && other == Model::kPl299;
        const bool is_dirty = *type == AnomalyType::kG1a || *type == AnomalyType::kG1b ||
                              *type == AnomalyType::kGarbageRead;
        const bool may_not_count = is_dirty && has_indeterminate(history.value());
        if (impossible.test(other) && is_askable(other) && !is_stronger && !may_not_count) {
          INFO("seed " << seed << ' ' << friendly_name(model) << ' ' << name(*type) << ' '
                       << friendly_name(other) << '\n'
                       << rows_text(history.value()));
          CHECK_FALSE(holds_at(history.value(), other));
        }
      }
    }
  }
  CHECK(named > cases / 10);
}

TEST_CASE("rows: proofs about repeatable read that are changed prove nothing false") {
  const std::uint64_t first = 19'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(1000);
  std::size_t refused = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const RowsSketch sketch = random_rows(seed);
    const Result<History> history = build(sketch);
    if (!history || !history.value().info().rows->is_closed() ||
        !rows_are_repeatable(history.value())) {
      continue;
    }
    INFO("seed " << seed << '\n' << rows_text(history.value()));
    const auto is_refused = [&](RowsProofEvidence proof, AnomalyType type) {
      return !Certifier(history.value(), {}, false).certify({{type, std::move(proof)}}).empty();
    };
    // What refutes serializability refutes no repeatable read, were it said to.
    ArgueResult result = argue_rows(history.value(), {.level = order_level(Model::kPl3).value()});
    if (result.validity == Validity::kInvalid) {
      CHECK(is_refused({.model = Model::kPl299, .steps = std::move(result.proof)},
                       AnomalyType::kPl299CycleExists));
      ++refused;
    }
    // Nor does what refutes a history that differs in one place.
    const Result<History> other = build(changed_in_one_place(sketch, seed));
    for (const OldVersions old : {OldVersions::kOfPredicates, OldVersions::kOfReads}) {
      if (!other || other.value().key_count() != history.value().key_count()) {
        continue;
      }
      result = argue_rows(other.value(),
                          {.level = {.visibility = Visibility::kSerial}, .old_versions = old});
      if (result.validity == Validity::kInvalid) {
        const bool is_predicates = old == OldVersions::kOfPredicates;
        CHECK(is_refused(
            {.model = is_predicates ? Model::kPl299 : Model::kPl2,
             .steps = std::move(result.proof)},
            is_predicates ? AnomalyType::kPl299CycleExists : AnomalyType::kPl2CycleExists));
        ++refused;
      }
    }
  }
  CHECK(refused > cases / 500);
}

/// Why an order is refused, or "accepted".
std::string refusal(const History& history, OrderLevel level, const Witness& witness) {
  return check_evidence(history, level, witness).value_or("accepted");
}

TEST_CASE("rows: certification refuses orders that prove nothing") {
  constexpr OrderLevel kSer = {Visibility::kSerial, false, false};
  constexpr OrderLevel kStrict = {Visibility::kSerial, true, true};
  constexpr OrderLevel kSi = {Visibility::kSnapshot, false, false};
  const History history = rows_history(
      "0@1-2: [:insert 1 {:a 1}]\n"
      "0@3-4: [:insert 2 {:a 1}]\n"
      "1@5-6: [:rp [:in :a 1 1] {1 {:a 1} 2 {:a 1}}]\n"
      "2!@1-9: [:insert 3 {:a 1}]");
  const TxnId first{0};
  const TxnId second{1};
  const TxnId reader{2};
  const TxnId aborted{3};
  CHECK(refusal(history, kStrict, {.order = {{first}, {second}, {reader}}}) == "accepted");
  CHECK(refusal(history, kSer, {.order = {{second}, {first}, {reader}}}) == "accepted");
  CHECK(refusal(history, kStrict, {.order = {{second}, {first}, {reader}}}).find("comes before") !=
        std::string::npos);
  CHECK(refusal(history, kSer, {.order = {{first}, {reader}, {second}}})
            .find("would have another result") != std::string::npos);
  CHECK(refusal(history, kSer, {.order = {{first}, {second}}}).find("is not in the order") !=
        std::string::npos);
  CHECK(refusal(history, kSer, {.order = {{first}, {first}, {second}, {reader}}}).find("twice") !=
        std::string::npos);
  CHECK(refusal(history, kSer, {.order = {{first}, {second}, {reader}, {aborted}}})
            .find("was aborted") != std::string::npos);
  CHECK(refusal(history, kSer, {.order = {{first}, {second}, {TxnId{9}}}}).find("does not exist") !=
        std::string::npos);
  CHECK(refusal(history, kSi, {.order = {{first}, {second}, {reader}}}).find("without a start") !=
        std::string::npos);
  const History writers = rows_history("0: [:put 1 {:a 1}]\n1: [:put 1 {:a 2}]");
  CHECK(refusal(writers, kSi,
                {.order = {{first, false}, {second, false}, {first, true}, {second, true}}})
            .find("overlap and both write row 1") != std::string::npos);
  CHECK(refusal(writers, kSi,
                {.order = {{first, false}, {first, true}, {second, false}, {second, true}}}) ==
        "accepted");
}

}  // namespace
}  // namespace elapid
