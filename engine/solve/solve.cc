#include "engine/solve/solve.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <span>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/ir/memory_account.h"
#include "engine/ir/thread.h"
#include "engine/levels/timeless.h"
#include "engine/solve/beginnings.h"
#include "engine/solve/core_search.h"
#include "engine/solve/cores.h"
#include "engine/solve/event_chains.h"
#include "engine/solve/excerpt.h"
#include "engine/solve/initial_readers.h"
#include "engine/solve/key_links.h"
#include "engine/solve/minimal_refutation.h"
#include "engine/solve/order_graph.h"
#include "engine/solve/order_inference.h"
#include "engine/solve/problem.h"
#include "engine/solve/refutation_writer.h"
#include "engine/solve/saturation.h"
#include "engine/solve/scheduler.h"
#include "engine/solve/settled_readers.h"
#include "engine/solve/solve_by_txn.h"
#include "engine/solve/version_draft.h"
#include "engine/solve/witness_writer.h"

namespace elapid {

namespace {

/// The least number of steps for each edge that inference in an order may take before reachability
/// is computed. Reachability takes as many steps for each edge as there are chains.
constexpr std::uint64_t kStepsAnEdgeInOrder = 32;

/// A draft is repaired if less than one event in so many is on a circle.
constexpr std::size_t kFewOnCircles = 8;

/// In graphs with more vertices, the quickest refutation is taken, even if a shorter one may exist:
/// a ring of initial readers, or the first cycle of inferred edges.
constexpr std::uint32_t kManyVertices = 1'000;
/// The same for lists with more chains than these, which have no sessions.
constexpr std::uint32_t kManyChains = 256;
/// The work of a search for a shorter refutation than such a ring.
constexpr std::uint64_t kWorkBesideRing = 100'000;

/// The last beginning of histories of lists, and the work in each beginning, as SolveOptions::work.
constexpr std::uint32_t kLastBeginningOfLists = 1'024;
constexpr std::uint64_t kWorkOfBeginning = 1'000'000;

/// Decides one level of one history, with the cheapest method first.
class Solver {
 public:
  Solver(const History& history, const SolveOptions& options)
      : Solver(history, options, options.level) {}

  /// As above, with a level for each transaction in place of the level of `options`.
  Solver(const History& history, const SolveOptions& options, const TxnLevels& levels)
      : options_(options),
        problem_(history, options.assumptions, options.keep_going),
        graph_(problem_, levels),
        work_(options.work) {}

  /// Call it before run().
  void add(const GivenOrder& order) {
    const EventMap& events = graph_.events();
    const std::uint32_t commit = events.commit(order.before.value);
    if (order.key.is_none()) {
      graph_.add({commit, events.start(order.after.value), EdgeReason::kSession});
    } else {
      graph_.add(
          {commit, events.barrier(order.after.value), EdgeReason::kListOrder, order.key.value});
    }
  }

  SolveResult run() {
    if (!problem_.anomalies().empty()) {
      result_.validity = Validity::kInvalid;
      result_.anomalies = problem_.anomalies();
    } else if (!problem_.unclear().empty()) {
      result_.unknown_because = problem_.unclear();
      result_.is_out_of_budget = problem_.lists().was_stopped();
    } else if (!problem_.contradiction().empty()) {
      result_.validity = Validity::kInvalid;
      result_.refutation = Refutation{{ProofStep{}}};  // reads alone refute it
    } else {
      decide();
    }
    return std::move(result_);
  }

  /// The result if a drafted order, perhaps repaired, explains every read; else nothing. Linear,
  /// but for the repair, whose work is bounded by a number of steps an edge.
  std::optional<SolveResult> run_draft() {
    if (!problem_.anomalies().empty() || !problem_.unclear().empty() ||
        !problem_.contradiction().empty()) {
      return std::nullopt;
    }
    const std::vector<std::uint32_t> order = topological_order(graph_.successors());
    if (order.size() < graph_.vertex_count() || !accept_draft(order)) {
      return std::nullopt;
    }
    return std::move(result_);
  }

