#include "engine/solve/core_search.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/graph/incremental_order.h"
#include "engine/solve/core_lists.h"
#include "engine/solve/core_replay.h"
#include "engine/solve/sat_solver.h"

namespace elapid {

namespace {

class CoreSearch final : public Theory {
 public:
  CoreSearch(const OrderProblem& problem, const OrderGraph& graph, const SettledReaders& readers,
             const Saturation* saturation, const Cores& cores, std::uint32_t core)
      : problem_(problem),
        graph_(graph),
        events_(graph.events()),
        readers_(readers),
        saturation_(saturation),
        cores_(cores),
        number_(core),
        core_(cores.cores[core]),
        order_(static_cast<std::uint32_t>(core_.vertices.size()), permanent_edges(), places()),
        sat_(*this) {
    collect_open_reads();
    for (const std::uint32_t r : open_reads_) {
      open_read(r);
    }
    open_lists(find_core_lists(problem, graph, cores, core));
  }

  CoreResult run(std::uint64_t work, const std::function<bool()>& keep_going) {
    std::uint64_t steps = 0;
    const auto answer = sat_.solve([&] {
      constexpr std::uint64_t kStepsBetweenQuestions = 256;
      return is_stuck_ || order_.work() + replayed_ + ++steps > work ||
             (keep_going && steps % kStepsBetweenQuestions == 0 && !keep_going());
    });
    result_.choices = sat_.variable_count();
    result_.conflicts = sat_.conflict_count();
    result_.settled_choices =
        answer == SatSolver::Answer::kOutOfWork ? sat_.permanent_count() : sat_.variable_count();
    if (answer == SatSolver::Answer::kUnsatisfiable) {
      result_.validity = Validity::kInvalid;
      write_refutation();
    } else if (answer == SatSolver::Answer::kSatisfiable) {
      result_.validity = Validity::kValid;
    }
    return std::move(result_);
  }

  std::uint32_t assign(Literal literal, std::vector<Literal>& conflict) override {
    brought_before_.push_back(brought_.size());
    is_told_[literal.code()] = true;
    for (const std::uint32_t c : guards_of_[literal.code()]) {
      --guards_[c].missing;
    }
    if (const std::uint32_t line = occupy(literal, conflict); line != kNoConflict) {
      return line;
    }
    for (const Consequence& edge : consequences_[literal.code()]) {
      if (edge.partner && !is_told_[edge.partner->code()]) {
        continue;
      }
      const Brought brought = {{literal, edge.partner.value_or(literal)}, edge.edge};
      if (!order_.insert(edge.from, edge.to)) {
        return explain_cycle(edge, brought, conflict);
      }
      brought_.push_back(brought);
    }
    for (const std::uint32_t c : guards_of_[literal.code()]) {
      const Guard& guard = guards_[c];
      const Brought brought = {{literal, literal}, guard.edge, c};
      if (guard.missing > 0) {
        continue;
      }
      if (!order_.insert(guard.from, guard.to)) {
        return explain_cycle({guard.from, guard.to, guard.edge}, brought, conflict);
      }
      brought_.push_back(brought);
    }
    return kNoConflict;
  }

  void retract(Literal literal) override {
    is_told_[literal.code()] = false;
    vacate(literal);
    for (const std::uint32_t c : guards_of_[literal.code()]) {
      ++guards_[c].missing;
    }
    while (brought_.size() > brought_before_.back()) {
      order_.remove_last();
      brought_.pop_back();
    }
    brought_before_.pop_back();
  }

  /// Before all but one of the writers that a read may have seen are ruled out by chance, the
  /// likeliest as things stand is tried, unless one was tried before.
  Literal prefer(Literal usual) override {
    const std::uint32_t r = read_of_[usual.variable()];
    if (usual.holds() || r == kNone || !takes_part(problem_.reads()[r].txn)) {
      return usual;
    }
    const std::uint32_t read_at = order_.position(place(events_.read_event(problem_.reads()[r])));
    const Selector* best = nullptr;
    std::pair<bool, std::uint32_t> best_rank;
    for (const Selector& selector : selectors_of_read_.at(r)) {
      const std::uint32_t variable = selector.literal.variable();
      if (sat_.is_true(selector.literal)) {
        return usual;
      }
      if (!sat_.is_open(variable)) {
        continue;
      }
      if (sat_.phase(variable)) {
        return usual;
      }
      const auto rank = likelihood(selector.writer, read_at);
      if (best == nullptr || rank > best_rank) {
        best = &selector;
        best_rank = rank;
      }
    }
    return best != nullptr ? best->literal : usual;
  }

