#include "engine/solve/core_search.h"

#include <utility>

#include "engine/solve/core_encoding.h"
#include "engine/solve/core_replay.h"
#include "engine/solve/core_theory.h"
#include "engine/solve/sat_solver.h"

namespace elapid {

namespace {

/// The edges of the core, between places in it.
std::vector<IncrementalOrder::Edge> permanent_edges(const OrderGraph& graph, const Cores& cores,
                                                    const Core& core) {
  std::vector<IncrementalOrder::Edge> edges;
  edges.reserve(core.edges.size());
  for (const std::uint32_t e : core.edges) {
    const EventEdge& edge = graph.edges()[e];
    edges.emplace_back(cores.place[edge.from()], cores.place[edge.to()]);
  }
  return edges;
}

/// Repeats three steps: the solver finds values for the choices made so far, the order that follows
/// is carried out, and each read that sees a wrong version adds choices.
class CoreSearch final : public Theory {
 public:
  CoreSearch(const OrderProblem& problem, const OrderGraph& graph, const SettledReaders& readers,
             const Saturation* saturation, const Cores& cores, std::uint32_t core)
      : problem_(problem),
        events_(graph.events()),
        core_(cores.cores[core]),
        sat_(*this),
        theory_(core_, permanent_edges(graph, cores, core_), problem.lists(), sat_),
        encoding_(problem, graph, readers, saturation, cores, core, theory_, sat_) {}

  CoreResult run(std::uint64_t work, const std::function<bool()>& keep_going) {
    std::uint64_t steps = 0;
    const auto answer = sat_.solve([&] {
      constexpr std::uint64_t kStepsBetweenQuestions = 256;
      return is_stuck_ || theory_.order().work() + replayed_ + ++steps > work ||
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
    return theory_.assign(literal, conflict);
  }

  void retract(Literal literal) override { theory_.retract(literal); }

  Literal prefer(Literal usual) override { return encoding_.prefer(usual); }

  /// Carries out the order. If a read sees a wrong version, or writers overlap, the order of two
  /// writers becomes a choice.
  bool accepts() override {
    replayed_ += core_.vertices.size();
    const std::vector<WriterPair> wrong = find_wrong_pairs(
        problem_, events_, vertices_in_order(),
        {.takes_part = [this](std::uint32_t txn) { return encoding_.takes_part(txn); },
         .writer_of = [this](std::uint32_t r) { return encoding_.chosen_writer(r); },
         .may_move = [this](WriteRef writer) { return encoding_.may_swap(writer); }});
    if (wrong.empty()) {
      result_.order = vertices_in_order();
      result_.reads = encoding_.reads();
      result_.took_effect = encoding_.took_effect();
      return true;
    }
    sat_.restart();
    const std::uint32_t before = sat_.variable_count();
    for (const auto& [first, second] : wrong) {
      encoding_.order_pair(first, second);
    }
    is_stuck_ = sat_.variable_count() == before;
    return false;
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> vertices_in_order() const {
    std::vector<std::uint32_t> vertices;
    vertices.reserve(core_.vertices.size());
    for (const std::uint32_t place : theory_.order().order()) {
      vertices.push_back(core_.vertices[place]);
    }
    return vertices;
  }

  void write_refutation() {
    for (const std::uint32_t line : sat_.needed_lines()) {
      if (auto clause = encoding_.to_choices(sat_.proof()[line].clause)) {
        result_.refutation.push_back({std::move(*clause), theory_.cycle_of(line)});
      }
    }
  }

  const OrderProblem& problem_;
  const EventMap& events_;
  const Core& core_;
  SatSolver sat_;
  CoreTheory theory_;
  CoreEncoding encoding_;
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
