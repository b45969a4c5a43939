#include "engine/adya/cycle_search.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/adya/dependencies.h"
#include "engine/adya/shapes.h"
#include "engine/adya/version_orders.h"
#include "engine/saturate/work_of_choices.h"
#include "engine/saturate/writer_choices.h"

namespace elapid {

namespace {

/// How many cycles are learnt from at a time.
constexpr std::size_t kCyclesARound = 64;

/// The most pairs of writers of two reads that the search learns from before it begins.
constexpr std::size_t kMostPairs = 10'000;

class CycleSearch final : public Theory {
 public:
  CycleSearch(Observations& seen, const CycleProblem& problem, CycleShape shape,
              std::span<const std::uint32_t> likely, std::uint64_t work,
              const std::function<bool()>& keep_going)
      : seen_(seen),
        problem_(problem),
        shape_(shape),
        likely_(likely),
        budget_{work_of_choices(seen.history(), work)},
        keep_going_(keep_going),
        sat_(*this),
        choices_(seen, likely, sat_) {
    for (std::uint32_t i = 0; i < seen_.ambiguous().size() && !is_spent_; ++i) {
      choices_.make_read(i);
      is_spent_ = work_of_all(choices_) > budget_.left;
    }
    if (is_spent_) {
      return;
    }
    if (shape == CycleShape::kSingle || shape == CycleShape::kUpdates ||
        shape == CycleShape::kCursor) {
      learn_of_two_values();
    }
    // The search asks accepts() once all variables have values, so there must be one.
    new_order(true, {});
  }

  CycleSearchFindings run() {
    const SatSolver::Answer answer = sat_.solve([this] { return is_spent_ || is_stopped(); });
    found_.choices = sat_.variable_count() - 1;
    if (answer == SatSolver::Answer::kUnsatisfiable && !is_spent_) {
      found_.validity = Validity::kInvalid;
      write_refutation();
    } else if (answer == SatSolver::Answer::kSatisfiable && !is_spent_) {
      found_.validity = Validity::kValid;
    }
    return std::move(found_);
  }

  std::uint32_t assign(Literal literal, std::vector<Literal>&) override {
    choices_.count_choice(literal, 1);
    is_spent_ = is_spent_ || !budget_.spend(kWorkOfAssignment);
    return kNoConflict;
  }

  void retract(Literal literal) override { choices_.count_choice(literal, -1); }

  /// For a read without a writer, tries the likely writer, or else one that is still possible.
  Literal prefer(Literal usual) override {
    const std::optional<std::uint32_t> read = choices_.open_read(usual);
    if (!read) {
      return usual;
    }
    Literal tried = {usual.variable(), true};
    choices_.each_candidate(*read, [&](std::uint32_t writer, std::uint32_t variable) {
      if (writer == likely_[*read] && sat_.is_open(variable)) {
        tried = {variable, true};
      }
    });
    return tried;
  }

  bool accepts() override {
    if (is_spent_) {
      return true;
    }
    choices_.settle();
    const VersionOrders orders(problem_, decided());
    if (!orders.cycles().empty()) {
      sat_.restart();
      for (const std::vector<OrderEdge>& cycle : orders.cycles()) {
        ForbiddenCycle forbidden;
        std::ranges::transform(cycle, std::back_inserter(forbidden),
                               [](const OrderEdge& edge) { return Dependency{.edge = edge}; });
        learn(forbidden);
      }
      return false;
    }
    (void)budget_.spend(seen_.history().op_count() + seen_.txn_count() + sat_.variable_count());
    ShapeFindings shape = find_forbidden(problem_, orders, shape_, kCyclesARound, budget_);
    is_spent_ = !shape.is_complete;
    if (shape.cycles.empty() || is_spent_) {
      found_.order = std::move(shape.order);
      return true;
    }
    sat_.restart();
    for (const ForbiddenCycle& cycle : shape.cycles) {
      learn(cycle);
    }
    return false;
  }

 private:
  [[nodiscard]] bool is_stopped() const { return keep_going_ && !keep_going_(); }

  std::uint32_t new_order(bool phase, DecidedOrder order) {
    orders_.push_back(order);
    return sat_.new_variable(phase);
  }

  /// The order that a literal states; the literal is about neither a read nor a fate.
  [[nodiscard]] DecidedOrder order_of(Literal literal) const {
    const DecidedOrder order = orders_[literal.variable() - choices_.count()];
    return literal.holds() ? order : DecidedOrder{order.second, order.first};
  }

