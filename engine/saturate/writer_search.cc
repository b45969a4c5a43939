#include "engine/saturate/writer_search.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/saturate/level_check.h"
#include "engine/solve/sat_solver.h"

namespace elapid {

namespace {

/// How many violations are learnt from at a time.
constexpr std::size_t kConflictsARound = 16;

class WriterSearch final : public Theory {
 public:
  WriterSearch(Observations& seen, OrderLevel level, std::uint64_t work,
               const std::function<bool()>& keep_going)
      : seen_(seen), level_(level), work_(work), keep_going_(keep_going), sat_(*this) {
    for (std::uint32_t t = 0; t < seen.txn_count(); ++t) {
      if (seen.is_optional(t)) {
        optional_.push_back(t);
      }
    }
    make_fates();
    for (const Observations::Ambiguous& open : seen_.ambiguous()) {
      make_read(open);
    }
  }

  WriterFindings run() {
    const SatSolver::Answer answer =
        sat_.solve([this] { return is_out_of_work_ || (keep_going_ && !keep_going_()); });
    found_.choices = sat_.variable_count();
    if (answer == SatSolver::Answer::kUnsatisfiable && !is_out_of_work_) {
      found_.validity = Validity::kInvalid;
      write_refutation();
    } else if (answer == SatSolver::Answer::kSatisfiable && !is_out_of_work_) {
      found_.validity = Validity::kValid;
    }
    return std::move(found_);
  }

  std::uint32_t assign(Literal, std::vector<Literal>&) override { return kNoConflict; }

  void retract(Literal) override {}

  /// All choices are made: checks the level under them.
  bool accepts() override {
    if (is_out_of_work_) {
      return true;
    }
    settle();
    const std::uint64_t cost = seen_.history().op_count() + seen_.txn_count();
    is_out_of_work_ = work_ < cost;
    work_ -= std::min(work_, cost);
    LevelFindings level = check_level(seen_, level_, kConflictsARound, {work_, keep_going_});
    is_out_of_work_ = is_out_of_work_ || !level.is_complete;
    if (level.conflicts.empty() || is_out_of_work_) {
      found_.order = std::move(level.order);
      return true;
    }
    sat_.restart();
    for (Conflict& conflict : level.conflicts) {
      if (is_refuted()) {
        break;
      }
      learn(std::move(conflict));
    }
    return false;
  }

 private:
  std::uint32_t new_variable(const Choice& choice, bool phase) {
    choices_.push_back(choice);
    return sat_.new_variable(phase);
  }

  /// What an optional transaction read without a choice took effect if it did.
  void make_fates() {
    for (const std::uint32_t t : optional_) {
      fate_[t] = new_variable({.kind = Choice::Kind::kTookEffect, .first = {t}}, false);
    }
    for (const std::uint32_t t : optional_) {
      for (const Seen& read : seen_.reads(t)) {
        if (read.is_of_txn() && fate_.contains(read.writer)) {
          sat_.add_clause({Literal(fate_.at(t), false), Literal(fate_.at(read.writer), true)});
        }
      }
    }
  }

  /// One of the candidates, if the reader took effect; and who was read from did.
  void make_read(const Observations::Ambiguous& open) {
    const std::size_t read = open.place - seen_.first_read(open.txn);
    const KeyId key = seen_.reads(open.txn)[read].key;
    std::vector<Literal> one_of;
    for (const std::uint32_t writer : open.candidates) {
      const bool is_initial = writer == Seen::kInitial;
      const Literal saw(new_variable({.kind = Choice::Kind::kReads,
                                      .first = {open.txn},
                                      .second = is_initial ? TxnId::none() : TxnId{writer},
                                      .key = key,
                                      .length = seen_.number_of_read(open.txn, read)},
                                     is_likely(open.txn, writer)),
                        true);
      for (const Literal other : one_of) {
        sat_.add_clause({~other, ~saw});
      }
      if (!is_initial && fate_.contains(writer)) {
        sat_.add_clause({~saw, Literal(fate_.at(writer), true)});
      }
      one_of.push_back(saw);
    }
    selectors_.push_back(one_of);
    const auto fate = fate_.find(open.txn);
    if (fate != fate_.end()) {
      for (const Literal saw : one_of) {
        sat_.add_clause({~saw, Literal(fate->second, true)});
      }
      one_of.push_back(Literal(fate->second, false));
    }
    sat_.add_clause(one_of);
  }

