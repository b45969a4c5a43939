#include "adapter/report/overview.h"

#include <algorithm>
#include <limits>
#include <map>

#include "adapter/report/claim_anchors.h"
#include "engine/evidence/shown_orders.h"

namespace elapid {
namespace {

constexpr std::size_t kFewestTxns = 40;
constexpr std::uint64_t kMostParts = 120;
constexpr std::size_t kMostFaults = 60;
constexpr std::uint64_t kLongest = std::uint64_t{1} << 62;  // 146 years: longer times are errors
constexpr std::size_t kMostFunctions = 6;
constexpr std::size_t kMostClocks = 9;
constexpr std::size_t kMostOffsets = 400;     // of a clock; of more a part is shown, evenly chosen
constexpr std::size_t kMostAnomalies = 1000;  // of more a part is looked at, evenly chosen

/// The length of a part: the least of 1, 2, 5, 10, 20, ... that needs at most kMostParts parts.
std::uint64_t part_length_of(std::uint64_t length) {
  std::uint64_t unit = 1;
  while (true) {
    for (const std::uint64_t times : {1U, 2U, 5U}) {
      if (length / (unit * times) < kMostParts) {
        return unit * times;
      }
    }
    unit *= 10;
  }
}

/// The value at this share of the sorted order.
std::optional<std::int64_t> quantile(std::vector<std::int64_t>& values, double share) {
  if (values.empty()) {
    return std::nullopt;
  }
  const auto place = static_cast<std::ptrdiff_t>(static_cast<double>(values.size() - 1) * share);
  std::ranges::nth_element(values, values.begin() + place);
  return values[static_cast<std::size_t>(place)];
}

/// Stores moments as unsigned distances from the first one, since times may lie far apart.
class OverviewMaker {
 public:
  explicit OverviewMaker(const History& history) : history_(history), keys_(history) {
    made_.axis = has_times()                       ? OverviewAxis::kTime
                 : history.info().is_session_trace ? OverviewAxis::kTransactions
                                                   : OverviewAxis::kEvents;
    first_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
        if (const auto moment = moment_of(txn, history_.event(txn, kind))) {
          first_ = std::min(first_, *moment);
          last = std::max(last, *moment);
        }
      }
    }
    const std::uint64_t length =
        static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first_);
    if (first_ <= last && length <= kLongest) {
      made_.part_length = part_length_of(length);
      made_.parts.resize(static_cast<std::size_t>(length / made_.part_length) + 1);
      made_.length = made_.part_length * made_.parts.size();
    }
  }

  /// Whether the moments differ and none is absurd.
  [[nodiscard]] bool has_extent() const { return made_.parts.size() > 1; }

  ReportOverview make(const Verdict& verdict, std::span<const Finding> findings,
                      std::span<const ReportFault> faults, std::span<const ClockOffset> offsets) {
    const auto is_any = [](TxnId) { return true; };
    made_.all = count_txns(is_any, made_.parts);
    measure(is_any, made_.parts, made_.all);
    add_functions();
    add_clocks(offsets);
    count_anomalies(verdict);
    add_findings(findings);
    add_faults(faults);
    return std::move(made_);
  }

 private:
  [[nodiscard]] bool has_times() const {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (!history_.representative(txn).time) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] std::optional<std::int64_t> moment_of(TxnId txn, const Event& event) const {
    if (event.id.is_none()) {
      return std::nullopt;
    }
    switch (made_.axis) {
      case OverviewAxis::kTime:
        return event.time;
      case OverviewAxis::kEvents:
        return std::int64_t{event.id.value};
      case OverviewAxis::kTransactions:
        break;
    }
    return std::int64_t{txn.value};
  }

  /// The moment of the event that represents the transaction.
  [[nodiscard]] std::optional<std::int64_t> moment_of(TxnId txn) const {
    return moment_of(txn, history_.representative(txn));
  }

  [[nodiscard]] std::uint64_t after_first(std::int64_t moment) const {
    return static_cast<std::uint64_t>(std::max(moment, first_)) -
           static_cast<std::uint64_t>(first_);
  }

  [[nodiscard]] std::size_t part_of(std::int64_t moment) const {
    return std::min(static_cast<std::size_t>(after_first(moment) / made_.part_length),
                    made_.parts.size() - 1);
  }

  [[nodiscard]] double along(std::int64_t moment) const {
    return std::min(1.0,
                    static_cast<double>(after_first(moment)) / static_cast<double>(made_.length));
  }

  static void count(TxnStatus status, OverviewPart& part) {
    ++(status == TxnStatus::kCommitted ? part.committed
       : status == TxnStatus::kAborted ? part.aborted
                                       : part.indeterminate);
  }

  template <class Counts>
  OverviewPart count_txns(const Counts& counts, std::vector<OverviewPart>& parts) const {
    OverviewPart all;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (!counts(txn)) {
        continue;
      }
      count(history_.status(txn), all);
      if (const auto moment = moment_of(txn)) {
        count(history_.status(txn), parts[part_of(*moment)]);
      }
    }
    return all;
  }

  /// Measures the durations of committed transactions.
  template <class Counts>
  void measure(const Counts& counts, std::vector<OverviewPart>& parts, OverviewPart& whole) const {
    if (made_.axis != OverviewAxis::kTime) {
      return;
    }
    std::vector<std::vector<std::int64_t>> by_part(parts.size());
    std::vector<std::int64_t> all;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const Event begin = history_.event(txn, EventKind::kInvocation);
      const Event end = history_.event(txn, EventKind::kCompletion);
      if (counts(txn) && history_.committed(txn) && !begin.id.is_none() && begin.time && end.time &&
          *begin.time <= *end.time) {
        const auto took = static_cast<std::int64_t>(std::min(
            static_cast<std::uint64_t>(*end.time) - static_cast<std::uint64_t>(*begin.time),
            static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
        by_part[part_of(*end.time)].push_back(took);
        all.push_back(took);
      }
    }
    const auto note = [](std::vector<std::int64_t>& took, OverviewPart& part) {
      part.median = quantile(took, 0.5);
      part.slow = quantile(took, 0.95);
      part.rare = quantile(took, 0.99);
      part.longest = quantile(took, 1);
    };
    for (std::size_t i = 0; i < by_part.size(); ++i) {
      note(by_part[i], parts[i]);
    }
    note(all, whole);
  }

  /// Adds the parts of each function, if there are several functions.
  void add_functions() {
    const TxnWords& names = history_.names();
    for (std::size_t word = 0; word < names.words().size() && names.words().size() > 1; ++word) {
      const auto is_its = [&](TxnId txn) { return names.number_of(txn) == word + 1; };
      OverviewFunction function = {.name = names.words()[word]};
      function.parts.resize(made_.parts.size());
      function.all = count_txns(is_its, function.parts);
      measure(is_its, function.parts, function.all);
      made_.functions.push_back(std::move(function));
    }
    std::ranges::stable_sort(made_.functions, std::ranges::greater(), [](const auto& function) {
      return function.all.committed + function.all.aborted + function.all.indeterminate;
    });
    made_.functions_left_out =
        made_.functions.size() - std::min(made_.functions.size(), kMostFunctions);
    made_.functions.resize(made_.functions.size() - made_.functions_left_out);
  }

  void add_clocks(std::span<const ClockOffset> offsets) {
    std::map<std::string, OverviewClock> by_node;
    for (const ClockOffset& offset : offsets) {
      if (const std::optional<double> at = along(offset.moment)) {
        by_node[offset.node].offsets.emplace_back(*at, offset.seconds);
      }
    }
    for (auto& [node, clock] : by_node) {
      if (made_.clocks.size() == kMostClocks) {
        ++made_.clocks_left_out;
        continue;
      }
      std::ranges::stable_sort(clock.offsets, {}, &std::pair<double, double>::first);
      const std::size_t each = 1 + clock.offsets.size() / kMostOffsets;
      OverviewClock& kept = made_.clocks.emplace_back(OverviewClock{.node = node});
      for (std::size_t i = 0; i < clock.offsets.size(); i += each) {
        kept.offsets.push_back(clock.offsets[i]);
      }
    }
  }

  /// The moment when the last transaction of the finding completed.
  [[nodiscard]] std::optional<std::int64_t> completed(const Description& description) const {
    std::optional<std::int64_t> last;
    for (const Actor& actor : description.actors) {
      const auto moment = moment_of(actor.event.txn);
      if (moment && !actor.is_witness) {
        last = std::max(last.value_or(*moment), *moment);
      }
    }
    return last;
  }

  void count_anomalies(const Verdict& verdict) {
    ShownOrders orders(history_, verdict.assumptions);
    const std::size_t each = 1 + verdict.anomalies.size() / kMostAnomalies;
    for (std::size_t i = 0; i < verdict.anomalies.size(); ++i) {
      const Anomaly& anomaly = verdict.anomalies[i];
      if (anomaly.type == AnomalyType::kCycleSearchTimeout) {
        continue;
      }
      if (i % each == 0) {
        note_anomaly(describe(history_, anomaly, orders));
      } else {
        ++made_.anomalies_left_out;
      }
    }
    for (const Description& finding : verdict.findings) {
      note_anomaly(finding);
    }
    made_.keys = keys_.table();
  }

  void note_anomaly(const Description& description) {
    keys_.add(description);
    if (const auto moment = completed(description)) {
      ++made_.parts[part_of(*moment)].anomalies;
      ++made_.all.anomalies;
    }
  }

  void add_findings(std::span<const Finding> findings) {
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (const auto moment = completed(findings[i].description)) {
        made_.findings.push_back({.anchor = finding_anchor(i),
                                  .name = findings[i].description.name,
                                  .at = along(*moment)});
      }
    }
  }

  void add_faults(std::span<const ReportFault> faults) {
    for (const ReportFault& fault : faults) {
      const std::optional<double> from = along(fault.begin);
      if (!from) {
        continue;
      }
      if (made_.faults.size() == kMostFaults) {
        ++made_.faults_left_out;
        continue;
      }
      const std::optional<double> to = fault.end ? along(*fault.end) : std::nullopt;
      made_.faults.push_back({.label = fault.f.empty() ? "?" : fault.f,
                              .words = fault.f + (fault.value.empty() ? "" : " " + fault.value),
                              .lasts = fault.lasts,
                              .from = *from,
                              .to = fault.lasts ? to.value_or(1) : *from});
    }
  }

  /// A moment of the nemesis on the axis. Without times it is that of the next event in the input.
  [[nodiscard]] std::optional<double> along(const FaultMoment& moment) {
    if (made_.axis == OverviewAxis::kTime) {
      return moment.time ? std::optional(along(*moment.time)) : std::nullopt;
    }
    if (history_.info().files.size() > 1) {
      return std::nullopt;
    }
    if (offsets_.empty()) {
      gather_offsets();
    }
    const auto next = std::ranges::lower_bound(offsets_, moment.offset, {},
                                               &std::pair<std::uint64_t, std::int64_t>::first);
    return next == offsets_.end() ? 1 : along(next->second);
  }

  void gather_offsets() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      offsets_.emplace_back(history_.representative(txn).position.offset, *moment_of(txn));
    }
    std::ranges::sort(offsets_);
  }

  const History& history_;
  KeyTally keys_;
  ReportOverview made_ = {};
  std::int64_t first_ = 0;
  std::vector<std::pair<std::uint64_t, std::int64_t>> offsets_ =
      {};  // of transactions, and their moments
};

}  // namespace

std::optional<ReportOverview> overview_of(const History& history, const Verdict& verdict,
                                          std::span<const Finding> findings,
                                          std::span<const ReportFault> faults,
                                          std::span<const ClockOffset> offsets) {
  if (history.txn_count() < kFewestTxns) {
    return std::nullopt;
  }
  OverviewMaker maker(history);
  return maker.has_extent() ? std::optional(maker.make(verdict, findings, faults, offsets))
                            : std::nullopt;
}

}  // namespace elapid
