#include "adapter/report/exhibit_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "adapter/report/duration_text.h"

namespace elapid {
namespace {

constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();

std::string what(const ReportFault& fault) {
  const std::string f = fault.f.empty() ? "an act without a name" : fault.f;
  return fault.value.empty() ? f : f + " " + fault.value;
}

/// The distance between two moments, roughly. Unsigned arithmetic avoids an overflow.
std::string between(std::int64_t from, std::int64_t to) {
  const std::uint64_t ns = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  return duration_text(static_cast<std::int64_t>(std::min(ns, static_cast<std::uint64_t>(kEver))),
                       2);
}

/// Places the faults of one exhibit on its axis: times in ns, or places in the input.
class FaultPlacer {
 public:
  FaultPlacer(const History& history, const Description& description, Exhibit& exhibit)
      : exhibit_(exhibit), has_times_(exhibit.axis == ExhibitAxis::kTime) {
    for (const Actor& actor : description.actors) {
      for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
        Event event = history.event(actor.event.txn, kind);
        if (event.id.is_none()) {  // one event stands for both, as in the exhibit
          event = history.representative(actor.event.txn);
        }
        moments_.push_back(has_times_ ? event.time.value_or(0)
                                      : static_cast<std::int64_t>(event.position.offset));
      }
    }
    std::ranges::sort(moments_);
  }

  void add(std::span<const ReportFault> faults) {
    if (moments_.empty()) {
      return;
    }
    const ReportFault* last = nullptr;
    for (const ReportFault& fault : faults) {
      const std::optional<std::int64_t> begin = moment(fault.begin);
      if (!begin || *begin > moments_.back()) {
        continue;
      }
      if (end_of(fault) >= moments_.front()) {
        exhibit_.faults.push_back(placed(fault, *begin));
      } else if (last == nullptr || end_of(fault) >= end_of(*last)) {
        last = &fault;
      }
    }
    if (exhibit_.faults.empty() && !faults.empty()) {
      exhibit_.fault_note = note(last);
    }
  }

 private:
  [[nodiscard]] std::optional<std::int64_t> moment(const FaultMoment& moment) const {
    return has_times_ ? moment.time : std::optional(static_cast<std::int64_t>(moment.offset));
  }

  /// The end of a fault; of an act that does not last, its moment.
  [[nodiscard]] std::int64_t end_of(const ReportFault& fault) const {
    if (fault.end) {
      return moment(*fault.end).value_or(kEver);
    }
    return fault.lasts ? kEver : moment(fault.begin).value_or(kEver);
  }

  [[nodiscard]] std::size_t events_before(std::int64_t moment) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(moments_, moment) - moments_.begin());
  }

  [[nodiscard]] ExhibitFault placed(const ReportFault& fault, std::int64_t begin) const {
    const std::int64_t end = end_of(fault);
    ExhibitFault made{.label = fault.f.empty() ? "?" : fault.f,
                      .words = what(fault),
                      .lasts = fault.lasts,
                      .first_event = events_before(begin),
                      .last_event = events_before(end)};
    if (begin >= moments_.front()) {
      made.from = begin;
    }
    if (end <= moments_.back()) {
      made.to = end;
    }
    if (has_times_ && begin < moments_.front()) {
      made.words += fmt::format(", since {} before", between(begin, moments_.front()));
    }
    if (end == kEver) {
      made.words += ", and nothing ended it";
    } else if (has_times_ && end > moments_.back()) {
      made.words += fmt::format(", until {} after", between(moments_.back(), end));
    }
    return made;
  }

  /// What the nemesis did last before the anomaly; no fault was active then.
  [[nodiscard]] std::string note(const ReportFault* last) const {
    if (last == nullptr) {
      return "No fault happened before.";
    }
    return has_times_ ? fmt::format("No fault at the time; the last one, {}, had ended {} before.",
                                    what(*last), between(end_of(*last), moments_.front()))
                      : fmt::format("No fault at the time; the last before was {}.", what(*last));
  }

  Exhibit& exhibit_;
  bool has_times_;
  std::vector<std::int64_t> moments_ = {};  // of the exhibit's events, ascending
};

}  // namespace

void add_faults(const History& history, const Description& description,
                std::span<const ReportFault> faults, Exhibit& exhibit) {
  const bool is_by_offsets =
      exhibit.axis == ExhibitAxis::kEvents && history.info().files.size() <= 1;
  if (exhibit.axis == ExhibitAxis::kTime || is_by_offsets) {
    FaultPlacer(history, description, exhibit).add(faults);
  }
}

}  // namespace elapid
