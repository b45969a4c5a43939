// The table of sessions, as in Kleppmann's Hermitage (https://github.com/ept/hermitage): a column a
// session, and rows in a possible order.
//
// Invocations and completions have the order in which they happened, if it is known. The order of
// operations shows who saw which write: a value is read after its writer's commit, and a write that
// a read missed comes after that read. The operations that do not fit such an order show the
// anomaly.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/report/duration_text.h"
#include "adapter/report/html.h"
#include "adapter/report/views/graph_parts.h"
#include "adapter/report/views/svg_text.h"
#include "adapter/report/views/views.h"
#include "engine/graph/chain_order.h"

namespace elapid {
namespace {

constexpr std::size_t kCellColumns = 60;

std::vector<std::size_t> moments(const Exhibit& exhibit) {
  std::vector<std::size_t> counts;
  for (const ExhibitTxn& txn : exhibit.txns) {
    counts.push_back(1 + txn.ops.size() + (txn.last_event ? 1 : 0));
  }
  return counts;
}

class TableOrder {
 public:
  explicit TableOrder(const Exhibit& exhibit) : exhibit_(exhibit), order_(moments(exhibit)) {}

  std::vector<ChainOrder::Place> run() {
    if (exhibit_.axis == ExhibitAxis::kSessions) {
      order_sessions();
    } else {
      order_events();
    }
    for (const Relation relation :
         {Relation::kProcess, Relation::kRealtime, Relation::kWr, Relation::kRw, Relation::kWw}) {
      for (const ExhibitEdge& edge : exhibit_.edges) {
        if (edge.relation == relation && edge.from != edge.to && !edge.is_assumed) {
          prefer(edge);
        }
      }
    }
    return order_.in_order();
  }

 private:
  using Node = ChainOrder::Node;

  [[nodiscard]] Node begin(std::size_t txn) const { return order_.node(txn, 0); }

  [[nodiscard]] Node op(std::size_t txn, std::optional<std::size_t> op) const {
    return op ? order_.node(txn, 1 + *op) : begin(txn);
  }

  [[nodiscard]] Node end(std::size_t txn) const { return order_.last(txn); }

  void order_sessions() {
    std::map<std::size_t, std::vector<std::pair<std::size_t, std::size_t>>> by_session;
    for (std::size_t t = 0; t < exhibit_.txns.size(); ++t) {
      by_session[exhibit_.txns[t].session].emplace_back(exhibit_.txns[t].first_event, t);
    }
    for (auto& [session, txns] : by_session) {
      std::ranges::sort(txns);
      for (std::size_t i = 1; i < txns.size(); ++i) {
        order_.prefer(end(txns[i - 1].second), begin(txns[i].second));
      }
    }
  }

  void order_events() {
    std::vector<std::pair<std::size_t, Node>> events;
    for (std::size_t t = 0; t < exhibit_.txns.size(); ++t) {
      events.emplace_back(exhibit_.txns[t].first_event, begin(t));
      if (exhibit_.txns[t].last_event) {
        events.emplace_back(*exhibit_.txns[t].last_event, end(t));
      }
    }
    std::ranges::sort(events);
    for (std::size_t i = 1; i < events.size(); ++i) {
      order_.prefer(events[i - 1].second, events[i].second);
    }
  }

  void prefer(const ExhibitEdge& edge) {
    const ExhibitTxn& writer = exhibit_.txns[edge.from];
    const bool is_committed = writer.status == TxnStatus::kCommitted && writer.last_event;
    const Node to = op(edge.to, edge.to_op);
    switch (edge.relation) {
      case Relation::kProcess:
      case Relation::kRealtime:
        order_.prefer(end(edge.from), begin(edge.to));
        return;
      case Relation::kRw:
        if (!order_.prefer(op(edge.from, edge.from_op), to)) {
          order_.prefer(op(edge.from, edge.from_op), end(edge.to));
        }
        return;
      case Relation::kWr:
      case Relation::kWw:
        if (!is_committed || !order_.prefer(end(edge.from), to)) {
          order_.prefer(op(edge.from, edge.from_op), to);
        }
        return;
    }
  }

  const Exhibit& exhibit_;
  ChainOrder order_;
};

class SessionTable {
 public:
  explicit SessionTable(const Exhibit& exhibit)
      : exhibit_(exhibit), edges_(certain_edges(exhibit)) {
    std::vector<std::int64_t> times;
    for (const ExhibitTxn& txn : exhibit.txns) {
      for (const auto& time : {txn.invoked, txn.completed}) {
        if (time) {
          times.push_back(*time);
        }
      }
    }
    times_ = moment_texts(std::move(times));
  }

  std::string draw() {
    const std::vector<ChainOrder::Place> rows = TableOrder(exhibit_).run();
    body_ = fmt::format(
        "<div class=\"v-scroll\"><table class=\"view view-table\" data-view=\"table\">\n"
        "<caption>{}</caption>\n<thead><tr><th scope=\"col\">{}</th>",
        caption(), has_times() ? "Time" : "Step");
    for (const std::string& session : exhibit_.sessions) {
      body_ += fmt::format("<th scope=\"col\">{}</th>", html(session));
    }
    body_ += "</tr></thead>\n<tbody>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      add_row(r, rows[r]);
    }
    return body_ + "</tbody></table></div>\n";
  }

