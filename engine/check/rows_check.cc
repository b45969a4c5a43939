#include "engine/check/rows_check.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "engine/argue/argue.h"
#include "engine/argue/first_contents.h"
#include "engine/certify/rows/rows_proof.h"
#include "engine/check/certification.h"
#include "engine/check/question.h"
#include "engine/check/unknown_reasons.h"
#include "engine/check/verdict_of.h"
#include "engine/check/work.h"
#include "engine/levels/entailment.h"
#include "engine/levels/ladder.h"
#include "engine/levels/workload_entailment.h"
#include "engine/replay/commit_search.h"
#include "engine/replay/replay.h"
#include "engine/replay/statement_search.h"

namespace elapid {

namespace {

using enum Model;

/// A level that an order decides, and the anomaly if there is none. Stronger levels first.
/// Serializability without sessions comes late. If only snapshot isolation holds, its search takes
/// the rest of the time, and snapshot isolation with sessions takes little.
struct RowsLevel {
  Model model;
  AnomalyType without_order;
};

constexpr std::array kRowsLevels = {
    RowsLevel{kPlSs, AnomalyType::kPlSsCycleExists},
    RowsLevel{kStrongSessionSerializable, AnomalyType::kStrongSessionSerializableCycleExists},
    RowsLevel{kStrongSnapshotIsolation, AnomalyType::kStrongSnapshotIsolationCycleExists},
    RowsLevel{kStrongSessionSnapshotIsolation,
              AnomalyType::kStrongSessionSnapshotIsolationCycleExists},
    RowsLevel{kPl3, AnomalyType::kPl3CycleExists},
    RowsLevel{kPlSi, AnomalyType::kPlSiCycleExists},
};

ModelSet entailed_of_rows(Model model) {
  return entailed(model, Workload::kRows);
}

ModelSet entailing_of_rows(Model model) {
  return entailing(model, Workload::kRows);
}

/// Whether the one follows from the other.
bool are_related(Model one, Model other) {
  return entailed_of_rows(one).test(other) || entailed_of_rows(other).test(one);
}

/// Whether they ask the same of rows.
bool are_equal(Model one, Model other) {
  return entailed_of_rows(one).test(other) && entailed_of_rows(other).test(one);
}

/// The operations looked at for a quick answer before a longer search.
constexpr std::uint64_t kQuickWork = 2'000'000;
constexpr std::uint64_t kQuickWorkAnOperation = 500;

/// The operations tried to find a proof for a known verdict.
constexpr std::uint64_t kWorkForProof = 1'000'000;
constexpr std::uint64_t kWorkForProofAnOperation = 50;

/// The solver's work that one step of a search of rows costs. By default a level's searches end
/// after 2 to some 8 s.
constexpr std::uint64_t kWorkOfStep = 500;

/// The parts of a level's steps for trying orders, and for clauses of repeatable read and read
/// committed. These clauses take longer a step, and serial orders are tried besides.
constexpr std::uint64_t kPartForOrders = 2;
constexpr std::uint64_t kPartForVersions = 4;

/// After a level that stays open, the next ones have this part of its steps. So all together take
/// at most twice the steps of one.
constexpr std::uint64_t kPartForFurther = 2;

/// The states, 32 bytes each, that a search remembers if it is given up soon.
constexpr std::uint64_t kMostStates = std::uint64_t{1} << 22;

/// Certification compares each step with all before it.
constexpr std::size_t kMostProofSteps = 5000;
const std::string kLongProof = "the proof against it is too long to be checked";

/// Clauses state that it acts at its place in the order.
const std::string kMissedDelete =
    "a delete by key may have found no row in the state that its transaction saw";

constexpr std::string_view kNotOfRows =
    "for rows and predicates no level that it implies is known to be violated, and none that "
    "implies it is known to hold; the levels decided directly are read committed, read atomic, "
    "repeatable read, serializability and snapshot isolation, the last two with sessions and real "
    "time or without";

class RowsCheck {
 public:
  RowsCheck(const History& history, const CheckOptions& options)
      : history_(history),
        options_(options),
        steps_(options.budget.solver_work / kWorkOfStep),
        work_(options),
        beginning_(beginning_of(history)) {}

