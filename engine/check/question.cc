#include "engine/check/question.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "engine/ir/share_work.h"
#include "engine/levels/cycle_levels.h"
#include "engine/levels/entailment.h"
#include "engine/levels/ladder.h"

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

/// For Elle, events without invocations are real time, too, but order nothing.
bool has_real_time(const History& history, const CheckOptions& options) {
  return history.info().has_real_time ||
         (options.assumptions.elle_compat && !history.info().is_session_trace);
}

/// If both orders are needed, Elle takes only real time. So it misses violations of session order
/// among transactions that real time does not order.
ExternalOrders orders_of_elle(ExternalOrders needed) {
  return {.process = needed.process && !needed.realtime, .realtime = needed.realtime};
}

/// `asked`: the models to find out about. `each`: decide each by itself.
Question make_question(const History& history, const CheckOptions& options, ModelSet asked,
                       bool each) {
  const bool is_for_elle = options.assumptions.elle_compat;
  const ModelSet violable = is_for_elle ? options.models : entailed(options.models);
  Question question = {.demanded = options.models,
                       .asked = asked,
                       .each_asked = each,
                       .is_for_elle = is_for_elle,
                       .prohibited = prohibited(violable, options.anomalies)};
  question.searched = question.prohibited | prohibited(asked, {});
  const ExternalOrders needed = orders_needed(question.searched);
  question.orders = is_for_elle ? orders_of_elle(needed) : needed;
  question.lacks_real_time = needed.realtime && !has_real_time(history, options);
  question.orders.realtime = needed.realtime && !question.lacks_real_time;
  question.wants_order_engine = options.engine != Engine::kAuto && options.engine != Engine::kElle;
  question.may_widen = !each && !is_for_elle && options.engine == Engine::kAuto;
  return question;
}

/// Whether the options ask for more than whether models hold, or ask it in another way.
bool asks_for_more(const CheckOptions& options) {
  return options.models.none() || options.anomalies.any() || options.each_model ||
         options.needs_order || options.keep_components || options.engine != Engine::kAuto ||
         options.assumptions.elle_compat;
}

}  // namespace

Question question_of(const History& history, const CheckOptions& options) {
  const bool knows_ladders =
      !options.assumptions.elle_compat && options.engine != Engine::kTimestamps;
  const bool each = options.each_model && knows_ladders;
  Question question = make_question(history, options, options.models, each);
  question.wants_ladder = each;
  return question;
}

Question widened(const History& history, const CheckOptions& options) {
  const ModelSet weaker = entailed(options.models);
  ModelSet asked = weaker;
  for (const Model model : weaker) {
    if (options.models.test(model) || !order_level(model)) {
      asked |= entailing(model);
    }
  }
  return make_question(history, options, asked, true);
}

bool has_engine(Model model) {
  return order_level(model).has_value() || cycle_level(model).has_value();
}

ModelSet models_of_visibility() {
  return ModelSet::all().filter([](Model model) {
    const auto level = order_level(model);
    return level && is_saturable(level->visibility) && reads_own_writes(*level);
  });
}

bool has_committed(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.committed(txn)) {
      return true;
    }
  }
  return false;
}

bool has_only_own_operations(const History& history) {
  const bool is_list = history.has_lists();
  return all_are(history.all_ops(), [is_list](Op op) {
    const OpKind kind = op.kind();
    return is_list ? kind == OpKind::kRead || kind == OpKind::kReadList || kind == OpKind::kAppend
                   : kind == OpKind::kRead || kind == OpKind::kWrite;
  });
}

bool has_only_registers(const History& history) {
  return !history.has_lists() && has_only_own_operations(history);
}

bool needs_no_inference(const History& history, const CheckOptions& options) {
  const bool asks_for_inference =
      options.models.none() || options.anomalies.any() || options.engine == Engine::kElle;
  return !asks_for_inference && (options.models & ~models_of_visibility()).none() &&
         has_only_registers(history);
}

std::optional<Model> visible_model_above(const History& history, const CheckOptions& options) {
  if (asks_for_more(options) || !has_only_registers(history)) {
    return std::nullopt;
  }
  const ModelSet above = weakest_of(models_of_visibility().filter(
      [&](Model model) { return (options.models & ~entailed(model)).none(); }));
  std::optional<Model> weakest;
  for (const Model model : above) {
    if (!weakest || order_level(model)->visibility > order_level(*weakest)->visibility) {
      weakest = model;
    }
  }
  return weakest;
}

bool real_time_may_settle(const History& history, const CheckOptions& options) {
  return !asks_for_more(options) && !options.assumptions.order_something() &&
         (options.models & ~entailed(Model::kPlSs)).none() && history.info().has_real_time &&
         !history.info().part_of && history.info().initial_txn.is_none() &&
         !history.info().initial.is_none() && has_only_own_operations(history);
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
             : !is_decided_by_others(model) && (!cycle_level(model) || model == Model::kPl2Plus);
}

std::optional<Error> refuse(const History& history, const CheckOptions& options) {
  const bool may_be_any = options.each_model || options.assumptions.elle_compat;
  for (const Model model : may_be_any ? ModelSet() : options.models) {
    if (auto reason = reason_to_refuse(model, options.engine)) {
      return usage_error(*std::move(reason));
    }
  }
  if (options.assumptions.linearizable_keys && !has_real_time(history, options)) {
    return usage_error(std::string(options.words.linearizable_keys) +
                       " needs real time, which this history does not record");
  }
  return std::nullopt;
}

}  // namespace elapid
