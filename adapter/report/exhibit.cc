#include "adapter/report/exhibit.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "adapter/elle/elision.h"
#include "adapter/report/claim_anchors.h"
#include "adapter/report/exhibit_faults.h"
#include "engine/ir/shown_name.h"
#include "engine/rows/rows.h"
#include "engine/rows/text.h"
#include "engine/rows/words.h"

namespace elapid {
namespace {

constexpr std::size_t kWholeTxn = 4;  // of so few operations all are shown

class ExhibitMaker {
 public:
  ExhibitMaker(const History& history, const Finding& finding, const TextOptions& options,
               const ExhibitRequest& request)
      : history_(history),
        leader_(finding.description),
        options_(options),
        request_(request),
        anchors_(request.anchor) {
    exhibit_.anchor = request.anchor;
    exhibit_.name = leader_.name;
    exhibit_.gloss = leader_.gloss;
    exhibit_.has_calls = !history.workload().has_transactions() && options.fields;
  }

  Exhibit make(const Finding& finding) {
    gather_focus(finding);
    exhibit_.axis = axis();
    add_sessions();
    add_txns();
    exhibit_.groups.push_back({});
    add_edges(leader_.claims, 0);
    for (const Finding& follower : finding.followers) {
      const std::size_t group = exhibit_.groups.size();
      exhibit_.groups.push_back(
          {.title = "The same transactions show " + follower.description.name + ":",
           .is_follower = true});
      add_edges(follower.description.claims, group);
    }
    add_faults(history_, leader_, request_.faults, exhibit_);
    return std::move(exhibit_);
  }

 private:
  using Mops = std::map<std::uint32_t, std::vector<ValueId>>;  // with the elements in focus

  [[nodiscard]] TxnId txn(std::size_t actor) const { return leader_.actors[actor].event.txn; }

  /// Collects the operations in focus: those of the actors and those at the ends of arrows.
  void gather_focus(const Finding& finding) {
    for (const Actor& actor : leader_.actors) {
      Mops& mops = focus_.emplace_back();
      for (const Focus& focus : actor.focus) {
        mops[focus.mop].push_back(focus.element);
      }
    }
    gather_focus(leader_.claims);
    for (const Finding& follower : finding.followers) {
      gather_focus(follower.description.claims);
    }
  }

  void gather_focus(const std::vector<Claim>& claims) {
    for (const Claim& claim : claims) {
      if (claim.arrow && claim.arrow->from_mop) {
        focus_[claim.arrow->from].try_emplace(*claim.arrow->from_mop);
      }
      if (claim.arrow && claim.arrow->to_mop) {
        focus_[claim.arrow->to].try_emplace(*claim.arrow->to_mop);
      }
      gather_focus(claim.steps);
    }
  }

  [[nodiscard]] ExhibitAxis axis() const {
    const auto all = [this](auto holds) {
      return !leader_.actors.empty() &&
             std::ranges::all_of(leader_.actors,
                                 [&](const Actor& actor) { return holds(actor.event.txn); });
    };
    const bool has_timestamps = all([this](TxnId txn) {
      return history_.start_timestamp(txn) &&
             (history_.commit_timestamp(txn) || !history_.committed(txn));
    });
    if (request_.by_timestamps && has_timestamps) {
      return ExhibitAxis::kTimestamps;
    }
    if (history_.info().has_real_time) {
      return all([this](TxnId txn) { return has_times(txn); }) ? ExhibitAxis::kTime
                                                               : ExhibitAxis::kEvents;
    }
    return has_timestamps ? ExhibitAxis::kTimestamps : ExhibitAxis::kSessions;
  }

  [[nodiscard]] bool has_times(TxnId txn) const {
    return (!history_.has_invocation(txn) || history_.event(txn, EventKind::kInvocation).time) &&
           (!history_.has_completion(txn) || history_.event(txn, EventKind::kCompletion).time);
  }

  /// Whether the end is known. That of an indeterminate transaction is not.
  [[nodiscard]] bool has_end(TxnId txn) const {
    return history_.has_completion(txn) && history_.status(txn) != TxnStatus::kIndeterminate;
  }

