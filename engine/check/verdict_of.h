// From a question and the engines' answers to the verdict.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/levels/entailment.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// What other answers say, and with which evidence, where that of timestamps is shown.
struct UnshownEvidence {
  KnownModels known = {};
  std::vector<Anomaly> anomalies = {};
  std::vector<LevelAnswer> levels = {};
};

/// Derives a verdict. Nothing is searched for any more: the same question and answers give the same
/// verdict.
///
/// Where timestamps were asked, their answer leads. Other answers are a second opinion, and there
/// are two cases in which it counts: they prove what is demanded, so that the timestamps are wrong;
/// or they refute what the timestamps, with clocks that differ, leave open.
class VerdictOf {
 public:
  VerdictOf(const History& history, const CheckOptions& options, const Question& question,
            std::vector<Answer> answers);

  /// Whether a model demanded is undecided.
  [[nodiscard]] bool is_open() const { return (question_.demanded & ~known_.decided()).any(); }

  /// Whether what was found violates what is demanded.
  [[nodiscard]] bool is_violated() const {
    return (types_of(verdict_.anomalies) & prohibited_).any();
  }

  /// The models that hold and that are violated, for all engines together.
  [[nodiscard]] const KnownModels& known() const { return known_; }

  /// All operations are of the workload: another engine may be asked.
  [[nodiscard]] bool is_understood() const { return is_understood_; }

  [[nodiscard]] const UnshownEvidence& unshown() const { return unshown_; }

  /// `spent`: why the engines stopped before their end; empty if they did not.
  [[nodiscard]] Verdict take(const std::string& spent);

 private:
  void adopt(Answer answer, std::vector<OrderViolation>& violations);
  /// Puts what timestamps say beside the others' answers, if there are any.
  void weigh(Answer timed, bool has_others);
  void let_timestamps_lead(Answer timed);
  [[nodiscard]] bool is_proven() const;
  void show_violations(std::vector<OrderViolation> violations, bool is_of_weakest);
  void show(Anomaly anomaly);
  /// These models, those that the anomalies rule out, and all that entail one of them.
  [[nodiscard]] static ModelSet ruled_out_by(const AnomalySet& anomalies, ModelSet models = {});
  /// Where indeterminate transactions contradict themselves, levels differ in whether these may
  /// have taken effect: what follows from that they did not is said of the level itself only.
  [[nodiscard]] ModelSet ruled_out_by(const OrderViolation& violation) const;
  /// Whether the reads of some indeterminate transaction contradict one another or its own writes.
  [[nodiscard]] bool has_impossible() const;
  /// What violates the weakest of the models that are: all of what was found asking for one of
  /// these, and of the rest what rules out one that nothing else does.
  void show_weakest(std::vector<OrderViolation> violations);
  /// As Elle's lattice has it.
  [[nodiscard]] ModelSet refuted_by_orders() const;
  /// The models ruled out, of which `found` are the types of anomalies.
  [[nodiscard]] ModelSet ruled_out(const AnomalySet& found) const;
  void decide();
  /// Whether the verdict cannot be another one. With total version orders an acyclic dependency
  /// graph is a proof (Adya 1999, chapter 4).
  [[nodiscard]] bool is_final(bool is_proven) const;
  [[nodiscard]] bool decides_each() const;
  void climb();
  /// Levels that Elle does not know are named only if one of them was demanded.
  [[nodiscard]] bool is_elles_question() const;
  /// What was not refuted is not proven where a needed order is not known, or where the inference
  /// on registers is the only check a session trace gets.
  void doubt_valid(bool is_proven);
  /// Why the search for an order left levels demanded open; which, if there are several.
  [[nodiscard]] std::string left_open() const;
  /// Of a model demanded that is neither proven nor refuted, why. Elle, and the inference asked for
  /// alone, call it valid.
  [[nodiscard]] std::string undecided_because() const;
  void explain_unknown();

  const History& history_;
  const CheckOptions& options_;
  const Question& question_;
  Verdict verdict_;
  KnownModels known_;
  AnomalySet prohibited_;        // by what is demanded, and what is shown of orders of events
  AnomalySet undecided_types_;   // shown though they decide nothing: clocks may explain them
  AnomalySet bare_;              // shown, and ruling out no more than the level they were found at
  bool has_impossible_ = false;  // has_impossible(), asked if there are violations
  bool is_total_ = false;        // as in Answer, of any
  bool is_partial_ = false;
  bool is_understood_ = true;
  std::optional<ModelSet> violated_in_time_;              // if timestamps lead
  std::vector<std::pair<Model, std::string>> undecided_;  // and why
  std::optional<std::string> doubt_;                      // Answer::doubt, the last one
  std::string spent_;                                     // see take()
  UnshownEvidence unshown_;
};

/// Puts those of one type together, types in the order of their names, as Verdict::anomalies is.
void group_by_type(std::vector<Anomaly>& anomalies);

/// Of transactions of which none is known to have committed there is no order to find and no
/// violation. But levels of registers that only ask what was visible hold: none of it was.
[[nodiscard]] Verdict verdict_of_nothing(const History& history, const CheckOptions& options,
                                         const Question& question, std::string engine);

/// What is left to say where the system gave no more memory to `engine`, at `stage`.
[[nodiscard]] Verdict verdict_out_of_memory(const CheckOptions& options, std::string engine,
                                            std::string_view stage);

/// What is left to say where there was no time to certify what `engine` found.
[[nodiscard]] Verdict verdict_uncertified(const CheckOptions& options, std::string engine);

}  // namespace elapid