 private:
  [[nodiscard]] bool has_times() const {
    return exhibit_.axis == ExhibitAxis::kTime || exhibit_.axis == ExhibitAxis::kTimestamps;
  }

  [[nodiscard]] std::string_view caption() const {
    switch (exhibit_.axis) {
      case ExhibitAxis::kTime:
        return "Begin and end as the clients saw them; operations in an order that could have "
               "been.";
      case ExhibitAxis::kTimestamps:
        return "Begin and end by the database's timestamps; operations in an order that could "
               "have been.";
      case ExhibitAxis::kEvents:
        return "Begin and end in the order of the history; operations in an order that could have "
               "been.";
      case ExhibitAxis::kSessions:
        break;
    }
    return "Each session in its order; between sessions an order that could have been.";
  }

  void add_row(std::size_t row, ChainOrder::Place place) {
    const ExhibitTxn& txn = exhibit_.txns[place.chain];
    const bool is_begin = place.place == 0;
    const bool is_end = place.place == txn.ops.size() + 1;
    body_ += fmt::format("<tr><th scope=\"row\">{}</th>", html(when(row, txn, is_begin, is_end)));
    for (std::size_t s = 0; s < exhibit_.sessions.size(); ++s) {
      if (s != txn.session) {
        body_ += open_.contains(s) ? "<td class=\"v-in\"></td>" : "<td></td>";
      } else if (is_begin) {
        add_begin(place.chain);
      } else if (is_end) {
        add_end(place.chain);
      } else {
        add_op(place.chain, place.place - 1);
      }
    }
    body_ += "</tr>\n";
    const bool is_last = txn.last_event ? is_end : place.place == txn.ops.size();
    if (is_last && --open_[txn.session] == 0) {
      open_.erase(txn.session);
    }
  }

  [[nodiscard]] std::string when(std::size_t row, const ExhibitTxn& txn, bool is_begin,
                                 bool is_end) const {
    if (!has_times()) {
      return fmt::to_string(row + 1);
    }
    const bool is_stamp = exhibit_.axis == ExhibitAxis::kTimestamps;
    const auto begin = is_stamp ? txn.start_timestamp : txn.invoked;
    const auto end = is_stamp ? txn.commit_timestamp : txn.completed;
    const auto time = is_begin ? begin : is_end ? end : std::nullopt;
    if (!time) {
      return "";
    }
    return is_stamp ? fmt::to_string(*time) : times_.at(*time);
  }

  void add_begin(std::size_t number) {
    const ExhibitTxn& txn = exhibit_.txns[number];
    ++open_[txn.session];
    body_ += fmt::format(
        "<td class=\"v-in v-begin\" data-ref=\"{}\"><b>{}</b> {}{}{}{}</td>", html(txn.anchor),
        html(txn.label), exhibit_.has_calls ? "invoked" : "begin",
        txn.level.empty() ? "" : html(", " + txn.level), txn.last_event ? "" : ", outcome unknown",
        txn.last_event ? "" : badges(number, std::nullopt));
  }

  void add_end(std::size_t number) {
    const ExhibitTxn& txn = exhibit_.txns[number];
    const std::string_view committed = exhibit_.has_calls ? "ok" : "commit";
    const std::string_view aborted = exhibit_.has_calls ? "failed" : "abort";
    const std::string_view word = txn.status == TxnStatus::kCommitted ? committed
                                  : txn.status == TxnStatus::kAborted ? aborted
                                                                      : "outcome unknown";
    body_ += fmt::format("<td class=\"v-in v-end{}\" data-ref=\"{}\"><b>{}</b> {}{}</td>",
                         txn.status == TxnStatus::kAborted ? " v-aborted" : "", html(txn.anchor),
                         html(txn.label), word, badges(number, std::nullopt));
  }

  void add_op(std::size_t number, std::size_t op) {
    const ExhibitOp& shown = exhibit_.txns[number].ops[op];
    body_ += fmt::format("<td class=\"v-in v-op{}\" data-ref=\"{}\"><code>{}</code>{}</td>",
                         shown.is_in_focus ? " v-focus" : "", html(shown.anchor),
                         html(fitted(shown.text, kCellColumns)), badges(number, op));
  }

  /// The edges that leave an operation, or the transaction as a whole.
  [[nodiscard]] std::string badges(std::size_t txn, std::optional<std::size_t> op) const {
    std::string text;
    for (const GraphEdge& known : edges_) {
      const ExhibitEdge& edge = *known.shown;
      if (edge.from == txn && edge.from_op == op) {
        text += fmt::format(
            " <a class=\"v-badge v-{}\" href=\"#{}\" data-ref=\"{}\" data-ends=\"{}\" "
            "title=\"{}\">{} → {}</a>",
            edge_kind(edge), html(edge.anchor), html(known.anchors),
            html(edge_ends(exhibit_, edge)), html(edge_sentence(exhibit_, edge)), edge_kind(edge),
            html(exhibit_.txns[edge.to].label));
      }
    }
    return text;
  }

  const Exhibit& exhibit_;
  std::vector<GraphEdge> edges_;
  std::map<std::int64_t, std::string> times_ = {};
  std::map<std::size_t, std::size_t> open_ = {};  // by session, transactions that have begun
  std::string body_ = {};
};

}  // namespace

std::string session_table(const Exhibit& exhibit) {
  return SessionTable(exhibit).draw();
}

}  // namespace elapid
