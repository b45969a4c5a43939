#include "engine/check/engines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/unknown_reasons.h"
#include "engine/levels/ladder.h"
#include "engine/timestamps/anomaly_types.h"
#include "engine/timestamps/check_timestamps.h"

namespace elapid {

namespace {

/// The point at which transactions of the model read, if this engine checks it.
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

/// The demanded models that read at this point.
ModelSet demanded_at(ReadPoint point, ModelSet demanded) {
  return demanded.filter([&](Model model) { return read_point(model) == point; });
}

bool is_violated(OrderLevel level, std::span<const TimestampEvidence> violations) {
  return std::ranges::any_of(violations, [&](const TimestampEvidence& violation) {
    const bool counts = violation.axiom == TimestampAxiom::kSession    ? level.sessions
                        : violation.axiom == TimestampAxiom::kRealTime ? level.real_time
                                                                       : true;
    return counts && !violation.within_clock_skew;
  });
}

/// The models that violations, with reads at `point`, rule out. They tell nothing about models that
/// read at the other point.
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

/// Whether the axiom differs between snapshots and serial orders.
bool rests_on_read_point(TimestampAxiom axiom) {
  return axiom != TimestampAxiom::kInt && axiom != TimestampAxiom::kStartFirst;
}

bool is_within_clock_skew(const Anomaly& anomaly) {
  return std::get<TimestampEvidence>(anomaly.evidence).within_clock_skew;
}

/// Reads by themselves rule out more models than timestamps do.
AnomalySet types_of_reads(const std::vector<Anomaly>& anomalies) {
  return types_of(anomalies).filter(rests_on_reads_alone);
}

class TimestampCheck {
 public:
  TimestampCheck(const History& history, const CheckOptions& options, const Question& question,
                 Work& work)
      : history_(history), options_(options), question_(question), work_(work) {}

  Answer run() {
    answer_.is_understood = has_only_own_operations(history_);
    if (!answer_.is_understood) {
      doubt("the history has operations of another workload");
      return std::move(answer_);
    }
    for (const ReadPoint point : {ReadPoint::kStart, ReadPoint::kCommit}) {
      const ModelSet demanded = demanded_at(point, question_.demanded);
      if (demanded.any() && work_.progress("comparing with timestamps")) {
        compare(point, demanded);
      }
    }
    conclude();
    return std::move(answer_);
  }

 private:
  void doubt(std::string because) {
    if (!answer_.doubt) {
      answer_.doubt = std::move(because);
    }
  }

  void compare(ReadPoint point, ModelSet demanded) {
    const auto any = [&](bool OrderLevel::*order) {
      return demanded.filter([&](Model model) { return (*order_level(model)).*order; }).any();
    };
    const bool lacks_real_time = any(&OrderLevel::real_time) && !history_.info().has_real_time;
    if (lacks_real_time) {
      doubt(std::string(kLacksRealTime));
    }
    TimestampFindings found =
        check_timestamps(history_, {.read_point = point,
                                    .sessions = any(&OrderLevel::sessions),
                                    .real_time = any(&OrderLevel::real_time) && !lacks_real_time,
                                    .clock_skew = options_.clock_skew,
                                    .wants_order = options_.certify || options_.needs_order,
                                    .keep_going = [this] { return !work_.is_out_of_time(); }});
    if (found.was_stopped) {
      doubt("the budget was reached (" + options_.spent_budget + ")");
      return;
    }
    if (found.doubt) {
      doubt(*found.doubt);
    }
    if (found.order) {
      add_proofs(demanded, *std::move(found.order));
    }
    violated_ |= refuted(point, question_.demanded, found.violations);
    adopt(std::move(found));
  }

  /// One order proves all demanded levels. It is shown for each if the caller wants it, else for
  /// the strongest, for certification.
  void add_proofs(ModelSet demanded, Witness witness) {
    ModelSet shown = demanded.filter([this](Model model) {
      return !order_level(model)->real_time || history_.info().has_real_time;
    });
    shown = options_.needs_order ? shown : strongest_of(shown);
    std::size_t left = shown.count();
    for (const Model model : shown) {
      --left;
      answer_.levels.push_back(
          {model, Validity::kValid, left == 0 ? std::move(witness) : witness, {}});
    }
  }

  void adopt(TimestampFindings found) {
    const bool is_first = !answer_.timestamps.has_value();
    TimestampCounts& counts = is_first ? answer_.timestamps.emplace() : *answer_.timestamps;
    for (std::size_t a = 0; a < kTimestampAxiomCount; ++a) {
      counts.by_axiom.at(a) += is_first || rests_on_read_point(static_cast<TimestampAxiom>(a))
                                   ? found.counts.by_axiom.at(a)
                                   : 0;
    }
    for (std::size_t o = 0; o < kReadOriginCount; ++o) {
      counts.by_origin.at(o) += found.counts.by_origin.at(o);
    }
    for (TimestampEvidence& violation : found.violations) {
      if (is_first || rests_on_read_point(violation.axiom)) {
        counts.within_clock_skew += violation.within_clock_skew ? 1 : 0;
        const AnomalyType type = anomaly_type(history_, violation);
        answer_.anomalies.push_back({type, std::move(violation)});
      }
    }
  }

  void conclude() {
    if ((violated_ & question_.demanded).any()) {
      answer_.violated_in_time = violated_ | impossible_models(types_of_reads(answer_.anomalies));
    } else if (!answer_.anomalies.empty()) {
      doubt("all violations disappear if clocks differ by as much as " +
            std::string(options_.words.clock_skew) + " allows");
    } else if (!answer_.doubt && !work_.was_stopped()) {
      answer_.known.prove(question_.demanded);
    }
    // Of each type those that decide come first.
    std::ranges::stable_partition(answer_.anomalies, std::not_fn(is_within_clock_skew));
    warn_of_unlisted();
  }

  void warn_of_unlisted() {
    std::uint64_t count = 0;
    for (const std::uint64_t of_axiom :
         answer_.timestamps ? answer_.timestamps->by_axiom : TimestampCounts{}.by_axiom) {
      count += of_axiom;
    }
    if (count > answer_.anomalies.size()) {
      answer_.warnings.push_back(std::to_string(count - answer_.anomalies.size()) +
                                 " conflicts are counted and not listed");
    }
  }

  const History& history_;
  const CheckOptions& options_;
  const Question& question_;
  Work& work_;
  ModelSet violated_;  // demanded, and weaker ones of the same read point
  Answer answer_ = {.engine = "timestamps", .believes_timestamps = true};
};

}  // namespace

std::optional<Error> refuse_timestamps(const History& history, const CheckOptions& options) {
  if (options.assumptions.elle_compat || options.assumptions.order_something() ||
      options.anomalies.any()) {
    return usage_error(
        "engine timestamps supports no assumptions about keys, no further anomalies and no " +
        std::string(options.words.elle_compat));
  }
  if (options.models.none()) {
    return usage_error("engine timestamps needs a level to check");
  }
  for (const Model model : options.models) {
    if (!read_point(model)) {
      return usage_error(
          "engine timestamps does not check " + std::string(friendly_name(model)) +
          ": it checks snapshot-isolation and serializable, also with strong-session- and strong-");
    }
  }
  if (has_committed(history) && !has_timestamps(history)) {
    return usage_error(
        "this history has no timestamps of the database (sts and cts of timekiller, start_ts and "
        "commit_ts of jsonl)");
  }
  return std::nullopt;
}

Answer answer_by_timestamps(const History& history, const CheckOptions& options,
                            const Question& question, Work& work) {
  return TimestampCheck(history, options, question, work).run();
}

}  // namespace elapid
