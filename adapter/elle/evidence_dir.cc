#include "adapter/elle/evidence_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "adapter/elle/explanation.h"
#include "adapter/elle/file_output.h"
#include "adapter/elle/order_table.h"
#include "adapter/elle/verdict_view.h"

namespace elapid {
namespace {

std::vector<TxnId> txns_of(const CycleEvidence& cycle) {
  std::vector<TxnId> txns;
  for (const Step& step : cycle.steps) {
    txns.push_back(step.from);
  }
  return txns;
}

/// The evidence of this kind.
template <class Kind>
std::vector<const Kind*> evidence(std::span<const Anomaly> anomalies) {
  std::vector<const Kind*> result;
  for (const Anomaly& anomaly : anomalies) {
    if (const auto* one = std::get_if<Kind>(&anomaly.evidence)) {
      result.push_back(one);
    }
  }
  return result;
}

class EvidenceWriter {
 public:
  EvidenceWriter(const std::filesystem::path& directory, const History& history,
                 const Verdict& verdict, const EvidenceOptions& options)
      : directory_(directory), history_(history), verdict_(verdict), options_(options) {
    for (const Component& component : verdict.components) {
      for (const TxnId txn : component.txns) {
        component_of_.emplace(txn, &component);
      }
    }
  }

  Status write_cycles(std::span<const Anomaly> cycles) {
    const std::string type(name(cycles.front().type));
    Status status =
        write_file(directory_ / (type + ".txt"), anomalies_text(history_, cycles, options_.fields));
    std::size_t number = 0;
    for (const CycleEvidence* cycle : evidence<CycleEvidence>(cycles)) {
      if (status.ok()) {
        status = plot(type, number++, txns_of(*cycle), edges_among(*cycle));
      }
    }
    return status;
  }

  /// Violations of timestamps, which may be many and are alike.
  Status write_violations(std::span<const Anomaly> violations) {
    const std::span<const Anomaly> first =
        violations.first(std::min(violations.size(), kMostViolations));
    std::string text = anomalies_text(history_, first, options_.fields);
    if (first.size() < violations.size()) {
      text += fmt::format("\n\n\nand {} more\n", violations.size() - first.size());
    }
    return write_file(directory_ / (std::string(name(first.front().type)) + ".txt"), text);
  }

  Status plot_components() {
    Status status;
    for (std::size_t i = 0; status.ok() && i < verdict_.components.size(); ++i) {
      const Component& component = verdict_.components[i];
      status = plot("sccs", i, component.txns, component.edges);
    }
    return status;
  }

  Status write_order_tables(const std::vector<const IncompatibleOrderEvidence*>& orders) {
    const std::unordered_map<KeyId, std::vector<KeyRead>> reads = reads_of_keys(orders);
    for (const IncompatibleOrderEvidence* order : orders) {
      const std::string file = safe_file_name(history_.key_text(order->key)) + ".html";
      Status status = write_file(directory_ / "incompatible-order" / file,
                                 order_table(history_, order->key, reads.at(order->key)));
      if (!status.ok()) {
        return status;
      }
    }
    return {};
  }

  std::vector<std::string> take_notes() && {
    if (left_out_ > 0) {
      notes_.push_back(can_draw_
                           ? fmt::format("{} more plots were not drawn.", left_out_)
                           : fmt::format("{} plots were not drawn: dot is not on the PATH (Debian "
                                         "package graphviz).",
                                         left_out_));
    }
    return std::move(notes_);
  }

 private:
  Status plot(const std::string& folder, std::size_t number, std::span<const TxnId> txns,
              std::span<const Step> edges) {
    if (!can_draw_ || plots_ >= options_.max_plots) {
      ++left_out_;
      return {};
    }
    if (options_.progress && !options_.progress()) {
      return Error{.kind = ErrorKind::kUnreadable,
                   .message = "the writing of evidence was interrupted",
                   .file = directory_.string()};
    }
    ++plots_;
    const std::string file = fmt::format("{}.{}", number, name(options_.plots.format));
    const Plot picture = draw(history_, txns, edges, options_.plots);
    if (!picture.note.empty()) {
      notes_.push_back(fmt::format("{}/{} was not drawn: {}.", folder, file, picture.note));
      return {};
    }
    return write_file(directory_ / folder / file, picture.image);
  }

  /// All known edges among the transactions of a cycle; its own steps at least.
  std::vector<Step> edges_among(const CycleEvidence& cycle) const {
    const std::vector<TxnId> txns = txns_of(cycle);
    const auto component = txns.empty() ? component_of_.end() : component_of_.find(txns.front());
    if (component == component_of_.end()) {
      return cycle.steps;
    }
    const std::unordered_set<TxnId> members(txns.begin(), txns.end());
    std::vector<Step> edges;
    std::copy_if(
        component->second->edges.begin(), component->second->edges.end(), std::back_inserter(edges),
        [&](const Step& edge) { return members.contains(edge.from) && members.contains(edge.to); });
    return edges;
  }

  /// The believed reads of the keys in question, in history order.
  std::unordered_map<KeyId, std::vector<KeyRead>> reads_of_keys(
      const std::vector<const IncompatibleOrderEvidence*>& orders) const {
    std::unordered_map<KeyId, std::vector<KeyRead>> reads;
    for (const IncompatibleOrderEvidence* order : orders) {
      reads[order->key];
    }
    for (std::uint32_t i = 0; i < history_.txn_count(); ++i) {
      const TxnId txn{i};
      for (const Op op : history_.ops(txn)) {
        const auto wanted = reads.find(op.key());
        if (wanted != reads.end() && believed(txn, op)) {
          wanted->second.push_back({txn, op});
        }
      }
    }
    return reads;
  }

  /// Committed transactions' reads, and what indeterminate ones claim to have read.
  [[nodiscard]] bool believed(TxnId txn, Op op) const {
    return op.is_read() && history_.status(txn) != TxnStatus::kAborted &&
           (history_.committed(txn) || op.kind() == OpKind::kReadList);
  }

  static constexpr std::size_t kMostViolations = 10'000;

  const std::filesystem::path& directory_;
  const History& history_;
  const Verdict& verdict_;
  const EvidenceOptions& options_;
  std::unordered_map<TxnId, const Component*> component_of_;
  std::vector<std::string> notes_;
  std::size_t plots_ = 0;
  std::size_t left_out_ = 0;
  bool can_draw_ = can_draw();
};

}  // namespace

Result<std::vector<std::string>> write_evidence(const std::filesystem::path& directory,
                                                const History& history, const Verdict& verdict,
                                                const EvidenceOptions& options) {
  if (verdict.validity == Validity::kValid) {
    return std::vector<std::string>{};
  }
  EvidenceWriter writer(directory, history, verdict, options);
  Status status;
  for (std::span<const Anomaly> rest = verdict.anomalies; status.ok() && !rest.empty();) {
    const std::span<const Anomaly> of_type = first_of_type(rest);
    rest = rest.subspan(of_type.size());
    if (std::holds_alternative<CycleEvidence>(of_type.front().evidence)) {
      status = writer.write_cycles(of_type);
    } else if (std::holds_alternative<TimestampEvidence>(of_type.front().evidence)) {
      status = writer.write_violations(of_type);
    }
  }
  if (status.ok()) {
    status = writer.write_order_tables(evidence<IncompatibleOrderEvidence>(verdict.anomalies));
  }
  if (status.ok()) {
    status = writer.plot_components();
  }
  if (!status.ok()) {
    return status.error();
  }
  return std::move(writer).take_notes();
}

}  // namespace elapid
