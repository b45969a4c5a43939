#include "adapter/elle/evidence_dir.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "adapter/elle/cycle_text.h"
#include "adapter/elle/description_text.h"
#include "adapter/elle/dot_text.h"
#include "adapter/elle/evidence_list.h"
#include "adapter/elle/explanation.h"
#include "adapter/elle/file_output.h"
#include "adapter/elle/order_table.h"
#include "adapter/elle/verdict_view.h"

namespace elapid {
namespace {

/// The transactions at which the steps begin, each once, in their order.
std::vector<TxnId> txns_of(std::span<const Step> steps) {
  std::vector<TxnId> txns;
  std::unordered_set<TxnId> known;
  for (const Step& step : steps) {
    if (known.insert(step.from).second) {
      txns.push_back(step.from);
    }
  }
  return txns;
}

/// Whether files are written about the anomaly: about each violation, or about those that Elle
/// writes files of.
bool has_files(const Anomaly& anomaly, bool is_elles) {
  return is_elles ? std::holds_alternative<CycleEvidence>(anomaly.evidence)
                  : !std::holds_alternative<SearchTimeoutEvidence>(anomaly.evidence) &&
                        !std::holds_alternative<EmptyGraphEvidence>(anomaly.evidence);
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
      : directory_(directory),
        history_(history),
        verdict_(verdict),
        options_(options),
        list_(directory, options.history) {
    for (const Component& component : verdict.components) {
      for (const TxnId txn : component.txns) {
        component_of_.emplace(txn, &component);
      }
    }
  }

  /// Writes the caller's files.
  Status write_more() {
    Status status;
    for (const EvidenceFile& file : options_.more) {
      status = status.ok() ? write(file.path, file.content) : status;
    }
    return status;
  }

  /// Writes the text about all anomalies of a type, and draws their cycles.
  Status write_type(std::span<const Anomaly> of_type) {
    Status status = write(std::string(name(of_type.front().type)) + ".txt", text_of(of_type));
    std::size_t number = 0;
    for (const Anomaly& anomaly : of_type) {
      if (status.ok() && is_drawn(anomaly)) {
        status = plot_anomaly(anomaly, number++);
      }
    }
    return status;
  }

  /// Writes the description of a workload's finding.
  Status write_finding(const Description& finding) {
    return write(finding.name + ".txt",
                 to_text(history_, finding, {.full = true, .fields = options_.fields}) + "\n");
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
      Status status = write(std::filesystem::path("incompatible-order") / file,
                            order_table(history_, order->key, reads.at(order->key)));
      ELAPID_RETURN_IF_ERROR(status);
    }
    return {};
  }

