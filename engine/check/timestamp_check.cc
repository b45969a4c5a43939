#include "engine/check/timestamp_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/certify/certify.h"
#include "engine/certify/timestamp_violation.h"
#include "engine/timestamps/anomaly_types.h"
#include "engine/timestamps/check_timestamps.h"

namespace elapid {

namespace {

/// Where a model lets transactions read, if this engine checks it.
std::optional<ReadPoint> read_point(Model model) {
  const std::optional<OrderLevel> level = order_level(model);
  if (level && level->visibility == Visibility::kSnapshot) {
    return ReadPoint::kStart;
  }
  if (level && level->visibility == Visibility::kSerial) {
    return ReadPoint::kCommit;
  }
  return std::nullopt;
}

/// The models demanded that let transactions read there.
ModelSet demanded_at(ReadPoint point, ModelSet demanded) {
  return demanded.filter([&](Model model) { return read_point(model) == point; });
}

/// What all of the models together demand.
OrderLevel joined(ModelSet models) {
  OrderLevel all;
  for (const Model model : models) {
    const OrderLevel level = *order_level(model);
    all = {level.visibility, all.sessions || level.sessions, all.real_time || level.real_time};
  }
  return all;
}

bool is_violated(OrderLevel level, std::span<const TimestampEvidence> violations) {
  return std::ranges::any_of(violations, [&](const TimestampEvidence& violation) {
    const bool counts = violation.axiom == TimestampAxiom::kSession    ? level.sessions
                        : violation.axiom == TimestampAxiom::kRealTime ? level.real_time
                                                                       : true;
    return counts && !violation.within_clock_skew;
  });
}

/// Models that the violations, read as they were at `point`, rule out. Whether one that reads
/// elsewhere holds they do not tell.
ModelSet refuted(ReadPoint point, ModelSet demanded,
                 std::span<const TimestampEvidence> violations) {
  using enum Model;
  ModelSet family = demanded_at(point, demanded);
  for (const Model model : {kPl3, kStrongSessionSerializable, kPlSs, kPlSi,
                            kStrongSessionSnapshotIsolation, kStrongSnapshotIsolation}) {
    const bool is_member = read_point(model) == point;
    family.set(model, is_member || family.test(model));
  }
  return family.filter([&](Model model) { return is_violated(*order_level(model), violations); });
}

class TimestampVerdict {
 public:
  TimestampVerdict(const History& history, const CheckOptions& options)
      : history_(history), options_(options) {
    verdict_.engine = "timestamps";
    verdict_.checked = options.models;
    verdict_.assumptions = options.assumptions;
  }

  Result<Verdict> run() {
    if (auto refusal = refuse()) {
      return *std::move(refusal);
    }
    if (!may_go_on()) {
      return std::move(verdict_);
    }
    for (const ReadPoint point : {ReadPoint::kStart, ReadPoint::kCommit}) {
      if (demanded_at(point, options_.models).none()) {
        continue;
      }
      if (options_.progress && !options_.progress("comparing with timestamps")) {
        return usage_error("interrupted");
      }
      if (auto error = check_at(point)) {
        return *std::move(error);
      }
    }
    decide();
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] std::optional<Error> refuse() const {
    if (options_.assumptions.elle_compat || options_.assumptions.order_something() ||
        options_.anomalies.any()) {
      return usage_error(
          "engine timestamps knows no assumptions about keys, no further anomalies and no " +
          std::string(options_.words.elle_compat));
    }
    if (options_.models.none()) {
      return usage_error("engine timestamps needs a level to check");
    }
    std::optional<Error> error;
    for (const Model model : options_.models) {
      if (!error && !read_point(model)) {
        error = usage_error(std::string(friendly_name(model)) +
                            " is not checked by engine timestamps: there is snapshot-isolation and "
                            "serializable, also strong-session- and strong-");
      }
    }
    if (!error && has_committed() && !has_timestamps(history_)) {
      error = usage_error(
          "this history has no timestamps of the database (sts and cts of timekiller, start_ts and "
          "commit_ts of jsonl)");
    }
    return error;
  }

  [[nodiscard]] bool has_committed() const {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.committed({t})) {
        return true;
      }
    }
    return false;
  }

  void doubt(std::string because) {
    if (!doubt_) {
      doubt_ = std::move(because);
    }
  }