  /// A guess: the latest writer that committed before the reader, by number.
  [[nodiscard]] bool is_likely(std::uint32_t reader, std::uint32_t writer) const {
    return writer < reader && !fate_.contains(writer);
  }

  void settle() {
    for (const std::uint32_t t : optional_) {
      seen_.set_present(t, sat_.is_true(Literal(fate_.at(t), true)));
    }
    const std::span<const Observations::Ambiguous> open = seen_.ambiguous();
    for (std::size_t i = 0; i < open.size(); ++i) {
      std::uint32_t chosen = Seen::kNobody;
      for (std::size_t c = 0; c < open[i].candidates.size(); ++c) {
        if (sat_.is_true(selectors_[i][c])) {
          chosen = open[i].candidates[c];
        }
      }
      seen_.choose(open[i].place, chosen);
    }
  }

  [[nodiscard]] bool is_refuted() const {
    return !sat_.proof().empty() && sat_.proof().back().clause.empty();
  }

  void learn(Conflict conflict) {
    ++found_.conflicts;
    std::vector<Literal> clause;
    for (const Choice& choice : conflict.unless) {
      if (const auto literal = literal_of(choice)) {
        clause.push_back(*literal);
      }
    }
    const std::uint32_t line = sat_.add_line(clause);
    conflicts_.emplace(line, std::move(conflict));
    sat_.add_clause(std::move(clause), line);
  }

  /// Nothing for what is no choice, since it is known to be.
  [[nodiscard]] std::optional<Literal> literal_of(const Choice& choice) const {
    if (choice.kind == Choice::Kind::kTookEffect) {
      const auto fate = fate_.find(choice.first.value);
      return fate == fate_.end() ? std::nullopt
                                 : std::optional(Literal(fate->second, choice.holds));
    }
    const std::uint32_t writer = choice.second.is_none() ? Seen::kInitial : choice.second.value;
    const std::span<const Observations::Ambiguous> open = seen_.ambiguous();
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::size_t place = open[i].place - seen_.first_read(open[i].txn);
      if (open[i].txn != choice.first.value || seen_.reads(open[i].txn)[place].key != choice.key ||
          seen_.number_of_read(open[i].txn, place) != choice.length) {
        continue;
      }
      const auto at = std::ranges::find(open[i].candidates, writer);
      if (at != open[i].candidates.end()) {
        const Literal saw =
            selectors_[i][static_cast<std::size_t>(at - open[i].candidates.begin())];
        return choice.holds ? saw : ~saw;
      }
    }
    return std::nullopt;
  }

  /// As far as the first empty clause: a violation may need no choice.
  void write_refutation() {
    for (const std::uint32_t line : sat_.needed_lines()) {
      write_line(line, sat_.proof()[line]);
      if (sat_.proof()[line].clause.empty()) {
        break;
      }
    }
  }

  void write_line(std::uint32_t line, const ProofLine& derived) {
    ProofStep step;
    for (const Literal literal : derived.clause) {
      step.clause.push_back(choices_[literal.variable()]);
      step.clause.back().holds = literal.holds();
    }
    const auto conflict = conflicts_.find(line);
    if (conflict != conflicts_.end()) {
      for (const ProofStep& before : conflict->second.because) {
        found_.refutation.push_back(before);
      }
      step.cycle = conflict->second.cycle;
    }
    found_.refutation.push_back(std::move(step));
  }

  Observations& seen_;
  OrderLevel level_;
  std::uint64_t work_;
  const std::function<bool()>& keep_going_;
  SatSolver sat_;
  std::vector<std::uint32_t> optional_;
  std::unordered_map<std::uint32_t, std::uint32_t> fate_;  // variables, by optional transaction
  std::vector<std::vector<Literal>> selectors_;            // by ambiguous read and candidate
  std::vector<Choice> choices_;                            // by variable
  std::unordered_map<std::uint32_t, Conflict> conflicts_;  // by proof line
  bool is_out_of_work_ = false;
  WriterFindings found_;
};

}  // namespace

WriterFindings search_writers(Observations& seen, OrderLevel level, std::uint64_t work,
                              const std::function<bool()>& keep_going) {
  return WriterSearch(seen, level, work, keep_going).run();
}

}  // namespace elapid