  /// The moment of a transaction's event on the axis, for comparisons only.
  [[nodiscard]] std::int64_t moment(TxnId txn, EventKind kind) const {
    const bool is_end = kind == EventKind::kCompletion;
    if (exhibit_.axis == ExhibitAxis::kTimestamps) {
      const std::int64_t start = *history_.start_timestamp(txn);
      return is_end ? history_.commit_timestamp(txn).value_or(start) : start;
    }
    if (exhibit_.axis == ExhibitAxis::kSessions) {
      const std::span<const TxnId> txns = history_.session_txns(history_.session(txn));
      return 2 * (std::ranges::find(txns, txn) - txns.begin()) + (is_end ? 1 : 0);
    }
    const EventRef event =
        is_end ? representative_ref(history_, txn) : invocation_ref(history_, txn);
    return std::int64_t{history_.event(event.txn, event.kind).id.value};
  }

  void add_sessions() {
    std::vector<std::pair<std::int64_t, SessionId>> firsts;
    for (const Actor& actor : leader_.actors) {
      const SessionId session = history_.session(actor.event.txn);
      const std::int64_t first = exhibit_.axis == ExhibitAxis::kSessions
                                     ? history_.session_name(session)
                                     : moment(actor.event.txn, EventKind::kInvocation);
      firsts.emplace_back(first, session);
    }
    std::ranges::sort(firsts);
    for (const auto& [first, session] : firsts) {
      if (sessions_.try_emplace(session, sessions_.size()).second) {
        exhibit_.sessions.push_back(name_of(session));
      }
    }
  }

  /// The name of a session. Without processes each transaction is a session.
  [[nodiscard]] std::string name_of(SessionId session) const {
    if (history_.info().has_process) {
      return (history_.info().is_session_trace ? "session " : "process ") +
             history_.session_text(session);
    }
    const auto actor = std::ranges::find(leader_.actors, session, [this](const Actor& one) {
      return history_.session(one.event.txn);
    });
    return label(static_cast<std::size_t>(actor - leader_.actors.begin()));
  }

  [[nodiscard]] static std::string label(std::size_t actor) {
    return "T" + std::to_string(actor + 1);
  }

  void add_txns() {
    std::set<std::tuple<std::int64_t, TxnId, EventKind>> moments;
    for (const Actor& actor : leader_.actors) {
      for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
        moments.emplace(moment(actor.event.txn, kind), actor.event.txn, kind);
      }
    }
    const auto place = [&](TxnId txn, EventKind kind) {
      return static_cast<std::size_t>(
          std::distance(moments.begin(), moments.find({moment(txn, kind), txn, kind})));
    };
    for (std::size_t i = 0; i < leader_.actors.size(); ++i) {
      ExhibitTxn& made = exhibit_.txns.emplace_back(txn_of(i));
      made.first_event = place(txn(i), EventKind::kInvocation);
      if (has_end(txn(i))) {
        made.last_event = place(txn(i), EventKind::kCompletion);
      }
    }
  }

  ExhibitTxn txn_of(std::size_t actor) {
    const TxnId id = txn(actor);
    const EventRef event = leader_.actors[actor].event;
    const EventRef invocation = invocation_ref(history_, id);
    ExhibitTxn made = {.anchor = actor_anchor(request_.anchor, actor),
                       .label = label(actor),
                       .session = sessions_.at(history_.session(id)),
                       .level = std::string(history_.levels().of(id)),
                       .status = history_.status(id),
                       .is_reader_only = leader_.actors[actor].is_witness,
                       .invoked = history_.event(id, invocation.kind).time,
                       .start_timestamp = history_.start_timestamp(id),
                       .commit_timestamp = history_.commit_timestamp(id)};
    if (options_.place) {
      made.place = options_.place(id, event.kind);
    } else if (history_.info().is_session_trace) {
      made.place = place_in_session(history_, id);
    }
    if (has_end(id)) {
      made.completed = history_.representative(id).time;
    }
    add_ops(actor, made);
    return made;
  }

  void add_ops(std::size_t actor, ExhibitTxn& to) {
    const EventRef event = leader_.actors[actor].event;
    const std::span<const Op> ops = shown_ops(history_, event);
    const Mops& mops = focus_[actor];
    const bool is_whole = ops.size() <= kWholeTxn;
    std::map<std::uint32_t, std::size_t>& places = places_.emplace_back();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      const auto focus = mops.find(mop);
      if (focus == mops.end() && !is_whole) {
        ++to.skipped;
        continue;
      }
      places.emplace(mop, to.ops.size());
      const std::span<const ValueId> elements =
          focus == mops.end() ? std::span<const ValueId>() : std::span(focus->second);
      to.ops.push_back({.anchor = to.anchor + ".o" + std::to_string(mop + 1),
                        .text = text_of(event, ops[mop], elements),
                        .is_in_focus = focus != mops.end(),
                        .skipped = std::exchange(to.skipped, 0)});
    }
  }