  Result<Verdict> run() {
    for (const RowsLevel level : kRowsLevels) {
      if (is_asked(level.model)) {
        if (!work_.progress("carrying transactions out")) {
          return usage_error("interrupted");
        }
        decide(level);
      }
    }
    for (const Model model : {kPl299, kReadAtomic, kPl2}) {
      if (is_asked(model)) {
        decide_with_old_versions(model);
      }
    }
    if (work_.was_stopped()) {
      return usage_error("interrupted");
    }
    note_contradiction(proven_ & refuted_);
    if (contradiction_) {
      return Error{.kind = ErrorKind::kInternal,
                   .message = "two engines contradict one another about " +
                              std::string(friendly_name(*contradiction_))};
    }
    conclude();
    if (options_.certify && work_.progress("certifying evidence")) {
      if (auto error = certify_verdict(history_, options_, {}, unshown_, verdict_)) {
        return *std::move(error);
      }
    }
    return std::move(verdict_);
  }

 private:
  /// The initial contents of rows of an open universe that are tried.
  static replay::RowContents beginning_of(const History& history) {
    const std::vector<replay::RowState> states = argue::guessed_beginning(history);
    replay::RowContents rows;
    for (KeyId row{0}; row.index() < states.size(); ++row.value) {
      if (states[row.index()].is_alive) {
        rows.emplace_back(row, states[row.index()]);
      }
    }
    return rows;
  }

  /// Whether the level is open, and an open demanded level depends on it. That is an equivalent
  /// one, or a related one that is not decided by itself.
  [[nodiscard]] bool is_asked(Model model) const {
    const ModelSet known = proven_ | refuted_;
    const auto depends = [model](Model demanded) {
      return is_decided_for_rows(demanded) ? are_equal(demanded, model)
                                           : are_related(demanded, model);
    };
    return !known.test(model) && (options_.models & ~known).filter(depends).any();
  }

  void note_contradiction(ModelSet torn) {
    if (torn.any()) {
      contradiction_ = torn.first();
    }
  }

  /// Whether it asks for real time, which the history does not record.
  [[nodiscard]] bool lacks_real_time(Model model) const {
    const std::optional<OrderLevel> level = order_level(model);
    return level && level->real_time && !history_.info().has_real_time;
  }

  /// Without recorded time an order does not show that real time is kept. If sessions alone leave
  /// no order, there is none with real time either.
  void decide_by_sessions(Model model) {
    const auto sessions = std::ranges::find_if(kRowsLevels, [&](const RowsLevel& weaker) {
      return weaker.model != model && entailed_of_rows(model).test(weaker.model);
    });
    if (!(proven_ | refuted_).test(sessions->model)) {
      decide(*sessions);
    }
    if (!refuted_.test(model)) {
      undecided_.emplace_back(model, kNeedsRealTime);
    }
  }

  /// Carrying out soon finds most orders that exist. Clauses find the harder ones, and proofs.
  void decide(RowsLevel level) {
    if (lacks_real_time(level.model)) {
      decide_by_sessions(level.model);
      return;
    }
    if (options_.engine == Engine::kSearch) {
      // Without clauses it has their steps, too; a step of a clause is longer.
      return conclude(level, replay(level.model, 2 * steps_), std::nullopt);
    }
    if (options_.engine == Engine::kSolver) {
      ReplayResult result;
      std::optional<RowsProofEvidence> proof = argue(level, result, steps_);
      return conclude(level, std::move(result), std::move(proof));
    }
    const std::uint64_t quick = quick_work();
    ReplayResult result = replay(level.model, quick);
    std::optional<RowsProofEvidence> proof;
    if (result.validity != Validity::kValid) {
      proof = argue(level, result, std::min(steps_, work_for_proof()));
    }
    const std::uint64_t for_orders = steps_ / kPartForOrders;
    if (result.validity == Validity::kUnknown && quick < for_orders && result.is_out_of_budget) {
      result = replay(level.model, for_orders);
    }
    if (result.validity == Validity::kUnknown) {
      proof = argue(level, result, steps_ - for_orders);
    }
    conclude(level, std::move(result), std::move(proof));
  }

  [[nodiscard]] std::uint64_t quick_work() const {
    return std::min(steps_,
                    kQuickWork + kQuickWorkAnOperation * std::uint64_t{history_.op_count()});
  }

  [[nodiscard]] std::uint64_t work_for_proof() const {
    return kWorkForProof + kWorkForProofAnOperation * std::uint64_t{history_.op_count()};
  }

  [[nodiscard]] ReplayResult replay(Model model, std::uint64_t work) {
    return replay_rows(history_, {.level = order_level(model).value(),
                                  .beginning = beginning_,
                                  .work = work,
                                  .keep_going = keep_going_});
  }

