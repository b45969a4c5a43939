#include "engine/workloads/kafka/analysis.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/workloads/kafka/message_errors.h"
#include "engine/workloads/kafka/sequence_errors.h"

namespace elapid::kafka {

namespace {

template <std::size_t kCount>
bool is_among(std::string_view type, const std::array<std::string_view, kCount>& types) {
  return std::ranges::find(types, type) != types.end();
}

}  // namespace

std::vector<std::string> Analysis::error_types() const {
  std::set<std::string> types;
  for (std::size_t t = 0; t < errors.size(); ++t) {
    if (!errors.at(t).empty()) {
      types.emplace(name(static_cast<ErrorType>(t)));
    }
  }
  if (!unseen.messages.empty()) {
    types.insert("unseen");
  }
  for (const Anomaly& anomaly : cycles.anomalies) {
    types.emplace(name(anomaly.type));
  }
  return {types.begin(), types.end()};
}

Analysis analyse(const History& history, const Rules& rules,
                 const std::function<bool()>& keep_going) {
  Messages messages(history, rules.counts_open);
  Fates fates(messages);
  VersionOrders orders(messages, fates);
  Analysis analysis = {
      .messages = std::move(messages), .fates = std::move(fates), .orders = std::move(orders)};
  find_placement_errors(analysis.messages, analysis.orders, analysis.errors);
  find_read_errors(analysis.messages, analysis.fates, analysis.errors);
  find_lost_writes(analysis.messages, analysis.fates, analysis.orders, analysis.errors);
  find_internal_errors(analysis.messages, analysis.orders, analysis.errors);
  find_external_errors(analysis.messages, analysis.orders, analysis.errors);
  analysis.unseen = find_unseen(analysis.messages, analysis.fates);
  analysis.lag = worst_realtime_lag(analysis.messages);
  if (!keep_going || keep_going()) {
    analysis.cycles = find_log_cycles(analysis.messages, analysis.fates, analysis.orders,
                                      rules.has_ww, keep_going);
  }
  return analysis;
}

bool is_allowed(std::string_view type, const Rules& rules) {
  constexpr std::array<std::string_view, 6> kAlways = {
      "int-send-skip",           "G0", "G0-process", "G0-realtime", "PL-1-cycle-exists",
      "strong-PL-1-cycle-exists"};
  constexpr std::array<std::string_view, 2> kSubscribed = {"poll-skip", "nonmonotonic-poll"};
  constexpr std::array<std::string_view, 5> kWithWw = {
      "G1c", "G1c-process", "G1c-realtime", "PL-2-cycle-exists", "strong-PL-2-cycle-exists"};
  return is_among(type, kAlways) || (rules.subscribes && is_among(type, kSubscribed)) ||
         (rules.has_ww && is_among(type, kWithWw)) || type == "cycle-search-timeout";
}

}  // namespace elapid::kafka
