#include "engine/saturate/writer_search.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/saturate/level_check.h"
#include "engine/saturate/work_of_choices.h"
#include "engine/solve/sat_solver.h"

namespace elapid {

namespace {

/// How many violations are learnt from at a time.
constexpr std::size_t kConflictsARound = 16;

class WriterSearch final : public Theory {
 public:
  WriterSearch(Observations& seen, OrderLevel level, std::span<const std::uint32_t> likely,
               std::uint64_t work, const std::function<bool()>& keep_going)
      : seen_(seen),
        level_(level),
        likely_(likely),
        // Twice what orders of versions may cost: session guarantees are decided soon or not at
        // all.
        work_(std::min(work, 2 * work_of_choices(seen.history(), work))),
        keep_going_(keep_going),
        sat_(*this) {
    for (std::uint32_t t = 0; t < seen.txn_count(); ++t) {
      if (seen.is_optional(t)) {
        optional_.push_back(t);
      }
    }
    make_fates();
    for (std::uint32_t i = 0; i < seen_.ambiguous().size() && !is_out_of_work_; ++i) {
      make_read(i);
      is_out_of_work_ = i % kReadsBetweenQuestions == 0 && is_stopped();
    }
  }

  WriterFindings run() {
    const SatSolver::Answer answer = sat_.solve([this] { return is_out_of_work_ || is_stopped(); });
    found_.choices = sat_.variable_count();
    if (answer == SatSolver::Answer::kUnsatisfiable && !is_out_of_work_) {
      found_.validity = Validity::kInvalid;
      write_refutation();
    } else if (answer == SatSolver::Answer::kSatisfiable && !is_out_of_work_) {
      found_.validity = Validity::kValid;
    }
    return std::move(found_);
  }

  std::uint32_t assign(Literal literal, std::vector<Literal>&) override {
    spend(kWorkOfAssignment);
    if (literal.holds() && read_of_[literal.variable()] != kNoRead) {
      ++chosen_[read_of_[literal.variable()]];
    }
    return kNoConflict;
  }

  void retract(Literal literal) override {
    spend(kWorkOfAssignment);
    if (literal.holds() && read_of_[literal.variable()] != kNoRead) {
      --chosen_[read_of_[literal.variable()]];
    }
  }

  /// Before all but one of the writers that a read may have seen are ruled out by chance, the
  /// likeliest that is left is tried.
  Literal prefer(Literal usual) override {
    const std::uint32_t read = read_of_[usual.variable()];
    if (usual.holds() || read == kNoRead || chosen_[read] > 0 || is_absent(read)) {
      return usual;
    }
    std::uint32_t best = usual.variable();
    each_candidate(read, [&](std::uint32_t writer, std::uint32_t variable) {
      if (sat_.is_open(variable) && is_likelier(read, writer, writers_[best])) {
        best = variable;
      }
    });
    return {best, true};
  }

