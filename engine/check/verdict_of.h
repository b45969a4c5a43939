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

/// The conclusions and evidence of the other answers, if the timestamps' evidence is shown.
struct UnshownEvidence {
  KnownModels known = {};
  std::vector<Anomaly> anomalies = {};
  std::vector<LevelAnswer> levels = {};
};

/// Derives a verdict, without a search. So the same question and answers always give the same
/// verdict.
///
/// If timestamps were asked, their answer leads. The other answers are a second opinion, which
/// counts in two cases: they prove the demanded levels, so the timestamps are wrong; or they refute
/// a level that the timestamps leave open because clocks may differ.
class VerdictOf {
 public:
  VerdictOf(const History& history, const CheckOptions& options, const Question& question,
            std::vector<Answer> answers);

  /// Whether a demanded model is undecided.
  [[nodiscard]] bool is_open() const { return (question_.demanded & ~known_.decided()).any(); }

  /// Whether the found anomalies violate a demanded model.
  [[nodiscard]] bool is_violated() const {
    return (types_of(verdict_.anomalies) & prohibited_).any();
  }

  /// The models that hold, and those that are violated, by all answers together.
  [[nodiscard]] const KnownModels& known() const { return known_; }

  /// Whether all operations are of the workload, so that another engine may be asked.
  [[nodiscard]] bool is_understood() const { return is_understood_; }

  [[nodiscard]] const UnshownEvidence& unshown() const { return unshown_; }

  /// `spent`: why the engines stopped early; empty if they did not.
  [[nodiscard]] Verdict take(const std::string& spent);

 private:
  void adopt(Answer answer, std::vector<OrderViolation>& violations);
  /// Adds the timestamps' answer to the other answers, if there are any.
  void weigh(Answer timed, bool has_others);
  void let_timestamps_lead(Answer timed);
  /// Whether all demanded models are proven.
  [[nodiscard]] bool all_hold() const;
  /// Whether all_hold() and the models exclude all prohibited anomalies. A proof of models says
  /// nothing about further anomalies.
  [[nodiscard]] bool is_proven() const;
  void show_violations(std::vector<OrderViolation> violations, bool is_of_weakest);
  void show(Anomaly anomaly);
  /// These models, those that the anomalies refute, and all models that imply one of them.
  [[nodiscard]] static ModelSet ruled_out_by(const AnomalySet& anomalies, ModelSet models = {});
  /// Levels differ in whether an indeterminate transaction that contradicts itself may have taken
  /// effect. A conclusion from "it did not" applies to the level itself only.
  [[nodiscard]] ModelSet ruled_out_by(const OrderViolation& violation) const;
  /// Whether reads of some indeterminate transaction contradict each other or its own writes.
  [[nodiscard]] bool has_impossible() const;
  /// Shows the anomalies that violate the weakest violated models: all that were found for one of
  /// these, and of the others those that alone refute one.
  void show_weakest(std::vector<OrderViolation> violations);
  /// The models that orders of events refute, by Elle's lattice.
  [[nodiscard]] ModelSet refuted_by_orders() const;
  /// The models that anomalies of these types refute.
  [[nodiscard]] ModelSet ruled_out(const AnomalySet& found) const;
  void decide();
  /// Whether no other verdict is possible. With total version orders an acyclic dependency graph is
  /// a proof (Adya 1999, chapter 4).
  [[nodiscard]] bool is_final(bool is_proven) const;
  [[nodiscard]] bool decides_each() const;
  void climb();
  /// Levels that Elle does not know are named only if one of them was demanded.
  [[nodiscard]] bool is_elles_question() const;
  /// A level that is not refuted is not proven either, if a needed order is unknown, or if
  /// inference of registers is the only check of a session trace.
  void doubt_valid(bool is_proven);
  /// Why the search for an order left demanded levels open; names them if there are several.
  [[nodiscard]] std::string left_open() const;
  /// The reason why a demanded model is neither proven nor refuted. Elle, and inference alone, call
  /// it valid.
  [[nodiscard]] std::string undecided_because() const;
  void explain_unknown();

  const History& history_;
  const CheckOptions& options_;
  const Question& question_;
  Verdict verdict_;
  KnownModels known_;
  AnomalySet prohibited_;        // by demanded models, and by shown violations of orders
  AnomalySet undecided_types_;   // shown, but decide nothing: clocks may explain them
  AnomalySet bare_;              // shown, and rule out only the level at which they were found
  bool has_impossible_ = false;  // has_impossible(); only set if there are violations
  bool is_total_ = false;        // as in Answer, of any answer
  bool is_partial_ = false;
  bool is_understood_ = true;
  std::optional<ModelSet> violated_in_time_;              // if timestamps lead
  std::vector<std::pair<Model, std::string>> undecided_;  // with the reasons
  std::optional<std::string> doubt_;                      // Answer::doubt, the last one
  std::string spent_;                                     // see take()
  UnshownEvidence unshown_;
};

/// Sorts by the names of types, as Verdict::anomalies is sorted.
void group_by_type(std::vector<Anomaly>& anomalies);

/// The answer if no transaction is known to have committed: no order to find, and no violation.
/// Levels of registers that restrict only visible writes hold, since no write was visible.
[[nodiscard]] Verdict verdict_of_nothing(const History& history, const CheckOptions& options,
                                         const Question& question, std::string engine);

/// The verdict if the system refused memory to `engine`, at `stage`.
[[nodiscard]] Verdict verdict_out_of_memory(const CheckOptions& options, std::string engine,
                                            std::string_view stage);

/// The verdict if time ran out before the findings of `engine` were certified.
[[nodiscard]] Verdict verdict_uncertified(const CheckOptions& options, std::string engine);

}  // namespace elapid