  /// As run(), with a proof that is as small as possible.
  SolveResult run_to_the_point() {
    SolveResult result = run();
    if (result.refutation && options_.minimal && problem_.contradiction().empty()) {
      minimize_refutation(problem_, options_, solve_any_way, result);
    }
    return result;
  }

  /// Whether the refutation of a stronger level also refutes this level. Then `result` says so.
  bool refute_alike(SolveResult& result) {
    return result.refutation && problem_.contradiction().empty() &&
           minimize_refutation(problem_, options_, solve_any_way, result);
  }

 private:
  void decide() {
    std::vector<std::uint32_t> order = topological_order(graph_.successors());
    if (order.size() < graph_.vertex_count()) {
      refute_by_cycle(nullptr);
    } else if (accept_draft(order) ||
               (graph_.vertex_count() > kManyVertices && refute_by_ring(find_ring())) ||
               accept(schedule(problem_, graph_, order, options_.keep_going)) || gives_up() ||
               refute_weaker() || gives_up() || refute_beginning(order) || gives_up()) {
      return;
    } else if (auto chains = chains_of_events(problem_, graph_, order, options_.reachability)) {
      if (!settle_in_order(order, chains->count) && !gives_up()) {
        saturate(std::move(*chains));
      }
    } else {
      search_in_order(order);
    }
  }

  bool accept_draft(std::span<const std::uint32_t> order) {
    const auto is_accepted = [&](LateOnes late) {
      draft_ = draft_order(problem_, graph_, order, late);
      return draft_ && draft_->serves_all && accept(certain_events(draft_->order));
    };
    return is_accepted(LateOnes::kTookEffectLate) ||
           (draft_ && has_late_ones(problem_.history()) &&
            is_accepted(LateOnes::kTookEffectSoon)) ||
           repair_draft();
  }

  /// If few events of the draft are on circles, a search for the places of those writers alone ends
  /// soon. It tries only orders that keep what the draft supposes of other versions, so it refutes
  /// nothing.
  bool repair_draft() {
    if (!draft_ || draft_->on_circles * kFewOnCircles > graph_.vertex_count() || !tells_writers() ||
        is_out_of_time()) {
      return false;
    }
    const std::size_t known = graph_.edges().size();
    std::uint64_t work = std::min(work_, kStepsAnEdgeInOrder * known);
    for (const auto& [from, to] : draft_->likely) {
      graph_.add({from, to, EdgeReason::kOwn});
    }
    const bool is_repaired = search_from(draft_->order, work);
    graph_.keep(known);
    return is_repaired;
  }

  /// Whether a search that begins with this order, a topological one of the graph, finds a valid
  /// one. Edges that were inferred stay.
  bool search_from(std::span<const std::uint32_t> first, std::uint64_t& work) {
    const std::size_t known = graph_.edges().size();
    std::optional<std::vector<std::uint32_t>> order =
        infer_in_order(problem_, graph_, first, work, options_.keep_going);
    if (!order) {
      return false;
    }
    const Cores cores = single_core(graph_, *std::move(order));
    const CoreResult found = search_core(problem_, graph_, SettledReaders(problem_), nullptr, cores,
                                         0, work, options_.keep_going);
    if (found.validity == Validity::kValid) {
      result_.statistics.saturated_edges = graph_.edges().size() - known;
      tally(found);
      assemble({&found, 1}, nullptr);
    }
    return found.validity == Validity::kValid;
  }

  /// The events of certain transactions, in this order.
  [[nodiscard]] std::vector<std::uint32_t> certain_events(
      std::span<const std::uint32_t> order) const {
    std::vector<std::uint32_t> events;
    std::ranges::copy_if(order, std::back_inserter(events), [this](std::uint32_t v) {
      return graph_.events().is_of_txn(v) && problem_.is_certain(graph_.events().txn(v));
    });
    return events;
  }