  std::vector<std::string> take_notes() && {
    if (left_out_ > 0) {
      notes_.push_back(!is_elles() ? fmt::format("{} graphs were left out: they are too large, or "
                                                 "there are too many.",
                                                 left_out_)
                       : can_draw_
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
    if (!options_.plots.are_wanted) {
      return {};
    }
    return is_elles() ? draw_plot(folder, number, txns, edges)
                      : write_plot(folder, number, txns, edges);
  }

  /// Writes the graph in Graphviz's language, to be drawn on demand.
  Status write_plot(const std::string& folder, std::size_t number, std::span<const TxnId> txns,
                    std::span<const Step> edges) {
    const std::optional<std::string> dot =
        plots_ < options_.max_plots ? dot_text(history_, txns, edges, options_.plots.max_dot_bytes)
                                    : std::nullopt;
    if (!dot) {
      ++left_out_;
      return {};
    }
    ++plots_;
    const std::filesystem::path file =
        std::filesystem::path(folder) / fmt::format("{}.dot", number);
    for (const PlotFormat format : {PlotFormat::kSvg, PlotFormat::kPng}) {
      std::filesystem::path picture = file;
      picture.replace_extension(name(format));
      ELAPID_RETURN_IF_ERROR(list_.note(picture));
    }
    return write(file, *dot);
  }

  Status draw_plot(const std::string& folder, std::size_t number, std::span<const TxnId> txns,
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
    return write(std::filesystem::path(folder) / file, picture.image);
  }

  /// Writes a file and notes it in the list of files. Elle writes no list.
  Status write(const std::filesystem::path& file, std::string_view content) {
    Status status = is_elles() ? Status() : list_.note(file);
    return status.ok() ? write_file(directory_ / file, content) : status;
  }

  [[nodiscard]] bool is_elles() const { return verdict_.assumptions.elle_compat; }

  /// The text of all cycles, as Elle writes it. Of other anomalies, the first ones.
  [[nodiscard]] std::string text_of(std::span<const Anomaly> of_type) const {
    const bool is_cycle = std::holds_alternative<CycleEvidence>(of_type.front().evidence);
    const std::span<const Anomaly> first =
        of_type.first(is_cycle ? of_type.size() : std::min(of_type.size(), kMostInText));
    if (is_elles()) {
      return elle_cycles_text(history_, first, options_.fields);
    }
    std::string text = anomalies_text(history_, first, verdict_.assumptions,
                                      {.full = true, .fields = options_.fields});
    if (first.size() < of_type.size()) {
      text += fmt::format("\n\n\nand {} more\n", of_type.size() - first.size());
    }
    return text;
  }

  [[nodiscard]] static bool is_drawn(const Anomaly& anomaly) {
    return std::holds_alternative<CycleEvidence>(anomaly.evidence) ||
           std::holds_alternative<CycleExistsEvidence>(anomaly.evidence);
  }

  /// Draws a cycle with all known edges among its transactions. If every choice leads to a cycle,
  /// draws the walk that shows it or the cycles of the proof.
  Status plot_anomaly(const Anomaly& anomaly, std::size_t number) {
    const std::string folder(name(anomaly.type));
    if (const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence)) {
      return plot(folder, number, txns_of(cycle->steps), edges_among(*cycle));
    }
    const auto& exists = std::get<CycleExistsEvidence>(anomaly.evidence);
    std::vector<Step> steps = exists.walk;
    for (const ProvedChoice& proved : exists.because) {
      steps.insert(steps.end(), proved.steps.begin(), proved.steps.end());
    }
    return steps.empty() ? Status() : plot(folder, number, txns_of(steps), steps);
  }

  /// The known edges among the transactions of a cycle; its steps if the component is unknown.
  std::vector<Step> edges_among(const CycleEvidence& cycle) const {
    const std::vector<TxnId> txns = txns_of(cycle.steps);
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

  /// Reads of committed transactions, and reads of lists by indeterminate ones.
  [[nodiscard]] bool believed(TxnId txn, Op op) const {
    return op.is_read() && history_.status(txn) != TxnStatus::kAborted &&
           (history_.committed(txn) || op.kind() == OpKind::kReadList);
  }

  static constexpr std::size_t kMostInText = 10'000;

  const std::filesystem::path& directory_;
  const History& history_;
  const Verdict& verdict_;
  const EvidenceOptions& options_;
  EvidenceList list_;
  std::unordered_map<TxnId, const Component*> component_of_;
  std::vector<std::string> notes_;
  std::size_t plots_ = 0;
  std::size_t left_out_ = 0;
  bool can_draw_ = can_draw();
};

}  // namespace

Status write_files(const std::filesystem::path& directory, const std::string& history,
                   const std::vector<EvidenceFile>& files) {
  Status status = remove_evidence(directory);
  EvidenceList list(directory, history);
  for (const EvidenceFile& file : files) {
    status = status.ok() ? list.note(file.path) : status;
    status = status.ok() ? write_file(directory / file.path, file.content) : status;
  }
  return status;
}

Result<std::vector<std::string>> write_evidence(const std::filesystem::path& directory,
                                                const History& history, const Verdict& verdict,
                                                const EvidenceOptions& options) {
  const bool is_elles = verdict.assumptions.elle_compat;
  Status status = is_elles ? Status() : remove_evidence(directory);
  ELAPID_RETURN_IF_ERROR(status);
  EvidenceWriter writer(directory, history, verdict, options);
  if (status = writer.write_more(); !status.ok()) {
    return status.error();
  }
  if (verdict.validity == Validity::kValid) {
    return std::vector<std::string>{};
  }
  for (const Description& finding : verdict.findings) {
    if (status.ok() && !is_elles) {
      status = writer.write_finding(finding);
    }
  }
  for (std::span<const Anomaly> rest = verdict.anomalies; status.ok() && !rest.empty();) {
    const std::span<const Anomaly> of_type = first_of_type(rest);
    rest = rest.subspan(of_type.size());
    if (has_files(of_type.front(), is_elles)) {
      status = writer.write_type(of_type);
    }
  }
  if (status.ok()) {
    status = writer.write_order_tables(evidence<IncompatibleOrderEvidence>(verdict.anomalies));
  }
  if (status.ok()) {
    status = writer.plot_components();
  }
  ELAPID_RETURN_IF_ERROR(status);
  return std::move(writer).take_notes();
}

}  // namespace elapid
