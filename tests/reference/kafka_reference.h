// Histories of logs judged by definition, in the plainest way: each rule of jepsen.tests.kafka over
// all operations, straight from its words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace elapid::reference {

struct KafkaMessage {
  std::optional<std::int64_t> offset;
  int value = 0;
};

/// `[:send key message]`, or `[:poll {key messages}]`.
struct KafkaMop {
  bool is_send = false;
  int key = 0;
  KafkaMessage sent = {};
  std::vector<std::pair<int, std::vector<KafkaMessage>>> polled = {};
};

struct KafkaOp {
  int process = 0;
  std::string f = {};     ///< txn, send, poll, assign, subscribe, crash
  std::string type = {};  ///< ok, info, fail, open
  std::vector<KafkaMop> mops = {};
  std::vector<int> keys = {};        ///< of :assign and :subscribe
  std::vector<int> rebalanced = {};  ///< of :rebalance-log
  std::string error = {};            ///< of :info
  std::int64_t invoked = 0;          ///< place and time of the invocation
  std::int64_t completed = 0;        ///< of the completion; of an open one after all others
};

struct KafkaRules {
  bool subscribes = false;
  bool has_ww = false;
};

struct KafkaResult {
  bool is_valid = true;
  /// By type, each case as text without its operations; of unseen one a message.
  std::map<std::string, std::multiset<std::string>> errors = {};
  std::int64_t worst_lag = 0;
  std::vector<std::string> info_causes = {};
  /// Whether there is a cycle of ww, of ww and wr, and of these and real time.
  bool has_ww_cycle = false;
  bool has_cycle = false;
  bool has_realtime_cycle = false;
};

/// Requires the operations in the order of their completions.
[[nodiscard]] KafkaResult judge_kafka(const std::vector<KafkaOp>& ops, const KafkaRules& rules);

}  // namespace elapid::reference
