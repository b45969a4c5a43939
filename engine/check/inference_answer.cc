#include "engine/check/engines.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/check/unknown_reasons.h"
#include "engine/infer/cycles.h"
#include "engine/infer/tied_orders.h"
#include "engine/levels/entailment.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

bool is_serial(Model model) {
  const auto level = order_level(model);
  return level && level->visibility == Visibility::kSerial;
}

/// The levels that allow no cycle at all of dependencies and these orders, whatever was asked.
ModelSet serializable_in(ExternalOrders orders) {
  ModelSet models = {Model::kPl3};
  models.set(Model::kStrongSessionSerializable, orders.process);
  models.set(Model::kPlSs, orders.process && orders.realtime);
  return models;
}

class InferenceCheck {
 public:
  InferenceCheck(const History& history, const CheckOptions& options, const Question& question,
                 Work& work)
      : history_(history), options_(options), question_(question), work_(work) {}

  Answer run() {
    answer_.is_understood = work_.progress("inferring dependencies");
    if (!answer_.is_understood) {
      return std::move(answer_);
    }
    Inference inference = infer();
    answer_.elle_error = inference.elle_error;
    answer_.anomalies = std::move(inference.anomalies);
    answer_.is_understood = !inference.has_foreign_operations;
    answer_.is_total = inference.version_orders_total ||
                       (inference.version_orders_serial && question_.demands_only(is_serial));
    // An order of events does not show further anomalies.
    const bool wants_cycles = inference.explainer != nullptr &&
                              (!question_.wants_order_engine || options_.anomalies.any());
    if (wants_cycles && work_.progress("searching for cycles") && work_.has_budget()) {
      if (!work_.in_memory([&] { find_cycles(inference); })) {
        answer_.is_total = false;
      }
      if (!question_.wants_order_engine) {
        learn_from(inference);
      }
    }
    return std::move(answer_);
  }

 private:
  [[nodiscard]] Inference infer() {
    return row_of(history_.workload()).infer(history_, options_.assumptions, [this] {
      return goes_on();
    });
  }

  [[nodiscard]] bool goes_on() { return work_.progress(work_.stage()) && work_.has_budget(); }

  void find_cycles(const Inference& inference) {
    CycleFindings found =
        elapid::find_cycles(history_, inference,
                            {.orders = question_.orders,
                             .wanted = question_.searched,
                             .proving = question_.prohibited,
                             .edge_visits = options_.budget.edge_visits,
                             .milliseconds = options_.budget.milliseconds,
                             .keep_components = options_.keep_components,
                             .keep_going = [this] {
                               return work_.progress("searching for cycles") && work_.has_budget();
                             }});
    std::ranges::move(found.anomalies, std::back_inserter(answer_.anomalies));
    answer_.components = std::move(found.components);
    answer_.is_partial = found.is_partial;
    answer_.is_total = answer_.is_total && !found.is_partial && work_.spent_budget().empty();
  }

  void learn_from(const Inference& inference) {
    const AnomalySet found = types_of(answer_.anomalies);
    answer_.known.refute(impossible_models(found));
    const bool is_whole = !inference.elle_error && !found.test(AnomalyType::kCycleSearchTimeout) &&
                          work_.spent_budget().empty();
    const ModelSet open =
        (question_.asked | serializable_in(question_.orders)) & ~answer_.known.decided();
    for (const Model model : open) {
      if (spares_any_order(model) || (is_whole && is_settled(model, inference))) {
        answer_.known.prove({model});
      } else if (lacks_times(model) && !has_engine(model)) {
        answer_.undecided.emplace_back(model, kNeedsRealTime);
      }
    }
  }

  /// Whether the model has real time, as all that entail strong PL-1, and the history has none.
  [[nodiscard]] bool lacks_times(Model model) const {
    return question_.lacks_real_time && entailed(model).test(Model::kStrongPl1);
  }

  /// Whether the model concerns only writes, whose order no read shows. Then the order of the
  /// transactions in the history closes no cycle.
  [[nodiscard]] bool spares_any_order(Model model) const {
    return entailed(Model::kStrongPl1).test(model) && !history_.has_lists() &&
           !options_.assumptions.order_something();
  }

  /// Whether the inference would have refuted the model if it did not hold.
  [[nodiscard]] bool is_settled(Model model, const Inference& inference) {
    if (!is_inferred(model) || lacks_times(model)) {
      return false;
    }
    const bool has_all_edges = !answer_.is_partial;
    const bool is_about_writes = entailed(Model::kStrongPl1).test(model);
    if (inference.version_orders_total && has_all_edges) {
      return true;
    }
    return (is_about_writes && (inference.tells_write_orders ||
                                (!inference.tied.empty() && has_all_edges &&
                                 finds_order_of_writers(history_, inference, orders_of(model),
                                                        [this] { return goes_on(); })))) ||
           (inference.version_orders_serial && is_serial(model) && has_all_edges);
  }

  [[nodiscard]] static ExternalOrders orders_of(Model about_writes) {
    return {.process = about_writes != Model::kPl1, .realtime = about_writes == Model::kStrongPl1};
  }

  const History& history_;
  const CheckOptions& options_;
  const Question& question_;
  Work& work_;
  Answer answer_ = {.engine = "elle"};
};

}  // namespace

Answer answer_by_inference(const History& history, const CheckOptions& options,
                           const Question& question, Work& work) {
  return InferenceCheck(history, options, question, work).run();
}

}  // namespace elapid