  /// Carries the order out. Where a read is served wrongly, or writers overlap, two writers must
  /// change places: a choice to make.
  bool accepts() override {
    replayed_ += core_.vertices.size();
    const std::vector<WriterPair> wrong =
        find_wrong_pairs(problem_, events_, vertices_in_order(),
                         {.takes_part = [this](std::uint32_t txn) { return takes_part(txn); },
                          .writer_of = [this](std::uint32_t r) { return chosen_writer(r); },
                          .may_move = [this](WriteRef writer) { return may_swap(writer); }});
    if (wrong.empty()) {
      result_.order = vertices_in_order();
      note_choices();
      return true;
    }
    sat_.restart();
    const std::uint32_t before = sat_.variable_count();
    for (const auto& [first, second] : wrong) {
      order_pair(first, second);
    }
    is_stuck_ = sat_.variable_count() == before;
    return false;
  }

 private:
  /// An edge that a literal brings, or only together with another one.
  struct Consequence {
    std::uint32_t from = 0;  ///< places
    std::uint32_t to = 0;
    OrderEdge edge;
    std::optional<Literal> partner = {};
  };

  /// An edge that more literals bring together.
  struct Guard {
    std::vector<Literal> premises;
    std::uint32_t missing = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    OrderEdge edge;
  };

  struct Brought {
    std::array<Literal, 2> premises;  // unless there is a guard
    OrderEdge edge;
    std::uint32_t guard = kNone;
  };

  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Selector {
    std::uint32_t read = 0;
    WriteRef writer = kInitialState;
    Literal literal;
  };

  [[nodiscard]] std::vector<IncrementalOrder::Edge> permanent_edges() const {
    std::vector<IncrementalOrder::Edge> edges;
    edges.reserve(core_.edges.size());
    for (const std::uint32_t e : core_.edges) {
      edges.emplace_back(place(graph_.edges()[e].from()), place(graph_.edges()[e].to()));
    }
    return edges;
  }

  [[nodiscard]] std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> places(core_.vertices.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      places[i] = i;
    }
    return places;
  }

  [[nodiscard]] std::uint32_t place(std::uint32_t vertex) const { return cores_.place[vertex]; }

  [[nodiscard]] bool is_inside(std::uint32_t vertex) const {
    return cores_.core_of[vertex] == number_;
  }

  template <class Visit>
  void each_read_at(std::uint32_t vertex, Visit visit) const {
    if (!events_.is_of_txn(vertex) || problem_.presence(events_.txn(vertex)) == Presence::kAbsent) {
      return;
    }
    const std::uint32_t txn = events_.txn(vertex);
    for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
      if (events_.read_event(problem_.reads()[r]) == vertex) {
        visit(r);
      }
    }
  }

  void collect_open_reads() {
    for (const std::uint32_t vertex : core_.vertices) {
      each_read_at(vertex, [this](std::uint32_t r) {
        if (problem_.writer_of(r) == kOpenWriter) {
          open_reads_.push_back(r);
        }
      });
    }
  }

  /// A write, or the initial state of a key.
  [[nodiscard]] static std::uint64_t name_of(WriteRef writer, KeyId key) {
    return writer == kInitialState ? std::uint64_t{key.value} << 32 | kInitialState : writer;
  }

  std::uint32_t new_variable(Choice choice, bool phase) {
    choices_.push_back(choice);
    consequences_.resize(consequences_.size() + 2);
    guards_of_.resize(guards_of_.size() + 2);
    place_of_.push_back(kNone);
    read_of_.push_back(kNone);
    is_told_.resize(is_told_.size() + 2, false);
    return sat_.new_variable(phase);
  }

  /// Whose write did it see? One of them, if the reader took effect.
  void open_read(std::uint32_t r) {
    const ExternalRead& read = problem_.reads()[r];
    std::vector<Literal> one_of;
    if (!problem_.is_certain(read.txn)) {
      one_of.push_back(~took_effect(read.txn));
    }
    const WriteRef likely = likely_writer(r);
    for (const WriteRef writer : problem_.candidates(r)) {
      const Choice choice = {.kind = Choice::Kind::kReads,
                             .first = {read.txn},
                             .second = problem_.writer_id(writer),
                             .key = read.key};
      const Literal saw(new_variable(choice, writer == likely), true);
      one_of.push_back(saw);
      read_of_[saw.variable()] = r;
      selectors_[name_of(writer, read.key)].push_back({r, writer, saw});
      selectors_of_read_[r].push_back({r, writer, saw});
      add_read_from(r, writer, saw);
      if (writer != kInitialState && !problem_.is_certain(problem_.write(writer).txn)) {
        sat_.add_clause({~saw, took_effect(problem_.write(writer).txn)});
      }
    }
    sat_.add_clause(one_of);
  }