  /// All choices are made: checks the level under them.
  bool accepts() override {
    if (is_out_of_work_) {
      return true;
    }
    settle();
    spend(seen_.history().op_count() + seen_.txn_count());
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
  void spend(std::uint64_t work) {
    is_out_of_work_ = is_out_of_work_ || work_ < work;
    work_ -= std::min(work_, work);
  }

  static constexpr std::uint32_t kNoRead = 0xffffffffU;
  static constexpr std::uint32_t kReadsBetweenQuestions = 256;

  [[nodiscard]] bool is_stopped() const { return keep_going_ && !keep_going_(); }

  std::uint32_t new_variable(bool phase, std::uint32_t read, std::uint32_t writer) {
    read_of_.push_back(read);
    writers_.push_back(writer);
    return sat_.new_variable(phase);
  }

  /// If an optional transaction took effect, so did those that it read from without a choice.
  void make_fates() {
    for (const std::uint32_t t : optional_) {
      fate_[t] = new_variable(false, kNoRead, t);
    }
    for (const std::uint32_t t : optional_) {
      for (const Seen& read : seen_.reads(t)) {
        if (read.is_of_txn() && fate_.contains(read.writer)) {
          sat_.add_clause({Literal(fate_.at(t), false), Literal(fate_.at(read.writer), true)});
        }
      }
    }
  }

  /// Clauses: if the reader took effect, one of its candidates is the writer, and that one took
  /// effect. (The clauses allow two at once; then either one explains the read.)
  void make_read(std::uint32_t read) {
    const Observations::Ambiguous& open = seen_.ambiguous()[read];
    first_variable_.push_back(static_cast<std::uint32_t>(read_of_.size()));
    chosen_.push_back(0);
    std::vector<Literal> one_of;
    for (const std::uint32_t writer : seen_.writers_of(open.value)) {
      if (writer != open.txn) {
        one_of.emplace_back(new_variable(writer == likely_[read], read, writer), true);
        const auto fate = fate_.find(writer);
        if (fate != fate_.end()) {
          sat_.add_clause({~one_of.back(), Literal(fate->second, true)});
        }
      }
    }
    const auto fate = fate_.find(open.txn);
    if (fate != fate_.end()) {
      for (const Literal saw : one_of) {
        sat_.add_clause({~saw, Literal(fate->second, true)});
      }
      one_of.push_back(Literal(fate->second, false));
    }
    sat_.add_clause(std::move(one_of));
  }

  /// Calls `visit(writer, variable)` for each writer that the read may have seen.
  template <class Visit>
  void each_candidate(std::uint32_t read, Visit visit) const {
    const Observations::Ambiguous& open = seen_.ambiguous()[read];
    std::uint32_t variable = first_variable_[read];
    for (const std::uint32_t writer : seen_.writers_of(open.value)) {
      if (writer != open.txn) {
        visit(writer, variable++);
      }
    }
  }

  /// Whether the reader is known not to have taken effect.
  [[nodiscard]] bool is_absent(std::uint32_t read) const {
    const auto fate = fate_.find(seen_.ambiguous()[read].txn);
    return fate != fate_.end() && sat_.is_true(Literal(fate->second, false));
  }

  /// A guess: the likely writer, else the latest writer before the reader, by number, else the next
  /// one behind it. Transactions that need not have taken effect are tried last.
  [[nodiscard]] bool is_likelier(std::uint32_t read, std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t reader = seen_.ambiguous()[read].txn;
    const auto rank = [&](std::uint32_t writer) {
      const bool is_before = writer < reader || writer == Seen::kInitial;
      const std::uint32_t time = writer == Seen::kInitial ? 0 : writer + 1;
      return std::tuple(writer == likely_[read], !fate_.contains(writer), is_before,
                        is_before ? time : ~time);
    };
    return rank(a) > rank(b);
  }

  void settle() {
    for (const std::uint32_t t : optional_) {
      seen_.set_present(t, sat_.is_true(Literal(fate_.at(t), true)));
    }
    for (std::uint32_t read = 0; read < first_variable_.size(); ++read) {
      std::uint32_t chosen = Seen::kNoTxn;
      each_candidate(read, [&](std::uint32_t writer, std::uint32_t variable) {
        chosen = sat_.is_true(Literal(variable, true)) ? writer : chosen;
      });
      seen_.choose(seen_.ambiguous()[read].place, chosen);
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
    std::optional<Literal> literal;
    if (const auto read = ambiguous_read_of(choice)) {
      each_candidate(*read, [&](std::uint32_t candidate, std::uint32_t variable) {
        literal = candidate == writer ? std::optional(Literal(variable, choice.holds)) : literal;
      });
    }
    return literal;
  }

  /// Its number, if the choice is about such.
  [[nodiscard]] std::optional<std::uint32_t> ambiguous_read_of(const Choice& choice) const {
    const std::uint32_t reader = choice.first.value;
    const std::span<const Seen> reads = seen_.reads(reader);
    for (std::uint32_t i = 0; i < reads.size(); ++i) {
      if (reads[i].key == choice.key && seen_.number_of_read(reader, i) == choice.length) {
        const auto* open = seen_.find_ambiguous(seen_.first_read(reader) + i);
        return open == nullptr
                   ? std::nullopt
                   : std::optional(static_cast<std::uint32_t>(open - seen_.ambiguous().data()));
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] Choice choice_of(Literal literal) const {
    const std::uint32_t writer = writers_[literal.variable()];
    const std::uint32_t read = read_of_[literal.variable()];
    if (read == kNoRead) {
      return {.kind = Choice::Kind::kTookEffect, .holds = literal.holds(), .first = {writer}};
    }
    const Observations::Ambiguous& open = seen_.ambiguous()[read];
    const std::size_t place = open.place - seen_.first_read(open.txn);
    return {.kind = Choice::Kind::kReads,
            .holds = literal.holds(),
            .first = {open.txn},
            .second = writer == Seen::kInitial ? TxnId::none() : TxnId{writer},
            .key = seen_.reads(open.txn)[place].key,
            .length = seen_.number_of_read(open.txn, place)};
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
      step.clause.push_back(choice_of(literal));
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
  std::span<const std::uint32_t> likely_;  // by ambiguous read
  std::uint64_t work_;
  const std::function<bool()>& keep_going_;
  SatSolver sat_;
  std::vector<std::uint32_t> optional_;
  std::unordered_map<std::uint32_t, std::uint32_t> fate_;  // variables, by optional transaction
  std::vector<std::uint32_t> first_variable_;              // by ambiguous read, of its candidates
  std::vector<std::uint32_t> chosen_;                      // by ambiguous read: how many of them
  std::vector<std::uint32_t> read_of_;                     // by variable
  std::vector<std::uint32_t> writers_;                     // by variable
  std::unordered_map<std::uint32_t, Conflict> conflicts_;  // by proof line
  bool is_out_of_work_ = false;
  WriterFindings found_;
};

}  // namespace

WriterFindings search_writers(Observations& seen, OrderLevel level,
                              std::span<const std::uint32_t> likely, std::uint64_t work,
                              const std::function<bool()>& keep_going) {
  return WriterSearch(seen, level, likely, work, keep_going).run();
}

}  // namespace elapid