  /// Whether the budget is used up. Then the result says so.
  bool gives_up() {
    if (is_out_of_time()) {
      result_.is_out_of_budget = true;
      result_.unknown_because = "the budget was reached before edges were inferred";
    }
    return result_.is_out_of_budget;
  }

  /// Whether a weaker level is refuted, and so this one.
  bool refute_weaker() {
    if (options_.refute_weaker) {
      result_.refutation = options_.refute_weaker(problem_.history(), options_);
    }
    if (!result_.refutation) {
      return false;
    }
    result_.validity = Validity::kInvalid;
    result_.ends_with_cycle = !result_.refutation->steps.back().cycle.empty();
    return true;
  }

  /// Whether the first transactions alone violate the level. Many violations are local, and a
  /// search among few transactions takes milliseconds, where reachability among all takes seconds.
  bool refute_beginning(std::span<const std::uint32_t> order) {
    if (graph_.vertex_count() <= kManyVertices || !graph_.events().is_uniform()) {
      return false;
    }
    const std::vector<TxnId> txns = txns_by_first_event(draft_ ? draft_->order : order);
    const std::uint32_t last =
        problem_.history().has_lists() ? kLastBeginningOfLists : kLastBeginning;
    for (std::size_t size = kFirstBeginning;
         size <= last && 2 * size <= txns.size() && !is_out_of_time(); size *= 4) {
      std::vector<TxnId> first(txns.begin(), txns.begin() + static_cast<std::ptrdiff_t>(size));
      std::ranges::sort(first);
      if (refute_excerpt({problem_, options_.level, options_.assumptions, first})) {
        return true;
      }
    }
    return false;
  }

  bool refute_excerpt(const Excerpts& excerpts) {
    SolveResult found = solve_excerpt(excerpts, excerpts.whole(), options_,
                                      std::min(work_, kWorkOfBeginning), solve_any_way);
    if (!found.refutation) {
      return false;
    }
    result_.validity = Validity::kInvalid;
    result_.ends_with_cycle = found.ends_with_cycle;
    result_.refutation = std::move(found.refutation);
    return true;
  }

  [[nodiscard]] std::vector<TxnId> txns_by_first_event(std::span<const std::uint32_t> order) const {
    std::vector<TxnId> txns;
    std::vector<bool> is_there(problem_.history().txn_count(), false);
    for (const std::uint32_t event : certain_events(order)) {
      const std::uint32_t txn = graph_.events().txn(event);
      if (!is_there[txn]) {
        is_there[txn] = true;
        txns.push_back({txn});
      }
    }
    return txns;
  }

  bool accept(const std::optional<std::vector<std::uint32_t>>& order) {
    if (!order || !respects_links(problem_, graph_.events(), *order)) {
      return false;
    }
    result_.validity = Validity::kValid;
    result_.witness = write_witness(problem_, graph_.events(), *order);
    return true;
  }

  /// Tries one order before reachability, which costs much: if every read tells its writer, most
  /// inferred edges agree with any good order. Returns whether the order is valid or the inferred
  /// edges form a cycle. Otherwise nothing is changed.
  bool settle_in_order(std::span<const std::uint32_t> first_order, std::uint32_t chains) {
    if (!tells_writers() || is_out_of_time()) {
      return false;
    }
    const std::size_t known = graph_.edges().size();
    std::uint64_t work = std::min(work_, (kStepsAnEdgeInOrder + chains) * known);
    if (search_from(by_depth(first_order), work)) {
      return true;
    }
    if (may_take_any_cycle(chains) && is_cyclic()) {
      result_.statistics.saturated_edges = graph_.edges().size() - known;
      refute_by_cycle(nullptr);
      return true;
    }
    graph_.keep(known);
    return false;
  }

  /// An order by depth needs fewer moves than the first order.
  [[nodiscard]] std::vector<std::uint32_t> by_depth(std::span<const std::uint32_t> first) const {
    return order_by_depth(graph_.successors(), {first.begin(), first.end()});
  }