  [[nodiscard]] std::vector<DecidedOrder> decided() const {
    std::vector<DecidedOrder> orders;
    for (const auto& [pair, variable] : before_) {
      orders.push_back(order_of({variable, sat_.is_true(Literal(variable, true))}));
    }
    return orders;
  }

  // Learning.

  void learn(const ForbiddenCycle& cycle) {
    if (is_refuted(sat_)) {
      return;
    }
    ++found_.conflicts;
    std::vector<Literal> clause;
    for (const Dependency& dependency : cycle) {
      contradict(dependency, clause);
    }
    std::ranges::sort(clause, {}, &Literal::code);
    const auto repeated = std::ranges::unique(clause);
    clause.erase(repeated.begin(), repeated.end());
    const std::uint32_t line = sat_.add_line(clause);
    std::vector<OrderEdge>& edges = cycles_[line];
    std::ranges::transform(cycle, std::back_inserter(edges), &Dependency::edge);
    sat_.add_clause(std::move(clause), line);
  }

  /// Two reads of a key by one transaction, and the possible writers of each.
  struct TwoValues {
    std::uint32_t reader = 0;
    std::array<std::uint32_t, 2> reads = {};  ///< places
    std::array<std::vector<std::uint32_t>, 2> writers = {};

    [[nodiscard]] std::size_t pairs() const { return writers[0].size() * writers[1].size(); }
  };

  /// If one rw is forbidden, no transaction reads two values of a key. It read the later value by
  /// one read and missed it by the other. With cursors, that is so of keys that it also writes. The
  /// search begins with all such cycles of the two reads with the fewest writers.
  void learn_of_two_values() {
    std::optional<TwoValues> fewest;
    each_read(seen_, [&](std::uint32_t reader, std::uint32_t place, const Seen& read) {
      const std::span<const Seen> later =
          seen_.reads(reader).subspan(place + 1 - seen_.first_read(reader));
      const auto same_key = std::ranges::find(later, read.key, &Seen::key);
      if (same_key == later.end() ||
          (shape_ == CycleShape::kCursor && !seen_.writes(reader, read.key))) {
        return;
      }
      const auto other = place + 1 + static_cast<std::uint32_t>(same_key - later.begin());
      const std::size_t fewer = fewest ? fewest->pairs() : kMostPairs;
      if (writers_at_most(place) * writers_at_most(other) > 4 * fewer) {
        return;  // the reader itself, which may be among them, at most halves each
      }
      TwoValues found = {
          reader, {place, other}, {may_have_seen(reader, place), may_have_seen(reader, other)}};
      if (found.pairs() < fewer && std::ranges::find_first_of(found.writers[0], found.writers[1]) ==
                                       found.writers[0].end()) {
        fewest = std::move(found);
      }
    });
    for (std::size_t first = 0; fewest && first < 2; ++first) {
      for (const std::uint32_t one : fewest->writers[first]) {
        for (const std::uint32_t next : fewest->writers[1 - first]) {
          learn_of_pair(*fewest, first, one, next);
        }
      }
    }
  }

  /// Learns that the reader did not see `one` by one read and `next`, which overwrote it, by the
  /// other.
  void learn_of_pair(const TwoValues& two, std::size_t first, std::uint32_t one,
                     std::uint32_t next) {
    if (next == Seen::kInitial) {
      return;
    }
    const KeyId key = seen_.reads(two.reader)[two.reads[0] - seen_.first_read(two.reader)].key;
    const Dependency miss = missed(problem_, two.reader, two.reads[first], {key, one}, next);
    const Dependency read = read_from(problem_, two.reader, two.reads[1 - first], {key, next});
    if (shape_ != CycleShape::kCursor) {
      learn({miss, read});
      return;
    }
    learn({miss, overwrites(problem_, next, two.reader, key)});
    learn({overwrites(problem_, two.reader, next, key), read});
  }

  [[nodiscard]] std::size_t writers_at_most(std::uint32_t place) const {
    const Observations::Ambiguous* open = seen_.find_ambiguous(place);
    return open == nullptr ? 1 : seen_.writers_of(open->value).size();
  }

  [[nodiscard]] std::vector<std::uint32_t> may_have_seen(std::uint32_t reader,
                                                         std::uint32_t place) const {
    const Observations::Ambiguous* open = seen_.find_ambiguous(place);
    if (open == nullptr) {
      return {seen_.reads(reader)[place - seen_.first_read(reader)].writer};
    }
    std::vector<std::uint32_t> writers;
    std::ranges::remove_copy(seen_.writers_of(open->value), std::back_inserter(writers), reader);
    return writers;
  }