  /// False where there is nothing to check, or operations of another workload.
  bool may_go_on() {
    const bool is_list = history_.has_lists();
    const bool has_foreign = std::ranges::any_of(history_.all_ops(), [&](Op op) {
      const bool is_known = op.kind() == OpKind::kRead ||
                            op.kind() == (is_list ? OpKind::kAppend : OpKind::kWrite) ||
                            (is_list && op.kind() == OpKind::kReadList);
      return !is_known;
    });
    if (!has_committed()) {
      verdict_.anomalies.push_back({AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}});
      doubt("the history has no transactions from which anything follows");
    } else if (has_foreign) {
      doubt("the history has operations of another workload");
    }
    if (doubt_) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = doubt_;
    }
    return !doubt_;
  }

  std::optional<Error> check_at(ReadPoint point) {
    OrderLevel level = joined(demanded_at(point, options_.models));
    if (level.real_time && !history_.info().has_real_time) {
      doubt(
          "a level demanded needs real time, of which this history has none; without it nothing "
          "violates it");
      level.real_time = false;
    }
    TimestampFindings found = check_timestamps(
        history_, {.read_point = point,
                   .sessions = level.sessions,
                   .real_time = level.real_time,
                   .clock_skew = options_.clock_skew,
                   .wants_order = options_.certify || options_.needs_order,
                   .threads = options_.threads,
                   .keep_going = [this] { return !options_.has_budget || options_.has_budget(); }});
    if (found.was_stopped) {
      doubt("the budget was reached (" + options_.spent_budget + ")");
      return std::nullopt;
    }
    if (found.doubt) {
      doubt(*found.doubt);
    }
    if (auto error = certify(point, level, found)) {
      return error;
    }
    refuted_ |= refuted(point, options_.models, found.violations);
    adopt(std::move(found));
    return std::nullopt;
  }

  /// An order of events proves a history valid; violations are read again.
  std::optional<Error> certify(ReadPoint point, OrderLevel level, const TimestampFindings& found) {
    std::optional<std::string> flaw;
    for (const TimestampEvidence& violation : found.violations) {
      if (!flaw && options_.certify) {
        flaw = check_timestamp_violation(history_, violation);
      }
    }
    if (found.order) {
      flaw = check_evidence(history_, level, *found.order);
    }
    if (found.order && options_.needs_order) {
      add_answers(point, *found.order);
    }
    return flaw ? std::optional(Error{
                      .kind = ErrorKind::kInternal,
                      .message = "evidence did not survive certification: " + *std::move(flaw)})
                : std::nullopt;
  }

  void add_answers(ReadPoint point, const Witness& witness) {
    for (const Model model : demanded_at(point, options_.models)) {
      if (!order_level(model)->real_time || history_.info().has_real_time) {
        verdict_.levels.push_back({model, Validity::kValid, witness, {}});
      }
    }
  }

  void adopt(TimestampFindings found) {
    const bool is_first = !verdict_.timestamps.has_value();
    TimestampCounts& counts = is_first ? verdict_.timestamps.emplace() : *verdict_.timestamps;
    for (std::size_t a = 0; a < kTimestampAxiomCount; ++a) {
      counts.by_axiom.at(a) += is_first || rests_on_read_point(static_cast<TimestampAxiom>(a))
                                   ? found.counts.by_axiom.at(a)
                                   : 0;
    }
    for (std::size_t o = 0; o < kReadOriginCount; ++o) {
      counts.by_origin.at(o) += found.counts.by_origin.at(o);
    }
    listed_ += found.violations.size();
    for (TimestampEvidence& violation : found.violations) {
      if (!is_first && !rests_on_read_point(violation.axiom)) {
        --listed_;
        continue;
      }
      counts.within_clock_skew += violation.within_clock_skew ? 1 : 0;
      verdict_.validity = violation.within_clock_skew ? verdict_.validity : Validity::kInvalid;
      const AnomalyType type = anomaly_type(history_, violation);
      verdict_.anomalies.push_back({type, std::move(violation)});
    }
  }

  /// Whether an axiom says different things of snapshots and of serial orders.
  static bool rests_on_read_point(TimestampAxiom axiom) {
    return axiom != TimestampAxiom::kInt && axiom != TimestampAxiom::kStartFirst;
  }

  void decide() {
    // Of each type those that decide come first.
    std::ranges::stable_sort(verdict_.anomalies, {}, [](const Anomaly& anomaly) {
      const auto* evidence = std::get_if<TimestampEvidence>(&anomaly.evidence);
      return std::pair(name(anomaly.type), evidence != nullptr && evidence->within_clock_skew);
    });
    if (verdict_.validity == Validity::kInvalid) {
      rule_out();
    } else if (!verdict_.anomalies.empty()) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = "all violations disappear if clocks differ by as much as " +
                                 std::string(options_.words.clock_skew) + " allows";
    } else if (doubt_) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = std::move(doubt_);
    }
    verdict_.complete = verdict_.validity != Validity::kUnknown;
    warn_of_unlisted();
  }

  /// What transactions read rules out more models than what the timestamps say does.
  void rule_out() {
    AnomalySet of_reads;
    for (const Anomaly& anomaly : verdict_.anomalies) {
      const auto* evidence = std::get_if<TimestampEvidence>(&anomaly.evidence);
      of_reads.set(anomaly.type, of_reads.test(anomaly.type) ||
                                     (evidence != nullptr && rests_on_reads_alone(anomaly.type)));
    }
    const Boundary boundary = boundary_of(refuted_ | impossible_models(of_reads));
    verdict_.not_models = boundary.not_models;
    verdict_.also_not_models = boundary.also_not_models;
  }

  void warn_of_unlisted() {
    std::uint64_t count = 0;
    for (const std::uint64_t of_axiom :
         verdict_.timestamps ? verdict_.timestamps->by_axiom : TimestampCounts{}.by_axiom) {
      count += of_axiom;
    }
    if (count > listed_) {
      verdict_.warnings.push_back(std::to_string(count - listed_) +
                                  " conflicts are counted and not listed");
    }
  }

  const History& history_;
  const CheckOptions& options_;
  Verdict verdict_;
  ModelSet refuted_;
  std::uint64_t listed_ = 0;
  std::optional<std::string> doubt_;  // why it may be invalid although nothing was found
};

}  // namespace

Result<Verdict> check_by_timestamps(const History& history, const CheckOptions& options) {
  return TimestampVerdict(history, options).run();
}

}  // namespace elapid