  /// The candidate that comes last before the read in the first order.
  [[nodiscard]] WriteRef likely_writer(std::uint32_t r) const {
    const std::uint32_t event = events_.read_event(problem_.reads()[r]);
    WriteRef likely = problem_.candidates(r).empty() ? kInitialState : problem_.candidates(r)[0];
    std::optional<std::uint32_t> latest;
    for (const WriteRef writer : problem_.candidates(r)) {
      if (writer == kInitialState || !problem_.is_certain(problem_.write(writer).txn)) {
        continue;
      }
      const std::uint32_t commit = events_.commit(problem_.write(writer).txn);
      if (is_inside(commit) && place(commit) < place(event) &&
          (!latest || place(commit) > *latest)) {
        latest = place(commit);
        likely = writer;
      }
    }
    return likely;
  }

  /// Those before the read come first, the latest of them most likely; of others, the earliest.
  [[nodiscard]] std::pair<bool, std::uint32_t> likelihood(WriteRef writer,
                                                          std::uint32_t read_at) const {
    if (writer == kInitialState || !is_inside(events_.commit(problem_.write(writer).txn))) {
      return {true, 0};
    }
    const std::uint32_t at = order_.position(place(events_.commit(problem_.write(writer).txn)));
    return at < read_at ? std::pair(true, at) : std::pair(false, ~at);
  }

  Literal took_effect(std::uint32_t txn) {
    const auto [at, is_new] = took_effect_.try_emplace(txn, 0);
    if (is_new) {
      at->second = new_variable({.kind = Choice::Kind::kTookEffect, .first = {txn}}, false);
      if (problem_.is_certain(txn)) {
        sat_.add_clause({{at->second, true}});
      }
    }
    return {at->second, true};
  }

  /// The edges that hold if `r` saw `writer`, whatever the order of undecided writers.
  void add_read_from(std::uint32_t r, WriteRef writer, Literal saw) {
    const ExternalRead& read = problem_.reads()[r];
    const std::uint32_t event = events_.read_event(read);
    if (writer != kInitialState && is_inside(events_.commit(problem_.write(writer).txn))) {
      bring(saw, events_.commit(problem_.write(writer).txn), event,
            {problem_.writer_id(writer), {read.txn}, Relation::kWr, read.key});
      for (const KeyLink& link : problem_.links_from(r)) {
        if (link.second_read && link.second != problem_.write(writer).txn &&
            is_inside(events_.start(link.second))) {
          bring(saw, events_.commit(problem_.write(writer).txn), events_.start(link.second),
                {problem_.writer_id(writer), {link.second}, Relation::kWr, read.key});
        }
      }
    }
    const auto overwritten_by = [&](std::uint32_t other) {
      bring(saw, event, events_.commit(other),
            {{read.txn}, {other}, Relation::kRw, read.key, problem_.writer_id(writer)});
    };
    if (saturation_ != nullptr) {
      each_first_known_after(writer, read, overwritten_by);
    } else if (writer == kInitialState) {
      each_other_writer(read, overwritten_by);
    }
  }

  [[nodiscard]] bool may_overwrite(std::uint32_t other, WriteRef writer,
                                   const ExternalRead& read) const {
    const bool is_writer = writer != kInitialState && other == problem_.write(writer).txn;
    return !is_writer && other != read.txn && problem_.presence(other) != Presence::kAbsent &&
           is_inside(events_.commit(other));
  }

  template <class Visit>
  void each_other_writer(const ExternalRead& read, Visit visit) const {
    for (WriteRef w = problem_.first_write(read.key.value);
         w < problem_.first_write(read.key.value + 1); ++w) {
      if (may_overwrite(problem_.write(w).txn, kInitialState, read)) {
        visit(problem_.write(w).txn);
      }
    }
  }