  /// Without reachability no other method is left, so inferred edges stay.
  void search_in_order(const std::vector<std::uint32_t>& first_order) {
    result_.lacks_reachability = true;
    std::optional<std::vector<std::uint32_t>> order;
    if (has_only_writers()) {
      std::uint64_t work = work_;
      order = infer_in_order(problem_, graph_, by_depth(first_order), work, options_.keep_going);
      if (!order && is_cyclic()) {
        refute_by_cycle(nullptr);
        return;
      }
    }
    search(single_core(graph_, order ? std::move(*order) : topological_order(graph_.successors())),
           SettledReaders(problem_), nullptr);
  }

  [[nodiscard]] bool is_out_of_time() const {
    return options_.keep_going && !options_.keep_going();
  }

  /// Whether reachability would cost more than a shorter proof is worth. In lists, the first cycle
  /// of inferred edges may need a proof several times as long.
  [[nodiscard]] bool may_take_any_cycle(std::uint32_t chains) const {
    return graph_.vertex_count() > kManyVertices &&
           (!problem_.history().has_lists() || chains > kManyChains);
  }

  [[nodiscard]] bool is_cyclic() const {
    return topological_order(graph_.successors()).size() < graph_.vertex_count();
  }

  /// Whether only the order of writers of registers is open.
  [[nodiscard]] bool has_only_writers() const {
    return problem_.lists().empty() && problem_.key_links().empty();
  }

  /// Whether the writer of each certain read is known, and only the order of writers is open.
  [[nodiscard]] bool tells_writers() const {
    if (!has_only_writers()) {
      return false;
    }
    for (std::uint32_t r = 0; r < problem_.reads().size(); ++r) {
      if (problem_.is_certain(problem_.reads()[r].txn) && problem_.writer_of(r) == kOpenWriter) {
        return false;
      }
    }
    return true;
  }

  void saturate(Chains chains) {
    const std::size_t known = graph_.edges().size();
    Saturation saturation(problem_, graph_, std::move(chains));
    const Saturation::Outcome outcome = saturation.run(work_, options_.keep_going);
    result_.statistics.saturated_edges = graph_.edges().size() - known;
    switch (outcome) {
      case Saturation::Outcome::kCycle:
        refute_by_cycle(&saturation);
        break;
      case Saturation::Outcome::kNoWriter:
        result_.validity = Validity::kInvalid;
        result_.refutation = RefutationWriter(problem_, graph_, &saturation)
                                 .refute_by_read(saturation.contradiction());
        break;
      case Saturation::Outcome::kNoPlace:
        result_.validity = Validity::kInvalid;
        result_.refutation = RefutationWriter(problem_, graph_, &saturation)
                                 .refute_by_list(problem_.lists().contradiction());
        break;
      case Saturation::Outcome::kOutOfWork:
        result_.unknown_because = "the budget was reached while edges were inferred";
        result_.is_out_of_budget = true;
        break;
      case Saturation::Outcome::kFixpoint:
        if (!accept(schedule(problem_, graph_, saturation.order(), options_.keep_going))) {
          const SettledReaders readers(problem_);
          search(find_cores(problem_, graph_, readers, saturation), readers, &saturation);
        }
        break;
    }
  }

  void refute_by_cycle(const Saturation* saturation) {
    RefutationWriter writer(problem_, graph_, saturation);
    const std::vector<std::uint32_t> cycle = writer.find_cycle();
    result_.validity = Validity::kInvalid;
    result_.ends_with_cycle = !writer.transactions_of(cycle).empty();
    result_.refutation = writer.refute_by_cycle(cycle);
  }

  /// A ring of writers that read initial values, if there is one. A quick search may find a better
  /// proof; a slow search would not end.
  [[nodiscard]] std::vector<OrderEdge> find_ring() const {
    return graph_.events().any_excludes_overlap() && graph_.events().is_uniform()
               ? ring_of_initial_readers(problem_, graph_.events())
               : std::vector<OrderEdge>();
  }

