#include "engine/replay/replay.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "engine/replay/order_repair.h"
#include "engine/replay/order_search.h"
#include "engine/rows/rows.h"

namespace elapid {

namespace {

constexpr const char* kNotRecorded =
    "rows may have existed before the first transaction, and what they held is not recorded";

/// The number of attempts for each operation if the first choices are right.
constexpr std::uint64_t kWorkAtOnce = 40;

/// The forms to try: first the levels that imply this one, since they leave fewer choices, then
/// this one.
std::vector<OrderLevel> forms_to_try(OrderLevel level, bool has_real_time) {
  std::vector<OrderLevel> forms;
  const auto add = [&](OrderLevel form) {
    if (std::ranges::find(forms, form) == forms.end()) {
      forms.push_back(form);
    }
  };
  const Visibility visibilities[] = {Visibility::kSerial, level.visibility};
  for (const Visibility visibility : visibilities) {
    if (has_real_time) {
      add({visibility, true, true});
    }
    add({visibility, true, level.real_time});
    add({visibility, level.sessions, level.real_time});
  }
  return forms;
}

ExhaustedSearch failure_of(const History& history, std::uint64_t states) {
  ExhaustedSearch failure = {.states = states};
  std::set<SessionId> sessions;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      failure.txns.push_back(txn);
      sessions.insert(history.session(txn));
    }
  }
  failure.sessions = static_cast<std::uint32_t>(sessions.size());
  return failure;
}

/// Turns an order of the form into an order of the level.
Witness witness_of(const std::vector<OrderEvent>& order, OrderLevel form, OrderLevel level,
                   const replay::RowContents& beginning) {
  Witness witness = {.beginning = replay::parts_at_first(beginning)};
  const bool lacks_starts =
      level.visibility != Visibility::kSerial && form.visibility == Visibility::kSerial;
  for (const OrderEvent event : order) {
    if (lacks_starts) {
      witness.order.push_back({event.txn, false});
    }
    witness.order.push_back(event);
  }
  return witness;
}

}  // namespace

ReplayResult replay_rows(const History& history, const ReplayOptions& options) {
  ReplayResult result;
  const bool is_closed = history.info().rows->is_closed();
  const replay::RowContents beginning = options.beginning.value_or(replay::RowContents());
  if (!is_closed && !options.beginning) {
    result.unknown_because = kNotRecorded;
    return result;
  }
  const bool has_real_time = history.info().has_real_time;
  OrderLevel level = options.level;
  const bool lacks_real_time = level.real_time && !has_real_time;
  level.real_time = level.real_time && has_real_time;
  // The work on forms that imply the level. Most levels that hold are confirmed with it at once.
  const std::uint64_t try_out = 1'000'000 + 200 * std::uint64_t{history.op_count()};
  const auto asked = [&](OrderLevel form, std::uint64_t work) {
    return replay::ReplayBudget{.work = form == level ? options.work : std::min(work, options.work),
                                .states = options.states,
                                .keep_going = options.keep_going};
  };
  // Databases keep real time more often than they promise. With it an order is found quickly.
  const auto holds_with_real_time = [&](OrderLevel form) {
    replay::OrderSearch search(history, form, beginning);
    replay::ReplayBudget budget = asked(form, kWorkAtOnce * std::uint64_t{history.op_count()});
    if (search.run(budget) != Validity::kValid) {
      return false;
    }
    result.validity = Validity::kValid;
    result.witness = witness_of(search.order(), form, level, beginning);
    return true;
  };
  // The setup of an attempt takes as long as reading the history, so the clock is checked before
  // each.
  const auto goes_on = [&] { return !options.keep_going || options.keep_going(); };
  std::vector<OrderLevel> hopeful;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  const std::vector<OrderLevel> forms = forms_to_try(level, has_real_time);
  for (const OrderLevel form : forms) {
    if (form.real_time && !level.real_time && goes_on() && holds_with_real_time(form)) {
      return result;
    }
  }
  for (const OrderLevel form : forms) {
    if (!goes_on()) {
      break;
    }
    if (form.real_time || lacks_real_time) {
      hopeful.push_back(form);
      continue;
    }
    replay::OrderRepair repair(history, form, beginning);
    replay::ReplayBudget budget = asked(form, try_out);
    if (repair.run(budget)) {
      result.validity = Validity::kValid;
      result.witness = witness_of(repair.order(), form, level, beginning);
      return result;
    }
    const bool has_same_events =
        (form.visibility == Visibility::kSerial) == (level.visibility == Visibility::kSerial);
    if (has_same_events && repair.failures() < fewest) {
      fewest = repair.failures();
      result.nearest = repair.nearest();
    }
    if (form == level || !repair.is_contradictory()) {
      hopeful.push_back(form);
    }
  }
  for (const OrderLevel form : hopeful) {
    const bool is_asked = form == level;
    if (!goes_on()) {
      result.validity = Validity::kUnknown;
      break;
    }
    replay::OrderSearch search(history, form, beginning);
    // With real time few choices are left, so this form gets half of the work.
    const bool is_promising = form.real_time && form.visibility == level.visibility;
    replay::ReplayBudget budget =
        asked(form, is_promising ? std::max(try_out, options.work / 2) : try_out);
    result.validity = search.run(budget);
    if (result.validity == Validity::kValid && !lacks_real_time) {
      result.witness = witness_of(search.order(), form, level, beginning);
      return result;
    }
    if (result.validity == Validity::kInvalid && is_asked && !is_closed) {
      result.validity = Validity::kUnknown;
      result.unknown_because = kNotRecorded;
      return result;
    }
    if (result.validity == Validity::kInvalid && is_asked) {
      result.failure = failure_of(history, search.states());
      return result;
    }
  }
  result.is_out_of_budget = result.validity == Validity::kUnknown;
  result.validity = Validity::kUnknown;
  result.unknown_because =
      lacks_real_time ? "the level needs real time, which this history does not record"
                      : "no order of the transactions was found, and not all could be tried";
  return result;
}

}  // namespace elapid
