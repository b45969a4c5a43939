#include "engine/solve/core_lists.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace elapid {

namespace {

using Atoms = std::vector<ListAtom>;
using Line = ListPlaces::Line;
using Place = ListPlaces::Place;
using Reading = ListPlaces::Reading;
using Stand = ListPlaces::Stand;

ListAtom stands(std::uint32_t place) {
  return {.kind = ListAtom::Kind::kStands, .index = place};
}

ListAtom took_effect(std::uint32_t txn) {
  return {.kind = ListAtom::Kind::kTookEffect, .index = txn};
}

ListAtom no(ListAtom atom) {
  atom.holds = !atom.holds;
  return atom;
}

Atoms with(Atoms atoms, ListAtom atom) {
  atoms.push_back(atom);
  return atoms;
}

class Finder {
 public:
  Finder(const OrderProblem& problem, const OrderGraph& graph, const Cores& cores,
         std::uint32_t core)
      : problem_(problem),
        graph_(graph),
        events_(graph.events()),
        lists_(problem.lists()),
        cores_(cores),
        vertices_(cores.cores[core].vertices) {}

  CoreLists find() {
    if (lists_.empty()) {
      return {};
    }
    for (const std::uint32_t v : vertices_) {
      if (graph_.is_version(v)) {
        cover(graph_.version(v));
      } else if (events_.is_of_txn(v) && events_.is_commit(v)) {
        visit(events_.txn(v));
      }
    }
    suggest();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_present(std::uint32_t txn) const {
    return problem_.presence(txn) != Presence::kAbsent;
  }

  [[nodiscard]] std::uint32_t version(std::uint32_t line, std::uint32_t length) const {
    return graph_.vertex_of_version(lists_.version(line, length));
  }

  [[nodiscard]] std::uint32_t unread(std::uint32_t line, std::uint32_t length) const {
    return graph_.vertex_of_version(lists_.unread(line, length));
  }

  void add(Atoms premises, std::uint32_t from, std::uint32_t to, OrderEdge edge) {
    out_.edges.push_back({std::move(premises), from, to, edge});
  }

  void visit(std::uint32_t txn) {
    if (!is_present(txn)) {
      return;
    }
    for (const std::uint32_t s : lists_.stands_of(txn)) {
      const Stand& stand = lists_.stands()[s];
      const Line& line = lists_.lines()[stand.line];
      if (!line.is_certain) {
        if (is_present(line.reader) && lists_.trunk_stand(stand).state != Stand::State::kInside) {
          open_continued(stand, line);
        }
      } else if (stand.state == Stand::State::kOpen) {
        open_stand(stand, line);
      } else {
        const std::uint32_t begin =
            stand.state == Stand::State::kInside ? lists_.place_of(stand).begin : line.length;
        follow_readings({}, stand, begin);
      }
    }
    for (const std::uint32_t r : lists_.readings_of(txn)) {
      if (!lists_.readings()[r].is_certain) {
        open_reading(lists_.readings()[r]);
      }
    }
  }

  /// Adds the places of the stand as choices. Returns the atoms which say that none of them is
  /// taken.
  Atoms open_places(const Stand& stand) {
    Atoms none;
    for (std::uint32_t i = 0; i < stand.place_count; ++i) {
      const std::uint32_t p = stand.first_place + i;
      if (lists_.places()[p].state == ListPlaces::State::kOpen) {
        out_.places.push_back({p});
        none.push_back(no(stands(p)));
        open_place(p, lists_.places()[p]);
      }
    }
    return none;
  }

  void open_place(std::uint32_t p, const Place& place) {
    const Line& line = lists_.lines()[place.line];
    const std::uint32_t commit = events_.commit(place.txn);
    const OrderEdge into = {{place.txn}, TxnId::none(), Relation::kWw, line.key};
    const OrderEdge out_of = {TxnId::none(), {place.txn}, Relation::kWw, line.key};
    add({stands(p)}, commit, version(place.line, place.end), into);
    add({stands(p)}, version(place.line, place.begin), events_.barrier(place.txn), out_of);
    if (!problem_.is_certain(place.txn)) {
      out_.clauses.push_back({no(stands(p)), took_effect(place.txn)});
    }
    if (!line.is_certain) {
      out_.clauses.push_back({no(stands(p)), took_effect(line.reader)});
    }
  }

  void open_stand(const Stand& stand, const Line& line) {
    Atoms behind = open_places(stand);
    for (const ListAtom atom : behind) {
      follow_readings({no(atom)}, stand, lists_.places()[atom.index].begin);
      not_shown({no(atom)}, stand, lists_.places()[atom.index].begin);
    }
    if (!problem_.is_certain(stand.txn)) {
      behind.push_back(took_effect(stand.txn));
    }
    add(behind, version(stand.line, line.length), events_.barrier(stand.txn),
        {TxnId::none(), {stand.txn}, Relation::kWw, line.key});
    not_shown(behind, stand, line.length);
    follow_readings(behind, stand, line.length);
  }

  /// Readers that saw the list no further than `begin` come before the stand.
  void not_shown(Atoms premises, const Stand& stand, std::uint32_t begin) {
    add(std::move(premises), unread(stand.line, begin), events_.commit(stand.txn),
        {TxnId::none(), {stand.txn}, Relation::kRw, lists_.lines()[stand.line].key});
  }

  /// Adds an edge for each transaction that read exactly to `begin` and is direct
  /// (OrderGraph::is_direct).
  void follow_readings(const Atoms& premises, const Stand& stand, std::uint32_t begin) {
    const auto [first, last] = lists_.readings_at(stand.line, begin);
    for (std::uint32_t r = first; r < last; ++r) {
      const Reading& reading = lists_.readings()[r];
      const bool is_known = premises.empty() && reading.is_certain;  // an edge of the graph
      if (graph_.is_direct(reading) && reading.txn != stand.txn && is_present(reading.txn) &&
          !is_known) {
        add(reading.is_certain ? premises : with(premises, took_effect(reading.txn)),
            events_.start(reading.txn), events_.commit(stand.txn),
            {{reading.txn}, {stand.txn}, Relation::kRw, lists_.lines()[stand.line].key});
      }
    }
  }

  /// A stand in what an indeterminate transaction read beyond all others.
  void open_continued(const Stand& stand, const Line& line) {
    Atoms behind = open_places(stand);
    if (stand.txn == line.reader) {
      return;
    }
    const Stand& trunk = lists_.trunk_stand(stand);
    for (std::uint32_t i = 0; i < trunk.place_count; ++i) {
      if (lists_.places()[trunk.first_place + i].state == ListPlaces::State::kOpen) {
        behind.push_back(no(stands(trunk.first_place + i)));
      }
    }
    behind.push_back(took_effect(line.reader));
    if (!problem_.is_certain(stand.txn)) {
      behind.push_back(took_effect(stand.txn));
    }
    add(behind, version(stand.line, line.length), events_.barrier(stand.txn),
        {TxnId::none(), {stand.txn}, Relation::kWw, line.key});
    add(behind, events_.start(line.reader), events_.commit(stand.txn),
        {{line.reader}, {stand.txn}, Relation::kRw, line.key});
  }

  void open_reading(const Reading& reading) {
    if (!is_present(reading.txn)) {
      return;
    }
    const Line& line = lists_.lines()[reading.line];
    const std::uint32_t start = events_.start(reading.txn);
    const ListAtom took = took_effect(reading.txn);
    add({took}, version(reading.line, reading.length), start,
        {TxnId::none(), {reading.txn}, Relation::kWr, line.key});
    if (!line.is_certain) {
      return;
    }
    if (!graph_.is_direct(reading)) {
      add({took}, start, unread(reading.line, reading.length),
          {{reading.txn}, TxnId::none(), Relation::kRw, line.key});
    }
    if (reading.length == 0 || reading.length == line.length) {
      return;
    }
    for (const std::uint32_t p : lists_.covering(reading.line, reading.length)) {
      const Place& place = lists_.places()[p];
      if (place.begin >= reading.length || place.state == ListPlaces::State::kStruck) {
        continue;
      }
      out_.clauses.push_back(place.state == ListPlaces::State::kTaken
                                 ? Atoms{no(took)}
                                 : Atoms{no(took), no(stands(p))});
    }
  }

  /// Adds a clause: an append stands after the prefix, unless the prefix is the whole list.
  void cover(std::uint32_t version) {
    const std::uint32_t l = lists_.line_of_version(version);
    const Line& line = lists_.lines()[l];
    const std::uint32_t position = line.base + version - line.first_version;
    if (lists_.is_unread(version) || position >= line.length ||
        (!line.is_certain && !is_present(line.reader))) {
      return;
    }
    Atoms clause;
    if (!line.is_certain) {
      clause.push_back(no(took_effect(line.reader)));
    }
    for (const std::uint32_t p : lists_.covering(l, position)) {
      const Place& place = lists_.places()[p];
      if (place.state == ListPlaces::State::kTaken) {
        return;
      }
      if (place.state == ListPlaces::State::kOpen && is_present(place.txn)) {
        clause.push_back(stands(p));
      }
    }
    out_.clauses.push_back(std::move(clause));
  }

  /// Suggests for each place, from left to right, the transaction that comes first in the current
  /// order.
  void suggest() {
    std::ranges::sort(out_.places, {}, [this](const CoreLists::OpenPlace& open) {
      const Place& place = lists_.places()[open.place];
      return std::tuple(place.line, place.begin, cores_.place[events_.commit(place.txn)]);
    });
    std::unordered_set<std::uint64_t> used;  // key and transaction
    std::uint32_t line = ListPlaces::kNone;
    std::uint32_t end = 0;
    for (CoreLists::OpenPlace& open : out_.places) {
      const Place& place = lists_.places()[open.place];
      if (place.line != line) {
        line = place.line;
        end = 0;
      }
      const std::uint64_t who = std::uint64_t{lists_.lines()[line].key.value} << 32 | place.txn;
      if (place.begin >= end && lists_.lines()[line].is_certain && used.insert(who).second) {
        open.is_likely = true;
        end = place.end;
      }
    }
  }

  const OrderProblem& problem_;
  const OrderGraph& graph_;
  const EventMap& events_;
  const ListPlaces& lists_;
  const Cores& cores_;
  const std::vector<std::uint32_t>& vertices_;
  CoreLists out_;
};

}  // namespace

CoreLists find_core_lists(const OrderProblem& problem, const OrderGraph& graph, const Cores& cores,
                          std::uint32_t core) {
  return Finder(problem, graph, cores, core).find();
}

}  // namespace elapid
