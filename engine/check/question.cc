#include "engine/check/question.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "engine/levels/entailment.h"

namespace elapid {

namespace {

/// Why the engine asked for does not check a model; nothing if it does.
std::optional<std::string> reason_to_refuse(Model model, Engine engine) {
  const std::optional<OrderLevel> level = order_level(model);
  const bool needs_search = engine == Engine::kSolver || engine == Engine::kSearch;
  const bool is_refused =
      (needs_search && (!level || is_saturable(level->visibility))) ||
      (engine == Engine::kSaturation && (!level || !is_saturable(level->visibility))) ||
      (engine == Engine::kElle && !is_inferred(model));
  return is_refused ? std::optional(std::string(friendly_name(model)) +
                                    " is not checked by the engine asked for")
                    : std::nullopt;
}

/// `asked`: the models to find out about. `each`: decide each by itself.
Question make_question(const History& history, const CheckOptions& options, ModelSet asked,
                       bool each) {
  Question question = {.demanded = options.models,
                       .asked = asked,
                       .each_asked = each,
                       .prohibited = prohibited(entailed(options.models), options.anomalies)};
  question.searched = question.prohibited | prohibited(asked, {});
  question.orders = orders_needed(question.searched);
  question.lacks_real_time = question.orders.realtime && !history.info().has_real_time;
  question.orders.realtime = question.orders.realtime && !question.lacks_real_time;
  question.wants_order_engine = options.engine != Engine::kAuto && options.engine != Engine::kElle;
  question.may_widen = !each && options.engine == Engine::kAuto;
  return question;
}

}  // namespace

Question question_of(const History& history, const CheckOptions& options) {
  return make_question(history, options, options.models, options.each_model);
}

Question widened(const History& history, const CheckOptions& options) {
  return make_question(history, options, ModelSet::all(), true);
}

bool has_engine(Model model) {
  return order_level(model).has_value();
}

ModelSet models_of_visibility() {
  return ModelSet::all().filter([](Model model) {
    const auto level = order_level(model);
    return level && is_saturable(level->visibility) && reads_own_writes(*level);
  });
}

bool has_only_registers(const History& history) {
  return !history.has_lists() && std::ranges::all_of(history.all_ops(), [](Op op) {
    return op.kind() == OpKind::kRead || op.kind() == OpKind::kWrite;
  });
}

bool needs_no_inference(const History& history, const CheckOptions& options) {
  const bool asks_for_inference =
      options.models.none() || options.anomalies.any() || options.engine == Engine::kElle;
  return !asks_for_inference && (options.models & ~models_of_visibility()).none() &&
         has_only_registers(history);
}

ExternalOrders orders_needed(const AnomalySet& prohibited) {
  using T = AnomalyType;
  const auto any = [&](std::initializer_list<T> types) {
    return std::any_of(types.begin(), types.end(), [&](T type) { return prohibited.test(type); });
  };
  ExternalOrders orders;
  orders.realtime = any({T::kG0Realtime, T::kG1cRealtime, T::kGSingleRealtime,
                         T::kGSingleItemRealtime, T::kGNonadjacentRealtime,
                         T::kGNonadjacentItemRealtime, T::kG2Realtime, T::kG2ItemRealtime});
  orders.process =
      any({T::kG0Process, T::kG1cProcess, T::kGSingleProcess, T::kGSingleItemProcess,
           T::kGNonadjacentProcess, T::kGNonadjacentItemProcess, T::kG2Process, T::kG2ItemProcess});
  return orders;
}

bool is_inferred(Model model) {
  const std::optional<OrderLevel> level = order_level(model);
  return level
             ? level->visibility < Visibility::kPrefix || level->visibility == Visibility::kNothing
             : !is_decided_by_others(model);
}

Error needs_real_time(const CheckOptions& options) {
  return usage_error(std::string(options.words.linearizable_keys) +
                     " needs real time, of which this history has none");
}

std::optional<Error> refuse_unchecked(const CheckOptions& options) {
  for (const Model model : options.each_model ? ModelSet() : options.models) {
    if (auto reason = reason_to_refuse(model, options.engine)) {
      return usage_error(*std::move(reason));
    }
  }
  return std::nullopt;
}

}  // namespace elapid