  bool refute_by_ring(std::vector<OrderEdge> ring) {
    if (ring.empty()) {
      return false;
    }
    result_.validity = Validity::kInvalid;
    result_.ends_with_cycle = true;
    result_.refutation = Refutation{{ProofStep{.clause = {}, .cycle = std::move(ring)}}};
    return true;
  }

  void tally(const CoreResult& core) {
    ++result_.statistics.components;
    result_.statistics.choices += core.choices;
    result_.statistics.settled_choices += core.settled_choices;
    result_.statistics.conflicts += core.conflicts;
    result_.statistics.settled_components += core.validity != Validity::kUnknown ? 1U : 0U;
  }

  void search(const Cores& cores, const SettledReaders& readers, const Saturation* saturation) {
    std::vector<OrderEdge> ring = find_ring();
    const std::uint64_t work = ring.empty() ? work_ : std::min(work_, kWorkBesideRing);
    const std::vector<CoreResult> found = search_all(cores, readers, saturation, work);
    const CoreResult* refuted = nullptr;
    for (const CoreResult& core : found) {
      tally(core);
      if (core.validity == Validity::kInvalid && refuted == nullptr) {
        refuted = &core;
      }
    }
    if (refuted != nullptr) {
      refute(cores, static_cast<std::uint32_t>(refuted - found.data()), *refuted, saturation);
    } else if (refute_by_ring(std::move(ring))) {
      return;
    } else if (result_.statistics.settled_components < found.size()) {
      result_.is_out_of_budget = true;
      result_.unknown_because =
          "the budget was reached: " + std::to_string(result_.statistics.settled_choices) + " of " +
          std::to_string(result_.statistics.choices) + " choices and " +
          std::to_string(result_.statistics.settled_components) + " of " +
          std::to_string(found.size()) + " undecided components settled";
    } else {
      assemble(found, saturation);
    }
  }

  /// The components that are searched do not depend on the number of threads: all before the first
  /// that is refuted.
  std::vector<CoreResult> search_all(const Cores& cores, const SettledReaders& readers,
                                     const Saturation* saturation, std::uint64_t work_each) {
    const auto count = static_cast<std::uint32_t>(cores.cores.size());
    std::vector<CoreResult> found(count);
    std::atomic<std::uint32_t> next{0};
    std::atomic<std::uint32_t> first_refuted{count};
    const auto work = [&] {
      for (std::uint32_t i = next++; i < count; i = next++) {
        const auto go_on = [&] {
          return i < first_refuted && (!options_.keep_going || options_.keep_going());
        };
        if (!go_on()) {
          continue;
        }
        found[i] = search_core(problem_, graph_, readers, saturation, cores, i, work_each, go_on);
        std::uint32_t least = first_refuted;
        while (found[i].validity == Validity::kInvalid && i < least &&
               !first_refuted.compare_exchange_weak(least, i)) {
        }
      }
    };
    const std::uint64_t memory = MemoryLimit::of_thread();
    const auto work_or_fail = [&] {
      const MemoryLimit limit(memory);
      try {
        work();
      } catch (...) {  // for example, memory runs out
        first_refuted = 0;
        throw;
      }
    };
    std::vector<Thread> threads;
    for (std::size_t t = 1; t < std::min<std::size_t>(options_.threads, count); ++t) {
      threads.emplace_back(work_or_fail);
    }
    work_or_fail();
    std::ranges::for_each(threads, &Thread::join);
    return found;
  }

  void refute(const Cores& cores, std::uint32_t core, const CoreResult& found,
              const Saturation* saturation) {
    std::vector<std::uint32_t> open_reads;
    for (std::uint32_t r = 0; r < problem_.reads().size(); ++r) {
      if (problem_.writer_of(r) == kOpenWriter &&
          cores.core_of[graph_.events().read_event(problem_.reads()[r])] == core) {
        open_reads.push_back(r);
      }
    }
    result_.validity = Validity::kInvalid;
    result_.refutation =
        RefutationWriter(problem_, graph_, saturation).refute_by_search(found, open_reads);
  }

