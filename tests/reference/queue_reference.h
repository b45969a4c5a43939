// Histories of queues and of ids judged by definition: jepsen.checker's total-queue, queue and
// unique-ids, over multisets, straight from their words.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace elapid::reference {

/// An event of the history, in its order.
struct CallEvent {
  std::string type;  ///< invoke, ok, fail, info
  int process = 0;
  std::string f;                 ///< enqueue, dequeue, drain, generate
  std::vector<int> values = {};  ///< one, or those of a drain; none is nil
};

struct QueueResult {
  bool is_valid = true;
  bool throws = false;
  /// As text: `lost` is `1 1 2`.
  std::map<std::string, std::string> entries = {};
  /// Whether a value is missing that was acknowledged before a :drain, or a dequeue of nothing,
  /// began that was answered; all drains were answered.
  bool is_lost_for_certain = false;
};

[[nodiscard]] QueueResult judge_total_queue(const std::vector<CallEvent>& events);
[[nodiscard]] QueueResult judge_queue(const std::vector<CallEvent>& events);
[[nodiscard]] QueueResult judge_unique_ids(const std::vector<CallEvent>& events);

}  // namespace elapid::reference
