#include "engine/saturate/writer_search.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/saturate/level_check.h"
#include "engine/saturate/work_of_choices.h"
#include "engine/saturate/writer_choices.h"

namespace elapid {

namespace {

/// The number of violations to learn from in one round.
constexpr std::size_t kConflictsARound = 16;

class WriterSearch final : public Theory {
 public:
  WriterSearch(Observations& seen, OrderLevel level, std::span<const std::uint32_t> likely,
               std::uint64_t work, const std::function<bool()>& keep_going)
      : seen_(seen),
        level_(level),
        likely_(likely),
        work_(work_of_choices(seen.history(), work)),
        keep_going_(keep_going),
        sat_(*this),
        choices_(seen, likely, sat_) {
    for (std::uint32_t i = 0; i < seen_.ambiguous().size() && !is_out_of_work_; ++i) {
      choices_.make_read(i);
      is_out_of_work_ =
          work_of_all(choices_) > work_ || (i % kReadsBetweenQuestions == 0 && is_stopped());
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
    choices_.count_choice(literal, 1);
    return kNoConflict;
  }

  void retract(Literal literal) override {
    spend(kWorkOfAssignment);
    choices_.count_choice(literal, -1);
  }

  /// For a read without a writer, prefers the likeliest open candidate.
  Literal prefer(Literal usual) override {
    const std::optional<std::uint32_t> read = choices_.open_read(usual);
    Literal best = usual;
    std::optional<std::uint32_t> best_writer;
    const auto compare = [&](std::uint32_t writer, std::uint32_t variable) {
      if (sat_.is_open(variable) && (!best_writer || is_likelier(*read, writer, *best_writer))) {
        best = {variable, true};
        best_writer = writer;
      }
    };
    if (read) {
      choices_.each_candidate(*read, compare);
    }
    return best;
  }

  /// All choices are made: checks the level under them.
  bool accepts() override {
    if (is_out_of_work_) {
      return true;
    }
    choices_.settle();
    spend(seen_.history().op_count() + seen_.txn_count());
    LevelFindings level = check_level(seen_, level_, kConflictsARound, {work_, keep_going_});
    is_out_of_work_ = is_out_of_work_ || !level.is_complete;
    if (level.conflicts.empty() || is_out_of_work_) {
      found_.order = std::move(level.order);
      return true;
    }
    sat_.restart();
    for (Conflict& conflict : level.conflicts) {
      if (is_refuted(sat_)) {
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

  static constexpr std::uint32_t kReadsBetweenQuestions = 256;

  [[nodiscard]] bool is_stopped() const { return keep_going_ && !keep_going_(); }

  /// Prefers the likely writer, then the latest writer before the reader, by number, then the next
  /// writer after it. Transactions that need not have taken effect come last.
  [[nodiscard]] bool is_likelier(std::uint32_t read, std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t reader = seen_.ambiguous()[read].txn;
    const auto rank = [&](std::uint32_t writer) {
      const bool is_before = writer < reader || writer == Seen::kInitial;
      const std::uint32_t time = writer == Seen::kInitial ? 0 : writer + 1;
      return std::tuple(writer == likely_[read], !choices_.took_effect(writer), is_before,
                        is_before ? time : ~time);
    };
    return rank(a) > rank(b);
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

  /// The literal of a choice; nothing if the choice is already settled.
  [[nodiscard]] std::optional<Literal> literal_of(const Choice& choice) const {
    if (choice.kind == Choice::Kind::kTookEffect) {
      const auto fate = choices_.took_effect(choice.first.value);
      return !fate || choice.holds ? fate : std::optional(~*fate);
    }
    const std::uint32_t writer = choice.second.is_none() ? Seen::kInitial : choice.second.value;
    std::optional<Literal> literal;
    if (const auto read = ambiguous_read_of(choice)) {
      choices_.each_candidate(*read, [&](std::uint32_t candidate, std::uint32_t variable) {
        literal = candidate == writer ? std::optional(Literal(variable, choice.holds)) : literal;
      });
    }
    return literal;
  }

  /// The number of the ambiguous read that the choice is about; nothing if there is none.
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

  /// Writes the proof up to the first empty clause: a violation may need no choice.
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
      step.clause.push_back(choices_.choice_of(literal));
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
  WriterChoices choices_;
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