  /// Adds the negation of each choice that the dependency rests on.
  void contradict(const Dependency& dependency, std::vector<Literal>& clause) {
    const OrderEdge& edge = dependency.edge;
    if (edge.relation == Relation::kWw) {
      contradict_order(edge.from.value, edge.to.value, clause);
      return;
    }
    contradict_read(dependency, clause);
    if (dependency.is_rw() && !edge.overwritten.is_none()) {
      contradict_order(edge.overwritten.value, edge.to.value, clause);
    }
  }

  void contradict_order(std::uint32_t first, std::uint32_t second, std::vector<Literal>& clause) {
    if (!problem_.is_certain(first, second)) {
      clause.push_back(~before(first, second));
    }
  }

  void contradict_read(const Dependency& dependency, std::vector<Literal>& clause) {
    const Observations::Ambiguous* open = seen_.find_ambiguous(dependency.read);
    const bool is_wr = dependency.edge.relation == Relation::kWr;
    const std::uint32_t reader = is_wr ? dependency.to() : dependency.from();
    if (open == nullptr) {
      if (const auto fate = choices_.took_effect(reader)) {
        clause.push_back(~*fate);
      }
      return;
    }
    const TxnId source = is_wr ? dependency.edge.from : dependency.edge.overwritten;
    const std::uint32_t writer = source.is_none() ? Seen::kInitial : source.value;
    const auto number = static_cast<std::uint32_t>(open - seen_.ambiguous().data());
    choices_.each_candidate(number, [&](std::uint32_t candidate, std::uint32_t variable) {
      if (candidate == writer) {
        clause.push_back(Literal(variable, false));
      }
    });
  }

  /// The literal that one transaction comes before another. A new choice first tries the order of
  /// the draft.
  Literal before(std::uint32_t first, std::uint32_t second) {
    const auto [low, high] = std::minmax(first, second);
    const auto [entry, is_new] = before_.try_emplace(std::uint64_t{low} << 32 | high, 0U);
    if (is_new) {
      const bool phase = problem_.draft()[low] < problem_.draft()[high];
      entry->second = new_order(phase, {low, high});
    }
    return {entry->second, first == low};
  }

  // The proof.

  [[nodiscard]] Choice choice_of(Literal literal) const {
    if (literal.variable() < choices_.count()) {
      return choices_.choice_of(literal);
    }
    const DecidedOrder order = order_of(literal);
    return {.first = {order.first}, .second = {order.second}};
  }

  void write_refutation() {
    for (const std::uint32_t line : sat_.needed_lines()) {
      ProofStep& step = found_.refutation.emplace_back();
      std::ranges::transform(sat_.proof()[line].clause, std::back_inserter(step.clause),
                             [this](Literal literal) { return choice_of(literal); });
      if (const auto cycle = cycles_.find(line); cycle != cycles_.end()) {
        step.cycle = cycle->second;
      }
      if (step.clause.empty()) {
        break;
      }
    }
    end_with_cycle();
  }

  /// Ends the proof with a cycle if the steps before prove all its edges.
  void end_with_cycle() {
    if (!found_.refutation.back().cycle.empty()) {
      return;
    }
    const std::vector<std::uint32_t> lines = sat_.needed_lines();
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      const std::vector<Literal>& clause = sat_.proof()[*line].clause;
      const bool is_refuted = std::ranges::all_of(clause, [this](Literal literal) {
        return sat_.is_permanent(literal.variable()) && sat_.is_true(~literal);
      });
      if (const auto cycle = cycles_.find(*line); is_refuted && cycle != cycles_.end()) {
        found_.refutation.back().cycle = cycle->second;
        return;
      }
    }
  }

  Observations& seen_;
  const CycleProblem& problem_;
  CycleShape shape_;
  std::span<const std::uint32_t> likely_;  // by ambiguous read
  ArcBudget budget_;
  const std::function<bool()>& keep_going_;
  SatSolver sat_;
  WriterChoices choices_;
  std::vector<DecidedOrder> orders_;                         // by variable, behind the choices
  std::unordered_map<std::uint64_t, std::uint32_t> before_;  // variables, by pair
  std::unordered_map<std::uint32_t, std::vector<OrderEdge>> cycles_;  // by proof line
  bool is_spent_ = false;
  CycleSearchFindings found_;
};

}  // namespace

CycleSearchFindings search_cycles(Observations& seen, const CycleProblem& problem, CycleShape shape,
                                  std::span<const std::uint32_t> likely, std::uint64_t work,
                                  const std::function<bool()>& keep_going) {
  return CycleSearch(seen, problem, shape, likely, work, keep_going).run();
}

}  // namespace elapid