  void conclude(RowsLevel level, ReplayResult result, std::optional<RowsProofEvidence> proof) {
    if (result.validity == Validity::kValid) {
      proven_ |= entailed_of_rows(level.model);
    } else if (result.validity == Validity::kInvalid) {
      refuted_ |= entailing_of_rows(level.model);
      if (!proof) {
        verdict_.anomalies.push_back(
            {level.without_order, NoOrderEvidence{level.model, *result.failure}});
      } else {
        result.failure.reset();
        verdict_.anomalies.push_back(
            {class_of_proof(history_, *proof).value_or(level.without_order), *std::move(proof)});
      }
    } else {
      if (result.is_out_of_budget) {
        const std::string spent = work_.spent_budget();
        result.unknown_because +=
            ": " + (spent.empty()
                        ? "the limit was reached (" + std::string(options_.words.solver_work) + ")"
                        : spent);
      }
      undecided_.emplace_back(level.model, std::move(result.unknown_because));
      steps_ /= kPartForFurther;
    }
    verdict_.levels.push_back(
        {level.model, result.validity, std::move(result.witness), {}, std::move(result.failure)});
  }

  /// Repeatable read, read atomic or read committed: what is serializable holds there, and is found
  /// the quickest; but for repeatable read snapshot isolation, too.
  void decide_with_old_versions(Model model) {
    const bool tries_orders = options_.engine != Engine::kSolver;
    if (model == kReadAtomic && options_.engine != Engine::kSearch) {
      ArgueResult torn = argue_with_old_versions(model, true);
      if (torn.validity == Validity::kInvalid &&
          refute(model, proof_of(model, std::move(torn.proof)))) {
        return;
      }
    }
    if (tries_orders && model != kReadAtomic &&
        (finds_statements<replay::CommitSearch>(model) ||
         finds_statements<replay::StatementSearch>(model))) {
      return;
    }
    for (const Model stronger : {kPl3, kPlSi}) {
      if (tries_orders && !refuted_.test(stronger) && entailed_of_rows(stronger).test(model) &&
          finds_order(stronger, quick_work())) {
        return;
      }
    }
    if (options_.engine == Engine::kSearch) {
      verdict_.levels.push_back({model, Validity::kUnknown, {}, {}, {}});
      undecided_.emplace_back(model, "the search found no order, which does not show a violation");
      return;
    }
    ArgueResult argued = argue_with_old_versions(model, false);
    if (argued.validity == Validity::kInvalid) {
      RowsProofEvidence proof = proof_of(model, std::move(argued.proof));
      const bool is_long = proof.steps.size() > kMostProofSteps;
      if (refute(model, std::move(proof))) {
        return;
      }
      argued.validity = Validity::kUnknown;
      argued.unknown_because = is_long ? kLongProof : kMissedDelete;
    }
    if (argued.validity == Validity::kUnknown && tries_orders && !refuted_.test(kPl3) &&
        !is_undecided(kPl3) && !is_clearly_not_serial() &&
        finds_order(kPl3, steps_ / kPartForVersions)) {
      return;
    }
    LevelAnswer answer = {model, argued.validity, {}, {}, {}};
    if (argued.validity == Validity::kValid) {
      proven_ |= entailed_of_rows(model);
      answer.witness = Witness{.order = std::move(argued.order),
                               .reads = std::move(argued.reads),
                               .beginning = std::move(argued.beginning),
                               .taken = std::move(argued.taken)};
    } else {
      undecided_.emplace_back(model, std::move(argued.unknown_because));
      steps_ /= kPartForFurther;
    }
    verdict_.levels.push_back(std::move(answer));
  }

  [[nodiscard]] ArgueResult argue_with_old_versions(Model model, bool only_torn_rows) {
    return argue_rows(history_,
                      {.level = {.visibility = Visibility::kSerial},
                       .work = steps_ / kPartForVersions,
                       .keep_going = keep_going_,
                       .old_versions = model == kPl2          ? OldVersions::kOfReads
                                       : model == kReadAtomic ? OldVersions::kOfOneState
                                                              : OldVersions::kOfPredicates,
                       .only_torn_rows = only_torn_rows});
  }

  /// Adopts the proof that repeatable read, read atomic or read committed does not hold, if it can
  /// be checked.
  bool refute(Model model, RowsProofEvidence proof) {
    const bool may_rest_on_delete = model == kReadAtomic && deletes_by_key();
    if (proof.steps.size() > kMostProofSteps ||
        (may_rest_on_delete &&
         check_rows_proof(history_, AnomalyType::kPl2CycleExists, proof, keep_going_))) {
      return false;
    }
    refuted_ |= entailing_of_rows(model);
    const AnomalyType type = class_of_proof(history_, proof)
                                 .value_or(model == kPl299 ? AnomalyType::kPl299CycleExists
                                                           : AnomalyType::kPl2CycleExists);
    verdict_.anomalies.push_back({type, std::move(proof)});
    verdict_.levels.push_back({model, Validity::kInvalid, {}, {}, {}});
    return true;
  }