  /// Calls `visit` for the first of each chain that is known to write the key of the read after
  /// `writer`, and for those before it that need not have taken effect: those behind follow it
  /// anyway.
  template <class Visit>
  void each_first_known_after(WriteRef writer, const ExternalRead& read, Visit visit) const {
    const KeyWriters& writers = saturation_->writers();
    for (const KeyWriters::Group& group : writers.groups(read.key)) {
      std::uint32_t i = group.begin;
      if (writer != kInitialState) {
        const std::uint32_t barrier = events_.barrier(problem_.write(writer).txn);
        i = writers.end_below(group, saturation_->clocks().after(barrier)[group.chain]);
      }
      for (bool is_certain = false; i < group.end && !is_certain; ++i) {
        const std::uint32_t other = writers.entry(i).txn;
        if (may_overwrite(other, writer, read)) {
          visit(other);
          is_certain = problem_.is_certain(other);
        }
      }
    }
  }

  void open_lists(const CoreLists& lists) {
    const ListPlaces& all = problem_.lists();
    for (const CoreLists::OpenPlace& open : lists.places) {
      const ListPlaces::Place& place = all.places()[open.place];
      const ListPlaces::Line& line = all.lines()[place.line];
      const std::uint32_t variable = new_variable({.kind = Choice::Kind::kReads,
                                                   .first = {line.reader},
                                                   .second = {place.txn},
                                                   .key = line.key,
                                                   .length = place.end},
                                                  open.is_likely);
      place_of_[variable] = open.place;
      stands_.emplace(open.place, variable);
    }
    for (const std::vector<ListAtom>& atoms : lists.clauses) {
      sat_.add_clause(literals(atoms));
    }
    for (const GuardedEdge& edge : lists.edges) {
      add_guarded(literals(edge.premises), edge);
    }
  }

  std::vector<Literal> literals(const std::vector<ListAtom>& atoms) {
    std::vector<Literal> all;
    for (const ListAtom atom : atoms) {
      const Literal literal = atom.kind == ListAtom::Kind::kStands
                                  ? Literal(stands_.at(atom.index), true)
                                  : took_effect(atom.index);
      all.push_back(atom.holds ? literal : ~literal);
    }
    return all;
  }

  void add_guarded(std::vector<Literal> premises, const GuardedEdge& edge) {
    if (premises.size() == 1) {
      bring(premises[0], edge.from, edge.to, edge.edge);
    } else if (premises.size() == 2) {
      bring(premises[0], premises[1], edge.from, edge.to, edge.edge);
    } else {
      for (const Literal premise : premises) {
        guards_of_[premise.code()].push_back(static_cast<std::uint32_t>(guards_.size()));
      }
      const auto missing = static_cast<std::uint32_t>(premises.size());
      guards_.push_back(
          {std::move(premises), missing, place(edge.from), place(edge.to), edge.edge});
    }
  }

  /// Two transactions cannot stand in one place.
  std::uint32_t occupy(Literal literal, std::vector<Literal>& conflict) {
    if (place_of_[literal.variable()] == kNone || !literal.holds()) {
      return kNoConflict;
    }
    const ListPlaces::Place& place = problem_.lists().places()[place_of_[literal.variable()]];
    for (std::uint32_t i = place.begin; i < place.end; ++i) {
      const auto [entry, is_free] =
          occupied_by_.emplace(std::uint64_t{place.line} << 32 | i, literal.variable());
      if (!is_free) {
        conflict = {~literal, Literal(entry->second, false)};
        return sat_.add_line(conflict);
      }
    }
    return kNoConflict;
  }

  void vacate(Literal literal) {
    if (place_of_[literal.variable()] == kNone || !literal.holds()) {
      return;
    }
    const ListPlaces::Place& place = problem_.lists().places()[place_of_[literal.variable()]];
    for (std::uint32_t i = place.begin; i < place.end; ++i) {
      const auto entry = occupied_by_.find(std::uint64_t{place.line} << 32 | i);
      if (entry != occupied_by_.end() && entry->second == literal.variable()) {
        occupied_by_.erase(entry);
      }
    }
  }

  void bring(Literal literal, std::uint32_t from, std::uint32_t to, OrderEdge edge) {
    consequences_[literal.code()].push_back({place(from), place(to), edge});
  }

  void bring(Literal literal, Literal partner, std::uint32_t from, std::uint32_t to,
             OrderEdge edge) {
    consequences_[literal.code()].push_back({place(from), place(to), edge, partner});
    consequences_[partner.code()].push_back({place(from), place(to), edge, literal});
  }

