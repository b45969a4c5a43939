#include "engine/solve/refutation_writer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/graph/scc.h"
#include "engine/solve/cycle_steps.h"

namespace elapid {

namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

/// The number of cycles to look for in a graph with `edges` edges. Each search may take a step for
/// each edge.
std::size_t cycles_tried(std::size_t edges) {
  constexpr std::size_t kSteps = std::size_t{1} << 22;
  return std::clamp<std::size_t>(kSteps / (edges + 1), 4, 64);
}

Choice before(std::uint32_t a, std::uint32_t b) {
  return {.kind = Choice::Kind::kBefore, .first = {a}, .second = {b}};
}

}  // namespace

RefutationWriter::RefutationWriter(const OrderProblem& problem, const OrderGraph& graph,
                                   const Saturation* saturation)
    : problem_(problem),
      graph_(graph),
      events_(graph.events()),
      edges_from_(places_by_row(graph.vertex_count(), graph.edges(),
                                [](const EventEdge& edge) { return edge.from(); })),
      is_edge_needed_(graph.edges().size(), false),
      is_read_needed_(problem.reads().size(), false),
      is_list_needed_(problem.history().key_count(), false) {
  if (saturation != nullptr) {
    exclusions_ = saturation->exclusions();
    misplacements_ = saturation->misplacements();
  }
  exclusions_of_ = places_by_row(static_cast<std::uint32_t>(problem.reads().size()), exclusions_,
                                 [](const Exclusion& exclusion) { return exclusion.read; });
  is_exclusion_needed_.assign(exclusions_.size(), false);
}