  [[nodiscard]] bool deletes_by_key() const {
    return std::ranges::any_of(history_.info().rows->ops(), [](const rows::RowOp& op) {
      return op.kind == rows::RowOpKind::kDelete;
    });
  }

  bool finds_order(Model model, std::uint64_t work) {
    ReplayResult result = replay(model, work);
    if (result.validity != Validity::kValid) {
      return false;
    }
    proven_ |= entailed_of_rows(model);
    verdict_.levels.push_back({model, result.validity, std::move(result.witness), {}, {}});
    return true;
  }

  /// The same for searches in which each operation may find older versions, or has a place of its
  /// own.
  template <class Search>
  bool finds_statements(Model model) {
    Search search(history_, model == kPl2 ? replay::Stale::kAllReads : replay::Stale::kPredicates,
                  beginning_);
    replay::ReplayBudget budget = {
        .work = quick_work(), .states = kMostStates, .keep_going = keep_going_};
    if (!search.run(budget)) {
      return false;
    }
    proven_ |= entailed_of_rows(model);
    verdict_.levels.push_back({model,
                               Validity::kValid,
                               Witness{.order = search.order(),
                                       .beginning = replay::parts_at_first(beginning_),
                                       .taken = search.taken()},
                               {},
                               {}});
    return true;
  }

  /// Whether clauses soon show that there is no serial order. Then the search for one is needless.
  [[nodiscard]] bool is_clearly_not_serial() {
    const std::uint64_t work = std::min(steps_, work_for_proof());
    const ArgueResult argued = argue_rows(
        history_, {.level = order_level(kPl3).value(), .work = work, .keep_going = keep_going_});
    return argued.validity == Validity::kInvalid;
  }

  [[nodiscard]] bool is_undecided(Model model) const {
    return std::ranges::find(undecided_, model, &std::pair<Model, std::string>::first) !=
           undecided_.end();
  }

  static RowsProofEvidence proof_of(Model model, std::vector<RowsProofStep> steps) {
    RowsProofEvidence proof = {.model = model, .steps = std::move(steps)};
    for (const RowsProofStep& step : proof.steps) {
      for (const OrderEvent event : step.cycle) {
        proof.txns.push_back(event.txn);
      }
      for (const LaterFinding& found : step.later) {
        proof.txns.push_back(found.txn);
      }
      if (step.reason == RowsProofStep::Reason::kFound) {
        proof.txns.push_back(step.txn);
      }
    }
    std::ranges::sort(proof.txns);
    proof.txns.erase(std::unique(proof.txns.begin(), proof.txns.end()), proof.txns.end());
    return proof;
  }

  /// If no order was found, clauses give a proof that there is none, or an order. The order becomes
  /// the result.
  std::optional<RowsProofEvidence> argue(RowsLevel level, ReplayResult& result,
                                         std::uint64_t work) {
    const OrderLevel order = order_level(level.model).value();
    const bool was_refuted = result.validity == Validity::kInvalid;
    ArgueResult argued = argue_rows(
        history_,
        {.level = order, .work = work, .keep_going = keep_going_, .first_guess = result.nearest});
    if (argued.validity == Validity::kValid) {
      note_contradiction(was_refuted ? ModelSet{level.model} : ModelSet());
      result.validity = Validity::kValid;
      result.witness =
          Witness{.order = std::move(argued.order), .beginning = std::move(argued.beginning)};
    }
    if (argued.validity != Validity::kInvalid || argued.proof.size() > kMostProofSteps) {
      say_unknown(result,
                  argued.validity == Validity::kUnknown ? argued.unknown_because : kLongProof);
      return std::nullopt;
    }
    result.validity = Validity::kInvalid;
    return proof_of(level.model, std::move(argued.proof));
  }

  /// Keeps the first reason.
  static void say_unknown(ReplayResult& result, const std::string& because) {
    result.unknown_because = result.unknown_because.empty() ? because : result.unknown_because;
  }

  [[nodiscard]] Standing standing(Model model) const {
    if (proven_.test(model)) {
      return {model, Validity::kValid, {}};
    }
    if (refuted_.test(model)) {
      return {model, Validity::kInvalid, {}};
    }
    const auto undecided = std::ranges::find_if(
        undecided_, [&](const auto& open) { return are_equal(open.first, model); });
    if (undecided != undecided_.end()) {
      return {model, Validity::kUnknown, undecided->second};
    }
    return {model, Validity::kUnknown, std::string(kNotOfRows)};
  }