  /// Which of two writers of a common key comes first? The initial state does.
  void order_pair(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t first = a == kNobody ? a : std::min(a, b);
    const std::uint32_t second = a == kNobody ? b : std::max(a, b);
    if (!pairs_.insert(std::uint64_t{first} << 32 | second).second) {
      return;
    }
    const bool phase = first == kNobody || order_.position(place(events_.commit(first))) <
                                               order_.position(place(events_.commit(second)));
    const std::uint32_t variable =
        new_variable({.kind = Choice::Kind::kBefore, .first = {first}, .second = {second}}, phase);
    add_order(first, second, {variable, true});
    if (first == kNobody) {
      sat_.add_clause({{variable, true}});
    } else {
      add_order(second, first, {variable, false});
    }
  }

  /// The edges that hold if `a` comes before `b`.
  void add_order(std::uint32_t a, std::uint32_t b, Literal literal) {
    bool is_first_key = a != kNobody;
    for (const WriteRef w : problem_.writes_by(b)) {
      const KeyId key = problem_.write(w).key;
      const WriteRef overwritten = a == kNobody ? kInitialState : problem_.write_of(a, key);
      if (a != kNobody && overwritten == kInitialState) {
        continue;
      }
      if (std::exchange(is_first_key, false)) {
        bring(literal, events_.commit(a), events_.barrier(b), {{a}, {b}, Relation::kWw, key});
      }
      add_overwritten(overwritten, key, a, b, literal);
    }
  }

  void add_overwritten(WriteRef overwritten, KeyId key, std::uint32_t a, std::uint32_t b,
                       Literal literal) {
    const auto edge = [&](std::uint32_t reader) {
      return OrderEdge{{reader}, {b}, Relation::kRw, key, {a}};
    };
    for (const std::uint32_t r : readers_.of(overwritten, key)) {
      const ExternalRead& read = problem_.reads()[r];
      if (read.txn != b && is_inside(events_.read_event(read))) {
        bring(literal, events_.read_event(read), events_.commit(b), edge(read.txn));
      }
    }
    const auto open = selectors_.find(name_of(overwritten, key));
    if (open != selectors_.end()) {
      for (const Selector& selector : open->second) {
        const ExternalRead& read = problem_.reads()[selector.read];
        if (read.txn != b) {
          bring(literal, selector.literal, events_.read_event(read), events_.commit(b),
                edge(read.txn));
        }
      }
    }
  }

  /// The shortest cycle through the edge, in choices, as a clause.
  std::uint32_t explain_cycle(const Consequence& edge, const Brought& brought,
                              std::vector<Literal>& conflict) {
    const auto first_brought = static_cast<std::uint32_t>(core_.edges.size());
    const std::vector<std::uint32_t> path =
        order_.cheapest_path(edge.to, edge.from, [&](std::uint32_t e) {
          if (e < first_brought) {
            return false;
          }
          return std::ranges::any_of(premises(brought_[e - first_brought]), [this](Literal l) {
            return !sat_.is_permanent(l.variable());
          });
        });
    std::vector<CoreEdge> cycle = {{.chosen = brought.edge}};
    conflict.clear();
    const auto add_premises = [&](const Brought& of) {
      for (const Literal premise : premises(of)) {
        conflict.push_back(~premise);
      }
    };
    add_premises(brought);
    for (const std::uint32_t e : path) {
      if (e < first_brought) {
        cycle.push_back({.number = core_.edges[e]});
        continue;
      }
      const Brought& other = brought_[e - first_brought];
      cycle.push_back({.chosen = other.edge});
      add_premises(other);
    }
    std::sort(conflict.begin(), conflict.end(),
              [](Literal a, Literal b) { return a.code() < b.code(); });
    conflict.erase(std::unique(conflict.begin(), conflict.end()), conflict.end());
    const std::uint32_t line = sat_.add_line(conflict);
    cycles_.emplace(line, std::move(cycle));
    return line;
  }

  [[nodiscard]] std::span<const Literal> premises(const Brought& brought) const {
    return brought.guard != kNone ? std::span<const Literal>(guards_[brought.guard].premises)
                                  : std::span<const Literal>(brought.premises);
  }

  [[nodiscard]] bool takes_part(std::uint32_t txn) const {
    if (problem_.is_certain(txn)) {
      return true;
    }
    const auto variable = took_effect_.find(txn);
    return variable != took_effect_.end() && sat_.is_true({variable->second, true});
  }