/// A shortest path among the graph's first edges; empty if both ends are the same.
RefutationWriter::Path RefutationWriter::path(std::uint32_t from, std::uint32_t to,
                                              std::uint32_t edge_limit) const {
  std::vector<std::uint32_t> reached_by(graph_.vertex_count(), kUnseen);
  std::vector<std::uint32_t> queue = {from};
  Path found;
  for (std::size_t i = 0; i < queue.size() && queue[i] != to; ++i) {
    for (const std::uint32_t e : edges_from_.of(queue[i])) {
      const std::uint32_t next = graph_.edges()[e].to();
      if (e < edge_limit && reached_by[next] == kUnseen && next != from) {
        reached_by[next] = e;
        queue.push_back(next);
      }
    }
  }
  for (std::uint32_t v = to; v != from && reached_by[v] != kUnseen;
       v = graph_.edges()[reached_by[v]].from()) {
    found.push_back(reached_by[v]);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

std::vector<std::uint32_t> RefutationWriter::find_cycle() const {
  const Adjacency successors = graph_.successors();
  const Components components = strong_components(graph_.vertex_count(), successors);
  const auto edge_count = static_cast<std::uint32_t>(graph_.edges().size());
  Path shortest;
  const std::size_t most = cycles_tried(edge_count);
  std::size_t tried = 0;
  for (std::uint32_t e = edge_count; e-- > 0 && tried < most;) {
    const EventEdge& edge = graph_.edges()[e];
    if (components.of[edge.from()] != components.of[edge.to()]) {
      continue;
    }
    ++tried;
    Path cycle = path(edge.to(), edge.from(), edge_count);
    cycle.push_back(e);
    if (shortest.empty() || cycle.size() < shortest.size()) {
      shortest = std::move(cycle);
    }
  }
  return shortest;
}

OrderEdge RefutationWriter::to_order_edge(const EventEdge& edge) const {
  OrderEdge result = {txn_at(edge.from()), txn_at(edge.to())};
  switch (edge.reason()) {
    case EdgeReason::kOwn:
    case EdgeReason::kTimeline:
      break;
    case EdgeReason::kSession:
    case EdgeReason::kInitialTxn:
      result.relation = Relation::kProcess;
      break;
    case EdgeReason::kReadFrom: {
      const ExternalRead& read = problem_.reads()[edge.detail()];
      result.relation = read.is_append ? Relation::kWw : Relation::kWr;
      result.key = read.key;
      break;
    }
    case EdgeReason::kVisible:
      result.key = problem_.reads()[edge.detail()].key;
      break;
    case EdgeReason::kListOrder:
    case EdgeReason::kNoOverlap:
      result.key = {edge.detail()};
      break;
    case EdgeReason::kOverwritten:
      result.relation = Relation::kRw;
      result.key = problem_.reads()[edge.detail()].key;
      result.overwritten = problem_.writer_id(problem_.writer_of(edge.detail()));
      break;
    case EdgeReason::kReadInitial:
      result.relation = Relation::kRw;
      result.key = problem_.reads()[edge.detail()].key;
      break;
    case EdgeReason::kFirstWrite:
      result.relation = Relation::kRw;
      result.key = {edge.detail()};
      break;
    case EdgeReason::kKeyOrder: {
      const KeyLink& link = problem_.key_links()[edge.detail()];
      result.relation = result.from != TxnId{link.first} ? Relation::kWr
                        : link.is_session                ? Relation::kProcess
                                                         : Relation::kRealtime;
      result.key = link.key;
      break;
    }
    case EdgeReason::kVersions:
    case EdgeReason::kShown:
    case EdgeReason::kNotShown:
    case EdgeReason::kStands:
      return to_list_edge(edge);
  }
  return result;
}

TxnId RefutationWriter::txn_at(std::uint32_t vertex) const {
  return events_.is_of_txn(vertex) ? TxnId{events_.txn(vertex)} : TxnId::none();
}

/// The edge of a list as an order of transactions. One end may be a version, without a transaction.
OrderEdge RefutationWriter::to_list_edge(const EventEdge& edge) const {
  const ListPlaces& lists = problem_.lists();
  OrderEdge result = {txn_at(edge.from()), txn_at(edge.to())};
  if (edge.reason() == EdgeReason::kStands) {
    result.key = lists.lines()[lists.stands()[edge.detail()].line].key;
    const bool is_rw =
        graph_.is_version(edge.from()) && lists.is_unread(graph_.version(edge.from()));
    result.relation = is_rw ? Relation::kRw : Relation::kWw;
    return result;
  }
  const ListPlaces::Reading& reading = lists.readings()[edge.detail()];
  result.key = lists.lines()[reading.line].key;
  result.relation = edge.reason() == EdgeReason::kShown ? Relation::kWr : Relation::kRw;
  result.overwritten = likely_writer(reading);
  return result;
}

/// Any transaction that may have appended the last element read. The proof holds for each of them.
TxnId RefutationWriter::likely_writer(const ListPlaces::Reading& reading) const {
  const ListPlaces& lists = problem_.lists();
  const std::uint32_t trunk_length = lists.lines()[lists.lines()[reading.line].trunk].length;
  const std::uint32_t line =
      reading.length > trunk_length ? reading.line : lists.lines()[reading.line].trunk;
  if (reading.length > 0) {
    for (const std::uint32_t p : lists.covering(line, reading.length - 1)) {
      if (lists.places()[p].end == reading.length) {
        return {lists.places()[p].txn};
      }
    }
  }
  return TxnId::none();
}

/// Drops edges from a transaction's start to its commit. Makes one edge of each path along a
/// session, the timeline or a list, or from a reader to a writer of a key.
std::vector<OrderEdge> RefutationWriter::to_order_edges(std::span<const CoreEdge> cycle) const {
  std::vector<OrderEdge> edges;
  const auto is_instant = [this](const CoreEdge& edge) {
    return edge.number == CoreEdge::kChosen
               ? edge.chosen.from.is_none()
               : !events_.is_of_txn(graph_.edges()[edge.number].from());
  };
  const auto join = [&edges](const OrderEdge& edge) {
    if (!edge.from.is_none()) {
      edges.push_back(edge);
      return;
    }
    OrderEdge& begun = edges.back();
    begun.to = edge.to;
    begun.relation = begun.relation == Relation::kWw ? edge.relation : begun.relation;
  };
  // Begins with an edge that starts at a transaction.
  const auto first = std::find_if_not(cycle.begin(), cycle.end(), is_instant) - cycle.begin();
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const CoreEdge& edge = cycle[(i + static_cast<std::size_t>(first)) % cycle.size()];
    if (edge.number == CoreEdge::kChosen) {
      join(edge.chosen);
      continue;
    }
    const EventEdge& known = graph_.edges()[edge.number];
    if (known.reason() == EdgeReason::kOwn || known.reason() == EdgeReason::kVersions) {
      continue;
    }
    if (known.reason() != EdgeReason::kTimeline) {
      join(to_order_edge(known));
      continue;
    }
    if (events_.is_of_txn(known.from())) {
      const bool is_session = known.detail() == OrderGraph::kInSession;
      edges.push_back(
          {{events_.txn(known.from())}, {}, is_session ? Relation::kProcess : Relation::kRealtime});
    }
    if (events_.is_of_txn(known.to())) {
      edges.back().to = {events_.txn(known.to())};
    }
  }
  join_orders(edges);
  // A transaction cannot stand in two places, so this needs no cycle.
  const bool is_loop =
      std::ranges::any_of(edges, [](const OrderEdge& edge) { return edge.from == edge.to; });
  return is_loop ? std::vector<OrderEdge>() : edges;
}

std::vector<OrderEdge> RefutationWriter::transactions_of(
    std::span<const std::uint32_t> cycle) const {
  std::vector<CoreEdge> edges;
  for (const std::uint32_t e : cycle) {
    edges.push_back({.number = e});
  }
  return to_order_edges(edges);
}

void RefutationWriter::need(std::span<const std::uint32_t> edges) {
  for (const std::uint32_t e : edges) {
    is_edge_needed_[e] = true;
    const EdgeReason reason = graph_.edges()[e].reason();
    if (reason == EdgeReason::kReadFrom || reason == EdgeReason::kVisible ||
        reason == EdgeReason::kOverwritten || reason == EdgeReason::kReadInitial) {
      need_read(graph_.edges()[e].detail());
    } else if (reason == EdgeReason::kKeyOrder) {
      const KeyLink& link = problem_.key_links()[graph_.edges()[e].detail()];
      if (!link.first_wrote) {
        need_read_of({link.first}, link.key);
      }
    } else if (reason == EdgeReason::kStands) {
      const ListPlaces& lists = problem_.lists();
      need_list(lists.lines()[lists.stands()[graph_.edges()[e].detail()].line].key);
    } else if (reason == EdgeReason::kNotShown) {
      const ListPlaces& lists = problem_.lists();
      need_list(lists.lines()[lists.readings()[graph_.edges()[e].detail()].line].key);
    }
  }
}

void RefutationWriter::need_list(KeyId key) {
  if (is_list_needed_[key.index()]) {
    return;
  }
  is_list_needed_[key.index()] = true;
  for (const ListPlaces::Stand& stand : problem_.lists().stands()) {
    if (problem_.lists().lines()[stand.line].key == key) {
      need_participation(stand.txn);
    }
  }
}

/// Marks the read or list that shows that the transaction took effect, unless it is committed.
void RefutationWriter::need_participation(std::uint32_t txn) {
  if (const auto read = problem_.proven_by(txn)) {
    need_read(*read);
  } else if (const auto key = problem_.shown_by(txn)) {
    need_list(*key);
  }
}

/// Marks the steps that show which writer the read saw and that its transaction took effect.
void RefutationWriter::need_read(std::uint32_t read) {
  for (std::optional<std::uint32_t> r = read; r && !is_read_needed_[*r];
       r = problem_.proven_by(problem_.reads()[*r].txn)) {
    is_read_needed_[*r] = true;
    for (const std::uint32_t x : exclusions_of_.of(*r)) {
      is_exclusion_needed_[x] = true;
    }
    if (const auto key = problem_.shown_by(problem_.reads()[*r].txn)) {
      need_list(*key);
    }
  }
}

void RefutationWriter::need_read_of(TxnId txn, KeyId key) {
  for (std::uint32_t r = problem_.first_read(txn.value); r < problem_.first_read(txn.value + 1);
       ++r) {
    if (problem_.reads()[r].key == key) {
      need_read(r);
    }
  }
}

/// Proves the choice: the opposite brings an edge that closes a cycle with the path `rest`.
void RefutationWriter::prove(Choice choice, OrderEdge contrary, const Path& rest) {
  std::vector<CoreEdge> cycle = {{.chosen = contrary}};
  for (const std::uint32_t e : rest) {
    cycle.push_back({.number = e});
  }
  steps_.push_back({.clause = {choice}, .cycle = to_order_edges(cycle)});
  need(rest);
}

void RefutationWriter::prove_before(std::uint32_t a, std::uint32_t b, KeyId key,
                                    std::uint32_t edge_limit) {
  prove(before(a, b), {{b}, {a}, Relation::kWw, key},
        path(events_.barrier(a), events_.commit(b), edge_limit));
}

void RefutationWriter::justify_edge(std::uint32_t edge) {
  const EventEdge& e = graph_.edges()[edge];
  const std::uint32_t from = events_.is_of_txn(e.from()) ? events_.txn(e.from()) : 0;
  const std::uint32_t to = events_.is_of_txn(e.to()) ? events_.txn(e.to()) : 0;
  if (e.reason() == EdgeReason::kNoOverlap) {
    prove_before(from, to, {e.detail()}, edge);
  } else if (e.reason() == EdgeReason::kVisible) {
    const ExternalRead& read = problem_.reads()[e.detail()];
    prove(before(from, to), {{read.txn}, {from}, Relation::kRw, read.key, {to}},
          path(events_.commit(from), events_.read_event(read), edge));
  } else if (e.reason() == EdgeReason::kOverwritten) {
    const WriteRef writer = problem_.writer_of(e.detail());
    if (writer != kInitialState) {
      prove_before(problem_.write(writer).txn, to, problem_.reads()[e.detail()].key, edge);
    }
  }
}

void RefutationWriter::justify_exclusion(const Exclusion& exclusion) {
  const ExternalRead& read = problem_.reads()[exclusion.read];
  const std::uint32_t event = events_.read_event(read);
  const TxnId writer = problem_.writer_id(exclusion.candidate);
  const Choice saw_other = {.kind = Choice::Kind::kReads,
                            .holds = false,
                            .first = {read.txn},
                            .second = writer,
                            .key = read.key};
  if (!exclusion.between) {
    prove(saw_other, {writer, {read.txn}, Relation::kWr, read.key},
          path(event, events_.commit(writer.value), exclusion.edge_count));
    return;
  }
  prove(saw_other, {{read.txn}, {*exclusion.between}, Relation::kRw, read.key, writer},
        path(events_.commit(*exclusion.between), event, exclusion.edge_count));
  if (!writer.is_none()) {
    prove_before(writer.value, *exclusion.between, read.key, exclusion.edge_count);
  }
}

/// Proves that the place is impossible: it would bring an edge to or from a version that closes a
/// cycle.
void RefutationWriter::justify_misplacement(const Misplacement& misplacement) {
  const ListPlaces& lists = problem_.lists();
  const ListPlaces::Place& place = lists.places()[misplacement.place];
  const ListPlaces::Line& line = lists.lines()[place.line];
  const std::uint32_t version = misplacement.version_vertex;
  const bool is_unread = lists.is_unread(graph_.version(version));
  OrderEdge contrary = {TxnId::none(), {place.txn}, Relation::kWw, line.key};
  std::uint32_t event = events_.barrier(place.txn);
  if (misplacement.is_from_version) {
    std::swap(contrary.from, contrary.to);
    event = events_.commit(place.txn);
  } else if (is_unread) {
    contrary.relation = Relation::kRw;
    event = events_.commit(place.txn);
  }
  const std::uint32_t from = misplacement.is_from_version ? version : event;
  prove({.kind = Choice::Kind::kReads,
         .holds = false,
         .first = {line.reader},
         .second = {place.txn},
         .key = line.key,
         .length = place.end},
        contrary, path(from, from == version ? event : version, misplacement.edge_count));
  need_list(line.key);
}

/// Goes back from the last edge to the first. So all needs of later steps are marked before a step
/// is justified.
Refutation RefutationWriter::finish(std::vector<ProofStep> last) {
  auto x = static_cast<std::ptrdiff_t>(exclusions_.size()) - 1;
  auto m = static_cast<std::ptrdiff_t>(misplacements_.size()) - 1;
  for (auto e = static_cast<std::uint32_t>(graph_.edges().size() + 1); e-- > 0;) {
    if (e < graph_.edges().size() && is_edge_needed_[e]) {
      justify_edge(e);
    }
    for (; x >= 0 && exclusions_[static_cast<std::size_t>(x)].edge_count == e; --x) {
      if (is_exclusion_needed_[static_cast<std::size_t>(x)]) {
        justify_exclusion(exclusions_[static_cast<std::size_t>(x)]);
      }
    }
    for (; m >= 0 && misplacements_[static_cast<std::size_t>(m)].edge_count == e; --m) {
      const Misplacement& misplacement = misplacements_[static_cast<std::size_t>(m)];
      const std::uint32_t line = problem_.lists().places()[misplacement.place].line;
      if (is_list_needed_[problem_.lists().lines()[line].key.index()]) {
        justify_misplacement(misplacement);
      }
    }
  }
  Refutation refutation;
  refutation.steps.assign(std::move_iterator(steps_.rbegin()), std::move_iterator(steps_.rend()));
  std::move(last.begin(), last.end(), std::back_inserter(refutation.steps));
  return refutation;
}

Refutation RefutationWriter::refute_by_cycle(std::span<const std::uint32_t> cycle) {
  need(cycle);
  std::vector<ProofStep> last(1);
  last[0].cycle = transactions_of(cycle);
  return finish(std::move(last));
}

Refutation RefutationWriter::refute_by_read(std::uint32_t read) {
  need_read(read);
  return finish(std::vector<ProofStep>(1));
}

Refutation RefutationWriter::refute_by_list(KeyId key) {
  need_list(key);
  return finish(std::vector<ProofStep>(1));
}

Refutation RefutationWriter::refute_by_search(const CoreResult& core,
                                              std::span<const std::uint32_t> open_reads) {
  const auto edge_count = static_cast<std::uint32_t>(graph_.edges().size());
  for (const std::uint32_t r : open_reads) {
    need_read(r);
  }
  std::vector<ProofStep> last;
  for (const CoreStep& step : core.refutation) {
    for (const CoreEdge& edge : step.cycle) {
      if (edge.number != CoreEdge::kChosen) {
        need({&edge.number, 1});
        continue;
      }
      if (problem_.lists().is_ambiguous(edge.chosen.key) && edge.chosen.relation <= Relation::kRw) {
        need_list(edge.chosen.key);
      } else if (edge.chosen.relation == Relation::kWr) {
        need_read_of(edge.chosen.to, edge.chosen.key);
      } else if (edge.chosen.relation == Relation::kRw) {
        need_read_of(edge.chosen.from, edge.chosen.key);
        const TxnId writer = edge.chosen.overwritten;
        const bool is_known =
            !writer.is_none() &&
            !path(events_.barrier(writer.value), events_.commit(edge.chosen.to.value), edge_count)
                 .empty();
        if (is_known) {
          prove_before(writer.value, edge.chosen.to.value, edge.chosen.key, edge_count);
        }
      }
    }
    for (const Choice& choice : step.clause) {
      if (choice.length > 0) {
        need_list(choice.key);
      } else if (choice.kind == Choice::Kind::kTookEffect) {
        need_participation(choice.first.value);
      }
    }
    last.push_back({step.clause, to_order_edges(step.cycle)});
  }
  return finish(std::move(last));
}

}  // namespace elapid