  /// Hides anomalies of levels that were not demanded, but decided for the sake of those that were.
  void hide_others() {
    const auto is_of_others = [&](ModelSet settled) { return (settled & options_.models).none(); };
    hide(verdict_.anomalies, unshown_.anomalies, [&](const Anomaly& anomaly) {
      const auto* proof = std::get_if<RowsProofEvidence>(&anomaly.evidence);
      const Model model =
          proof != nullptr ? proof->model : std::get<NoOrderEvidence>(anomaly.evidence).model;
      return is_of_others(entailing_of_rows(model));
    });
    hide(verdict_.levels, unshown_.levels, [&](const LevelAnswer& level) {
      return is_of_others(level.validity == Validity::kValid ? entailed_of_rows(level.model)
                                                             : entailing_of_rows(level.model));
    });
  }

  template <class Evidence, class Predicate>
  static void hide(std::vector<Evidence>& shown, std::vector<Evidence>& unshown,
                   Predicate is_hidden) {
    const auto hidden = std::stable_partition(shown.begin(), shown.end(), std::not_fn(is_hidden));
    std::move(hidden, shown.end(), std::back_inserter(unshown));
    shown.erase(hidden, shown.end());
  }

  /// The models to name as ruled out: all known ones if each was asked for.
  [[nodiscard]] ModelSet ruled_out() const {
    ModelSet ruled_out = options_.each_model ? refuted_ : refuted_ & options_.models;
    for (const LevelAnswer& level : verdict_.levels) {
      ruled_out.set(level.model,
                    ruled_out.test(level.model) || level.validity == Validity::kInvalid);
    }
    return all_impossible(ruled_out);
  }

  void conclude() {
    hide_others();
    group_by_type(verdict_.anomalies);
    std::vector<Standing> rungs = ladder_of(options_.models, {}, {});
    std::size_t open = 0;
    for (Standing& rung : rungs) {
      rung = standing(rung.model);
      if (rung.validity == Validity::kInvalid) {
        verdict_.validity = Validity::kInvalid;
      } else if (rung.validity == Validity::kUnknown) {
        ++open;
        verdict_.unknown_because = rung.unknown_because;
      }
    }
    if (verdict_.validity == Validity::kInvalid || open == 0) {
      verdict_.unknown_because.reset();
    } else {
      verdict_.validity = Validity::kUnknown;
    }
    if (verdict_.validity != Validity::kValid) {
      const Boundary boundary = boundary_of(ruled_out());
      verdict_.not_models = boundary.not_models;
      verdict_.also_not_models = boundary.also_not_models;
    }
    verdict_.complete = open == 0;
    verdict_.engine = "replay";
    verdict_.checked = options_.models;
    verdict_.assumptions = options_.assumptions;
    if (options_.each_model) {
      verdict_.ladder = std::move(rungs);
    }
  }

  const History& history_;
  const CheckOptions& options_;
  std::uint64_t steps_;  // of the next level
  Work work_;
  /// Tells progress, and whether the budget lasts.
  const std::function<bool()> keep_going_ = [this] {
    return work_.progress(work_.stage()) && work_.has_budget();
  };
  replay::RowContents beginning_;  // tried in an open universe
  Verdict verdict_;
  UnshownEvidence unshown_;
  ModelSet proven_;
  ModelSet refuted_;
  std::vector<std::pair<Model, std::string>> undecided_;
  std::optional<Model> contradiction_;
};

}  // namespace

std::optional<Error> refuse_rows(const CheckOptions& options) {
  if (options.assumptions.order_something() || options.anomalies.any()) {
    return usage_error(
        "histories of rows and predicates allow no assumptions about keys, and no anomalies to ask "
        "for");
  }
  const bool has_rows = options.engine == Engine::kAuto || options.engine == Engine::kSolver ||
                        options.engine == Engine::kSearch;
  if (!has_rows) {
    return usage_error("the engine asked for does not support rows and predicates");
  }
  return std::nullopt;
}

Result<Verdict> check_rows(const History& history, const CheckOptions& options) {
  if (!has_committed(history)) {
    return verdict_of_nothing(history, options, question_of(history, options), "replay");
  }
  return RowsCheck(history, options).run();
}

bool is_decided_for_rows(Model model) {
  return model == kPl299 || model == kPl2 || model == kReadAtomic ||
         std::ranges::any_of(kRowsLevels, [model](const RowsLevel& level) {
           return are_equal(level.model, model);
         });
}

}  // namespace elapid