  /// The write that the read saw, as chosen.
  [[nodiscard]] WriteRef chosen_writer(std::uint32_t r) const {
    const WriteRef settled = problem_.writer_of(r);
    if (settled != kOpenWriter) {
      return settled;
    }
    for (const Selector& selector : selectors_of_read_.at(r)) {
      if (sat_.is_true(selector.literal)) {
        return selector.writer;
      }
    }
    return kOpenWriter;
  }

  [[nodiscard]] std::vector<std::uint32_t> vertices_in_order() const {
    std::vector<std::uint32_t> vertices;
    vertices.reserve(core_.vertices.size());
    for (const std::uint32_t place : order_.order()) {
      vertices.push_back(core_.vertices[place]);
    }
    return vertices;
  }

  /// Writers outside the core have their place already.
  [[nodiscard]] bool may_swap(WriteRef writer) const {
    return writer == kInitialState ||
           (writer != kOpenWriter && is_inside(events_.commit(problem_.write(writer).txn)));
  }

  void note_choices() {
    for (const std::uint32_t r : open_reads_) {
      if (takes_part(problem_.reads()[r].txn)) {
        result_.reads.push_back({{problem_.reads()[r].txn},
                                 problem_.reads()[r].key,
                                 problem_.writer_id(chosen_writer(r))});
      }
    }
    for (const auto& [txn, variable] : took_effect_) {
      if (sat_.is_true({variable, true})) {
        result_.took_effect.push_back(txn);
      }
    }
    std::sort(result_.took_effect.begin(), result_.took_effect.end());
  }

  /// The clause in words; nothing if it says that the initial state comes first.
  [[nodiscard]] std::optional<std::vector<Choice>> to_choices(
      std::span<const Literal> clause) const {
    std::vector<Choice> choices;
    for (const Literal literal : clause) {
      Choice choice = choices_[literal.variable()];
      if (choice.kind != Choice::Kind::kBefore) {
        choice.holds = literal.holds();
      } else if (choice.first.is_none()) {
        if (literal.holds()) {
          return std::nullopt;
        }
        continue;
      } else if (!literal.holds()) {
        std::swap(choice.first, choice.second);
      }
      choices.push_back(choice);
    }
    return choices;
  }

  void write_refutation() {
    for (const std::uint32_t line : sat_.needed_lines()) {
      if (auto clause = to_choices(sat_.proof()[line].clause)) {
        const auto cycle = cycles_.find(line);
        result_.refutation.push_back(
            {std::move(*clause), cycle == cycles_.end() ? std::vector<CoreEdge>() : cycle->second});
      }
    }
  }

  const OrderProblem& problem_;
  const OrderGraph& graph_;
  const EventMap& events_;
  const SettledReaders& readers_;
  const Saturation* saturation_;
  const Cores& cores_;
  std::uint32_t number_;
  const Core& core_;
  IncrementalOrder order_;
  SatSolver sat_;
  std::vector<std::uint32_t> open_reads_;
  std::unordered_map<std::uint64_t, std::vector<Selector>> selectors_;  // by writer
  std::unordered_map<std::uint32_t, std::vector<Selector>> selectors_of_read_;
  std::unordered_map<std::uint32_t, std::uint32_t> took_effect_;  // variables
  std::unordered_set<std::uint64_t> pairs_;
  std::vector<Choice> choices_;                         // by variable
  std::vector<std::vector<Consequence>> consequences_;  // by literal
  std::vector<bool> is_told_;                           // by literal
  std::vector<Guard> guards_;
  std::vector<std::vector<std::uint32_t>> guards_of_;             // by literal
  std::vector<std::uint32_t> place_of_;                           // by variable
  std::vector<std::uint32_t> read_of_;                            // by variable
  std::unordered_map<std::uint32_t, std::uint32_t> stands_;       // variables by place
  std::unordered_map<std::uint64_t, std::uint32_t> occupied_by_;  // by line and position
  std::vector<Brought> brought_;
  std::vector<std::size_t> brought_before_;                          // by literal told
  std::unordered_map<std::uint32_t, std::vector<CoreEdge>> cycles_;  // by proof line
  bool is_stuck_ = false;
  std::uint64_t replayed_ = 0;  // events
  CoreResult result_;
};

}  // namespace

CoreResult search_core(const OrderProblem& problem, const OrderGraph& graph,
                       const SettledReaders& readers, const Saturation* saturation,
                       const Cores& cores, std::uint32_t core, std::uint64_t work,
                       const std::function<bool()>& keep_going) {
  return CoreSearch(problem, graph, readers, saturation, cores, core).run(work, keep_going);
}

}  // namespace elapid