  /// Joins the orders of the components. The choices of each component bind the others.
  void assemble(std::span<const CoreResult> found, const Saturation* saturation) {
    OrderGraph joined = graph_;
    for (const CoreResult& core : found) {
      for (std::size_t i = 1; i < core.order.size(); ++i) {
        joined.add({core.order[i - 1], core.order[i], EdgeReason::kOwn});
      }
      for (const std::uint32_t txn : core.took_effect) {
        problem_.make_certain(txn);
      }
      for (const ReadFrom& read : core.reads) {
        add_chosen(read, saturation, joined);
      }
    }
    accept(certain_events(topological_order(joined.successors())));
  }

  /// The writer that the read saw commits before the reader starts. Writers after it commit after
  /// the reader starts, in other components too.
  void add_chosen(const ReadFrom& read, const Saturation* saturation, OrderGraph& joined) {
    const EventMap& events = graph_.events();
    const std::uint32_t start = events.start(read.reader.value);
    if (!read.writer.is_none()) {
      joined.add({events.commit(read.writer.value), start, EdgeReason::kReadFrom});
      for (const KeyLink& link : problem_.key_links()) {
        const bool binds = link.first == read.reader.value && link.key == read.key &&
                           !link.first_wrote && link.second_read;
        if (binds && link.second != read.writer.value) {
          joined.add(
              {events.commit(read.writer.value), events.start(link.second), EdgeReason::kKeyOrder});
        }
      }
    }
    if (saturation == nullptr) {
      return;
    }
    for (const KeyWriters::Group& group : saturation->writers().groups(read.key)) {
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        const std::uint32_t other = saturation->writers().entry(i).txn;
        if (other == read.reader.value || other == read.writer.value) {
          continue;
        }
        if (read.writer.is_none() ||
            saturation->clocks().reaches(events.barrier(read.writer.value), events.commit(other))) {
          joined.add({start, events.commit(other), EdgeReason::kOverwritten});
          break;
        }
      }
    }
  }

  static SolveResult solve_any_way(const History& history, const SolveOptions& options) {
    return Solver(history, options).run();
  }

  const SolveOptions& options_;
  OrderProblem problem_;
  OrderGraph graph_;
  std::uint64_t work_;
  std::optional<DraftedOrder> draft_;
  SolveResult result_;
};

SolveResult stopped() {
  return {.unknown_because = "the budget was reached before a search without session order",
          .is_out_of_budget = true};
}

/// A draft is cheap. With session order the search has fewer choices, and an order that is valid
/// with it is valid without it. Few violations need session order.
SolveResult solve_stronger_first(const History& history, const SolveOptions& options) {
  if (!options.level.sessions) {
    if (auto drafted = Solver(history, options).run_draft()) {
      return *std::move(drafted);
    }
    SolveOptions stronger = options;
    stronger.level.sessions = true;
    SolveResult result = Solver(history, stronger).run_to_the_point();
    const bool is_stopped = options.keep_going && !options.keep_going();
    if (result.validity == Validity::kValid || is_stopped) {
      return result.validity == Validity::kInvalid ? stopped() : result;
    }
    if (Solver(history, options).refute_alike(result)) {
      return result;
    }
    if (options.keep_going && !options.keep_going()) {
      return stopped();
    }
  }
  return Solver(history, options).run_to_the_point();
}

}  // namespace

SolveResult solve(const History& history, const SolveOptions& options) {
  return decide_in_time(history, options, [&](const SolveOptions& timed) {
    return solve_stronger_first(history, timed);
  });
}

SolveResult solve_by_txn(const History& history, const TxnLevels& levels,
                         std::span<const GivenOrder> orders, const SolveOptions& options) {
  Solver solver(history, options, levels);
  for (const GivenOrder& order : orders) {
    solver.add(order);
  }
  return solver.run();
}

}  // namespace elapid