  [[nodiscard]] std::string text_of(EventRef event, Op op,
                                    std::span<const ValueId> elements) const {
    if (exhibit_.has_calls) {
      return call_text(event);
    }
    if (op.kind() == OpKind::kRow) {
      return rows::elided_words(history_, op, elements);
    }
    const std::string key = history_.shown_key(op.key());
    const bool is_known = history_.committed(event.txn) && !reads_hidden(history_, event);
    switch (op.kind()) {
      case OpKind::kAppend:
        return "append " + history_.shown_text(op.value()) + " to " + key;
      case OpKind::kWrite:
        return "write " + key + " = " + history_.shown_text(op.value());
      case OpKind::kReadList:
        return "read " + key + " = " + elided_list(history_, history_.elements(op), elements);
      case OpKind::kRead:
        return "read " + key +
               (is_known || !op.value().is_nil() ? " = " + history_.shown_text(op.value()) : "");
      case OpKind::kRow:
      case OpKind::kOther:
        break;
    }
    return history_.shown_text(op.value()) + " " + key;
  }

  /// The call as the source has it, as `:enqueue 80`.
  [[nodiscard]] std::string call_text(EventRef event) const {
    const EventFields fields = options_.fields(event.txn, event.kind);
    const bool has_value = !fields.value.empty() && fields.value != "nil";
    return fields.f + (has_value ? " " + shown_name(fields.value) : "");
  }

  void add_edges(const std::vector<Claim>& claims, std::size_t group) {
    for (const Claim& claim : claims) {
      const std::string anchor = anchors_.next(claim);
      if (claim.arrow) {
        add_edge(*claim.arrow, anchor, group);
      }
      if (!claim.steps.empty()) {
        const std::size_t part = exhibit_.groups.size();
        exhibit_.groups.push_back({.title = to_text(history_, leader_, claim.says, options_)});
        add_edges(claim.steps, part);
      }
    }
  }

  void add_edge(const Arrow& arrow, const std::string& anchor, std::size_t group) {
    const auto op = [this](std::size_t actor, std::optional<std::uint32_t> mop) {
      const auto place = mop ? places_[actor].find(*mop) : places_[actor].end();
      return place == places_[actor].end() ? std::nullopt : std::optional(place->second);
    };
    exhibit_.edges.push_back({.anchor = anchor,
                              .from = arrow.from,
                              .to = arrow.to,
                              .from_op = op(arrow.from, arrow.from_mop),
                              .to_op = op(arrow.to, arrow.to_mop),
                              .relation = arrow.relation,
                              .key = arrow.key.is_none() ? "" : key_of(arrow),
                              .condition = condition_of(arrow),
                              .by_timestamps = arrow.by_timestamps,
                              .is_assumed = arrow.is_assumed,
                              .by = arrow.by,
                              .group = group});
  }

  [[nodiscard]] std::string key_of(const Arrow& arrow) const {
    return (history_.info().rows ? "row " : "") + history_.shown_text(arrow.key);
  }

  /// The predicate of the read at one of the arrow's ends that found, or missed, the row.
  [[nodiscard]] std::string condition_of(const Arrow& arrow) const {
    const bool is_read_first = arrow.relation == Relation::kRw;
    const std::optional<std::uint32_t> mop = is_read_first ? arrow.from_mop : arrow.to_mop;
    const bool is_read = is_read_first || arrow.relation == Relation::kWr;
    if (!history_.info().rows || !mop || !is_read) {
      return "";
    }
    const EventRef event = leader_.actors[is_read_first ? arrow.from : arrow.to].event;
    const rows::Rows& rows = *history_.info().rows;
    const std::span<const Op> ops = shown_ops(history_, event);
    if (*mop >= ops.size()) {
      return "";
    }
    const rows::RowOp& op = rows.op(ops[*mop]);
    return op.has_predicate() ? rows::condition_words(history_, rows.predicate(op)) : "";
  }

  const History& history_;
  const Description& leader_;
  const TextOptions& options_;
  const ExhibitRequest& request_;
  ClaimAnchors anchors_;
  Exhibit exhibit_ = {};
  std::vector<Mops> focus_ = {};                                   // by actor
  std::vector<std::map<std::uint32_t, std::size_t>> places_ = {};  // by actor: mop -> in ops
  std::map<SessionId, std::size_t> sessions_ = {};
};

}  // namespace

Exhibit exhibit_of(const History& history, const Finding& finding, const TextOptions& options,
                   const ExhibitRequest& request) {
  return ExhibitMaker(history, finding, options, request).make(finding);
}

}  // namespace elapid
