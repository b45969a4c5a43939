#include "engine/solve/saturation.h"

#include <limits>
#include <utility>

namespace elapid {

namespace {

constexpr std::uint32_t kNoTxn = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Saturation::Saturation(OrderProblem& problem, OrderGraph& graph, Chains chains)
    : problem_(problem),
      graph_(graph),
      clocks_(std::move(chains)),
      writers_(problem, graph.events(), clocks_.chains()),
      is_open_(problem.reads().size(), false) {
  for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
    if (problem.is_certain(problem.reads()[r].txn) && problem.reads()[r].count != 1) {
      open(r);
    }
  }
}

/// Marks a read as open: the next pass looks for its writer. Until then nothing follows from it.
void Saturation::open(std::uint32_t read) {
  open_reads_.push_back(read);
  is_open_[read] = true;
}

Saturation::Outcome Saturation::run(std::uint64_t& work, const std::function<bool()>& keep_going) {
  keep_going_ = &keep_going;
  work_ = work;
  std::size_t edges = 0;
  while (edges != graph_.edges().size() || everything_changed_) {
    edges = graph_.edges().size();
    if (const Outcome outcome = renew_order(keep_going); outcome != Outcome::kFixpoint) {
      return outcome;
    }
    apply_rules();
    if (is_contradictory_ && !is_stopped_) {
      return Outcome::kNoWriter;
    }
    if (problem_.lists().is_contradictory() && !is_stopped_) {
      return Outcome::kNoPlace;
    }
    looked_at_ += graph_.edges().size();
    if (is_stopped_ || looked_at_ > work || (keep_going && !keep_going())) {
      work = 0;
      return Outcome::kOutOfWork;
    }
    work -= std::exchange(looked_at_, 0);
    work_ = work;
  }
  return Outcome::kFixpoint;
}

/// Brings the order and the clocks up to date, unless there is a cycle.
Saturation::Outcome Saturation::renew_order(const std::function<bool()>& keep_going) {
  successors_ = graph_.successors();
  std::vector<std::uint32_t> order = topological_order(successors_);
  if (order.size() < graph_.vertex_count()) {
    return Outcome::kCycle;
  }
  order_ = std::move(order);
  return clocks_.update(successors_, order_, keep_going) ? Outcome::kFixpoint : Outcome::kOutOfWork;
}

/// Counts steps and asks `keep_going` now and then. Once the answer is no, or the work is spent,
/// the pass stops, and its findings are dropped.
bool Saturation::goes_on(std::size_t steps) {
  constexpr std::size_t kStepsBetweenQuestions = std::size_t{1} << 18;
  looked_at_ += steps;
  steps_since_asked_ += steps;
  is_stopped_ = is_stopped_ || looked_at_ > work_;
  if (!is_stopped_ && steps_since_asked_ >= kStepsBetweenQuestions) {
    steps_since_asked_ = 0;
    is_stopped_ = *keep_going_ && !(*keep_going_)();
  }
  return !is_stopped_;
}

void Saturation::apply_rules() {
  const bool all = std::exchange(everything_changed_, false);
  std::vector<std::uint32_t> fresh = std::exchange(fresh_reads_, {});
  const std::vector<std::uint32_t> to_narrow = std::exchange(open_reads_, {});
  for (const std::uint32_t r : to_narrow) {
    if (!goes_on(1)) {
      return;
    }
    narrow(r);
  }
  narrow_lists();
  for (std::uint32_t r = 0; r < problem_.reads().size(); ++r) {
    if (!goes_on(1)) {
      return;
    }
    if (all || may_have_changed(r)) {
      saturate_read(r);
    }
  }
  for (const std::uint32_t r : fresh) {
    saturate_read(r);
  }
  for (WriteRef w = 0; w < problem_.writes().size() && graph_.events().any_excludes_overlap();
       ++w) {
    const std::uint32_t txn = problem_.write(w).txn;
    if (!goes_on(1)) {
      return;
    }
    if (problem_.is_certain(txn) && (all || clocks_.changed_after(graph_.events().barrier(txn)))) {
      separate_writers(w);
    }
  }
}

bool Saturation::may_have_changed(std::uint32_t read) const {
  const WriteRef writer = problem_.writer_of(read);
  if (writer == kOpenWriter || is_open_[read]) {
    return false;
  }
  const EventMap& events = graph_.events();
  return clocks_.changed_before(events.read_event(problem_.reads()[read])) ||
         (writer != kInitialState &&
          clocks_.changed_after(events.barrier(problem_.write(writer).txn)));
}

void Saturation::saturate_read(std::uint32_t read) {
  const WriteRef writer = problem_.writer_of(read);
  if (writer == kOpenWriter || is_open_[read]) {
    return;
  }
  if (writer != kInitialState) {
    order_visible(read, problem_.write(writer).txn);
  }
  order_later(read, writer);
}

/// The last certain writer of the group that committed before `event`, except the reader. None if
/// that is the writer whose version the reader saw.
const KeyWriters::Entry* Saturation::last_visible(const KeyWriters::Group& group,
                                                  std::uint32_t event, std::uint32_t reader,
                                                  std::uint32_t writer) const {
  const std::uint32_t end = writers_.end_below(group, clocks_.before(event)[group.chain]);
  for (std::uint32_t i = end; i-- > group.begin;) {
    const KeyWriters::Entry& entry = writers_.entry(i);
    if (entry.txn == writer) {
      return nullptr;  // earlier writers of the chain precede it
    }
    if (entry.txn != reader && problem_.is_certain(entry.txn)) {
      return &entry;
    }
  }
  return nullptr;
}

void Saturation::order_visible(std::uint32_t read, std::uint32_t writer) {
  const ExternalRead& r = problem_.reads()[read];
  const EventMap& events = graph_.events();
  const std::uint32_t event = events.read_event(r);
  const std::uint32_t barrier = events.barrier(writer);
  steps_since_asked_ += writers_.groups(r.key).size();
  for (const KeyWriters::Group& group : writers_.groups(r.key)) {
    ++looked_at_;
    const KeyWriters::Entry* other = last_visible(group, event, r.txn, writer);
    if (other != nullptr && clocks_.before(barrier)[group.chain] <= other->position) {
      derive({events.commit(other->txn), barrier, EdgeReason::kVisible, read});
    }
  }
}

/// Puts writers that need not have taken effect last: no read saw them. What precedes them if they
/// took effect may precede them in any case.
void Saturation::order_later(std::uint32_t read, WriteRef writer) {
  const ExternalRead& r = problem_.reads()[read];
  const EventMap& events = graph_.events();
  const std::uint32_t event = events.read_event(r);
  const bool is_initial = writer == kInitialState;
  const std::uint32_t writer_txn = is_initial ? r.txn : problem_.write(writer).txn;
  for (const KeyWriters::Group& group : writers_.groups(r.key)) {
    const std::uint32_t first =
        is_initial
            ? group.begin
            : writers_.end_below(group, clocks_.after(events.barrier(writer_txn))[group.chain]);
    add_first(group, first, writer_txn, r.txn, {event, event, EdgeReason::kOverwritten, read});
  }
}

/// Writers of a key that cannot commit before `write` starts come after it.
void Saturation::separate_writers(WriteRef write) {
  const FinalWrite& w = problem_.write(write);
  const EventMap& events = graph_.events();
  const std::uint32_t commit = events.commit(w.txn);
  for (const KeyWriters::Group& group : writers_.groups(w.key)) {
    const std::uint32_t first =
        writers_.end_below(group, clocks_.after(events.barrier(w.txn))[group.chain]);
    add_first(group, first, w.txn, w.txn, {commit, commit, EdgeReason::kNoOverlap, w.key.value});
  }
}

/// Adds the edge from its source to the first certain writer of the group from `first` on, and to
/// uncertain ones before that. Skips `writer` and `reader`.
void Saturation::add_first(const KeyWriters::Group& group, std::uint32_t first,
                           std::uint32_t writer, std::uint32_t reader, EventEdge edge) {
  const EventMap& events = graph_.events();
  ++looked_at_;
  for (std::uint32_t i = first; i < group.end; ++i) {
    const KeyWriters::Entry& entry = writers_.entry(i);
    if (entry.txn == writer || entry.txn == reader) {
      continue;
    }
    const bool is_ww = edge.reason() == EdgeReason::kNoOverlap;
    // Within a chain, an edge to one writer implies edges to the later ones. So only the first
    // commit matters.
    const bool is_implied = is_ww ? clocks_.reaches(edge.from(), events.barrier(entry.txn))
                                  : clocks_.after(edge.from())[group.chain] <= entry.position;
    if (!is_implied) {
      derive({edge.from(), is_ww ? events.barrier(entry.txn) : events.commit(entry.txn),
              edge.reason(), edge.detail()});
    }
    if (problem_.is_certain(entry.txn)) {
      break;
    }
  }
}

/// Excludes candidates that the read cannot have seen.
void Saturation::narrow(std::uint32_t read) {
  is_open_[read] = false;
  const std::vector<WriteRef> candidates(problem_.candidates(read).begin(),
                                         problem_.candidates(read).end());
  const std::size_t groups = writers_.groups(problem_.reads()[read].key).size();
  for (const WriteRef candidate : candidates) {
    if (!goes_on(groups + 1)) {
      return;
    }
    Exclusion why = {.read = read,
                     .candidate = candidate,
                     .edge_count = static_cast<std::uint32_t>(graph_.edges().size())};
    if (excludes(read, candidate, why)) {
      exclusions_.push_back(why);
      problem_.exclude(read, candidate);
    }
  }
  settle(read);
}

bool Saturation::excludes(std::uint32_t read, WriteRef candidate, Exclusion& why) const {
  const ExternalRead& r = problem_.reads()[read];
  const EventMap& events = graph_.events();
  const std::uint32_t event = events.read_event(r);
  const bool is_initial = candidate == kInitialState;
  const std::uint32_t writer = is_initial ? kNoTxn : problem_.write(candidate).txn;
  if (!is_initial && clocks_.reaches(event, events.commit(writer))) {
    return true;
  }
  for (const KeyWriters::Group& group : writers_.groups(r.key)) {
    const KeyWriters::Entry* visible = last_visible(group, event, r.txn, writer);
    if (visible != nullptr &&
        (is_initial || clocks_.after(events.barrier(writer))[group.chain] <= visible->position)) {
      why.between = visible->txn;
      return true;
    }
  }
  return false;
}

void Saturation::settle(std::uint32_t read) {
  const ExternalRead& r = problem_.reads()[read];
  if (r.count > 1) {
    open(read);
    return;
  }
  if (r.count == 0) {
    contradiction_ = read;
    is_contradictory_ = true;
    return;
  }
  const WriteRef writer = problem_.candidates(read).front();
  if (writer != kInitialState) {
    const std::uint32_t txn = problem_.write(writer).txn;
    if (!problem_.is_certain(txn)) {
      problem_.make_certain(txn, read);
      take_part(txn);
    }
    const std::size_t known = graph_.edges().size();
    graph_.add_read_from(problem_, read);
    note_edges(known);
  }
  fresh_reads_.push_back(read);
  everything_changed_ = everything_changed_ || writer == kInitialState;
}

/// Notes that an indeterminate transaction took effect.
void Saturation::take_part(std::uint32_t txn) {
  everything_changed_ = true;
  problem_.lists().note_certain(txn);
  for (std::uint32_t i = problem_.first_read(txn); i < problem_.first_read(txn + 1); ++i) {
    open(i);
  }
}

/// Excludes places in lists, and follows the consequences.
void Saturation::narrow_lists() {
  ListPlaces& lists = problem_.lists();
  for (std::uint32_t p = 0; p < lists.places().size() && !lists.is_contradictory(); ++p) {
    if (lists.places()[p].state == ListPlaces::State::kOpen) {
      narrow_place(p);
    }
  }
  for (std::size_t i = stands_seen_; i < lists.settled().size(); ++i) {
    const ListPlaces::Stand& stand = lists.stands()[lists.settled()[i]];
    if (!problem_.is_certain(stand.txn)) {
      problem_.make_certain(stand.txn, lists.lines()[stand.line].key);
      take_part(stand.txn);
    }
  }
  stands_seen_ = lists.settled().size();
  const std::size_t known = graph_.edges().size();
  graph_.follow_lists(problem_);
  note_edges(known);
}

/// Notes the edges from number `first` on.
void Saturation::note_edges(std::size_t first) {
  for (std::size_t e = first; e < graph_.edges().size(); ++e) {
    clocks_.note(graph_.edges()[e].from(), graph_.edges()[e].to());
  }
}

void Saturation::narrow_place(std::uint32_t place) {
  ++looked_at_;
  const ListPlaces& lists = problem_.lists();
  const ListPlaces::Place& p = lists.places()[place];
  const EventMap& events = graph_.events();
  const std::uint32_t commit = events.commit(p.txn);
  const std::uint32_t begin = graph_.vertex_of_version(lists.version(p.line, p.begin));
  const std::uint32_t unread = graph_.vertex_of_version(lists.unread(p.line, p.begin));
  const std::uint32_t end = graph_.vertex_of_version(lists.version(p.line, p.end));
  Misplacement why = {.place = place,
                      .edge_count = static_cast<std::uint32_t>(graph_.edges().size())};
  if (clocks_.reaches(end, commit)) {
    why.version_vertex = end;
    why.is_from_version = true;
  } else if (clocks_.reaches(events.barrier(p.txn), begin)) {
    why.version_vertex = begin;
  } else if (clocks_.reaches(commit, unread)) {
    why.version_vertex = unread;
  } else {
    return;
  }
  misplacements_.push_back(why);
  problem_.lists().exclude(place);
}

void Saturation::derive(EventEdge edge) {
  clocks_.note(edge.from(), edge.to());
  graph_.add(edge);
}

}  // namespace elapid
