// Random histories of logs, a third of them damaged: the checker finds what the definition finds,
// case by case.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/share_work.h"
#include "engine/workloads/table.h"
#include "harness/generate/random.h"
#include "parsers/read.h"
#include "tests/reference/kafka_reference.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using reference::KafkaMessage;
using reference::KafkaMop;
using reference::KafkaOp;
using reference::KafkaResult;
using reference::KafkaRules;

struct KafkaHistory {
  std::vector<KafkaOp> ops = {};  ///< in the order of completions
  std::string text = {};          ///< EDN
};

std::string text_of(const KafkaMessage& message) {
  return "[" + (message.offset ? std::to_string(*message.offset) : "nil") + " " +
         std::to_string(message.value) + "]";
}

std::string text_of(const KafkaOp& op, bool is_invocation) {
  std::string text = "[";
  if (op.f == "assign" || op.f == "subscribe") {
    for (const int key : op.keys) {
      text += std::to_string(key) + " ";
    }
    return text + "]";
  }
  for (const KafkaMop& mop : op.mops) {
    if (mop.is_send) {
      const bool is_bare = is_invocation || !mop.sent.offset;
      text += "[:send " + std::to_string(mop.key) + " " +
              (is_bare ? std::to_string(mop.sent.value) : text_of(mop.sent)) + "] ";
      continue;
    }
    text += "[:poll";
    if (!is_invocation) {
      text += " {";
      for (const auto& [key, messages] : mop.polled) {
        text += std::to_string(key) + " [";
        for (const KafkaMessage& message : messages) {
          text += text_of(message) + " ";
        }
        text += "] ";
      }
      text += "}";
    }
    text += "] ";
  }
  return text + "]";
}

std::string event(const KafkaOp& op, const std::string& type, std::int64_t at) {
  std::string text = "{:type :" + type + ", :process " + std::to_string(op.process) +
                     ", :f :" + op.f + ", :time " + std::to_string(at * 1'000'000'000) +
                     ", :value " + text_of(op, type == "invoke");
  if (!op.rebalanced.empty() && type != "invoke") {
    text += ", :rebalance-log [{:keys [";
    for (const int key : op.rebalanced) {
      text += std::to_string(key) + " ";
    }
    text += "] :other 1}]";
  }
  return text + (op.error.empty() || type != "info" ? "" : ", :error " + op.error) + "}\n";
}

/// Consumers and producers of a few logs, and their faults.
class KafkaSimulation {
 public:
  explicit KafkaSimulation(std::uint64_t seed)
      : random_(seed), is_damaged_(random_.below(3) == 0), keys_(1 + random_.below(3)) {}

  KafkaHistory run() {
    const std::size_t events = 4 + random_.below(24);
    for (std::size_t i = 0; i < events; ++i) {
      const auto process = static_cast<int>(random_.below(3));
      const auto open = open_.find(process);
      if (open == open_.end()) {
        invoke(process);
      } else {
        complete(open->second);
        open_.erase(open);
      }
    }
    for (auto& [process, op] : open_) {
      op.type = "open";
      op.completed = 1'000'000;
      for (KafkaMop& mop : op.mops) {
        mop.sent.offset.reset();
        mop.polled.clear();
      }
      history_.ops.push_back(op);
    }
    // Sessions are invoked in order, and so are those that never complete.
    std::stable_sort(history_.ops.begin(), history_.ops.end(),
                     [](const KafkaOp& a, const KafkaOp& b) { return a.completed < b.completed; });
    return std::move(history_);
  }

 private:
  int random_key() { return static_cast<int>(random_.below(keys_)); }

  void invoke(int process) {
    KafkaOp op = {.process = process, .invoked = now_};
    const std::size_t kind = random_.below(10);
    if (kind == 0) {
      op.f = random_.percent(50) ? "assign" : "subscribe";
      for (std::size_t i = random_.below(3); i > 0; --i) {
        op.keys.push_back(random_key());
      }
    } else if (kind == 1) {
      op.f = "crash";
    } else {
      const std::size_t size = 1 + random_.below(3);
      bool has_sends = false;
      bool has_polls = false;
      for (std::size_t i = 0; i < size; ++i) {
        KafkaMop mop = {.is_send = random_.percent(50), .key = random_key()};
        mop.sent.value = mop.is_send ? next_value_++ : 0;
        has_sends = has_sends || mop.is_send;
        has_polls = has_polls || !mop.is_send;
        op.mops.push_back(mop);
      }
      op.f = !has_polls && random_.percent(50)   ? "send"
             : !has_sends && random_.percent(50) ? "poll"
                                                 : "txn";
    }
    history_.text += event(op, "invoke", now_++);
    open_.emplace(process, op);
  }

  void complete(KafkaOp& op) {
    const std::size_t fate = random_.below(8);
    op.type = fate < 6 ? "ok" : fate == 6 ? "info" : "fail";
    if (op.f == "crash") {
      op.type = "info";
    }
    const bool happens = op.type == "ok" || (op.type == "info" && random_.percent(50)) ||
                         (is_damaged_ && random_.percent(20));
    for (KafkaMop& mop : op.mops) {
      mop.is_send ? send(mop, happens, op.type == "ok") : poll(op.process, mop);
    }
    if (random_.percent(15) && !op.mops.empty()) {
      op.rebalanced.push_back(random_key());
    }
    if (op.type == "info" && random_.percent(70)) {
      op.error = random_.percent(50) ? ":timeout" : "[:kafka \"gone\"]";
    }
    if (is_damaged_ && random_.percent(40)) {
      damage(op);
    }
    op.completed = now_++;
    history_.text += event(op, op.type, op.completed);
    history_.ops.push_back(op);
  }

  void send(KafkaMop& mop, bool happens, bool is_ok) {
    if (!happens) {
      return;
    }
    std::vector<KafkaMessage>& log = logs_[mop.key];
    const std::int64_t last = log.empty() ? -1 : *log.back().offset;
    const KafkaMessage message = {.offset = last + 1 + static_cast<std::int64_t>(random_.below(2)),
                                  .value = mop.sent.value};
    log.push_back(message);
    if (is_ok && random_.percent(85)) {
      mop.sent.offset = message.offset;
    }
  }

  void poll(int process, KafkaMop& mop) {
    for (int key = 0; key < static_cast<int>(keys_); ++key) {
      if (random_.percent(40)) {
        continue;
      }
      std::size_t& position = positions_[{process, key}];
      std::vector<KafkaMessage>& log = logs_[key];
      std::vector<KafkaMessage> messages;
      for (std::size_t left = random_.below(4); left > 0 && position < log.size(); --left) {
        messages.push_back(log[position++]);
      }
      mop.polled.emplace_back(key, std::move(messages));
    }
  }

  void damage(KafkaOp& op) {
    if (op.mops.empty()) {
      return;
    }
    KafkaMop& mop = op.mops[random_.below(op.mops.size())];
    if (mop.is_send) {
      mop.sent.offset = static_cast<std::int64_t>(random_.below(6));
      return;
    }
    const int key = random_key();
    std::vector<KafkaMessage>& log = logs_[key];
    positions_[{op.process, key}] = random_.below(log.size() + 1);
    if (mop.polled.empty() || mop.polled.front().second.empty()) {
      return;
    }
    std::vector<KafkaMessage>& messages = mop.polled.front().second;
    KafkaMessage& message = messages[random_.below(messages.size())];
    switch (random_.below(5)) {
      case 0:
        message.offset = static_cast<std::int64_t>(random_.below(6));
        return;
      case 1:
        message.offset.reset();
        return;
      case 2:
        message.value = static_cast<int>(random_.below(static_cast<std::size_t>(next_value_) + 2));
        return;
      case 3:
        std::swap(message, messages.front());
        return;
      default:
        messages.erase(messages.begin());
    }
  }

  Random random_;
  bool is_damaged_;
  std::size_t keys_;
  int next_value_ = 0;
  std::int64_t now_ = 0;
  std::map<int, KafkaOp> open_;
  std::map<int, std::vector<KafkaMessage>> logs_;
  std::map<std::pair<int, int>, std::size_t> positions_;
  KafkaHistory history_;
};

// The verdict's side.

const ResultValue* find(const Verdict& verdict, const std::string& key) {
  for (const ResultEntry& entry : verdict.entries) {
    if (entry.key == key) {
      return std::get_if<ResultValue>(&entry.value);
    }
  }
  return nullptr;
}

const ResultValue& at(const ResultValue& map, const std::string& key) {
  for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
    if (map.items[i].text == key) {
      return map.items[i + 1];
    }
  }
  FAIL("no entry " << key);
  return map;
}

std::string result_text(const History& history, const ResultValue& value) {
  using Kind = ResultValue::Kind;
  if (value.kind == Kind::kValue) {
    return history.text(value.value);
  }
  if (value.kind == Kind::kInteger) {
    return std::to_string(value.integer);
  }
  if (value.kind == Kind::kNil) {
    return "nil";
  }
  std::string text;
  for (const ResultValue& item : value.items) {
    text += (text.empty() ? "" : " ") + result_text(history, item);
  }
  return text;
}

std::string case_text(const History& history, const std::string& type, const ResultValue& error) {
  const auto field = [&](const std::string& key) { return result_text(history, at(error, key)); };
  const std::string key = "key " + field("key");
  if (type == "duplicate") {
    return key + " value " + field("value") + " count " + field("count") + " offsets " +
           field("offsets");
  }
  if (type == "inconsistent-offsets") {
    return key + " offset " + field("offset") + " index " + field("index") + " values " +
           field("values");
  }
  if (type == "lost-write") {
    return key + " value " + field("value") + " index " + field("index") + " max " +
           field("max-read-index");
  }
  if (type == "G1a" || type == "never-sent") {
    return key + " value " + field("value");
  }
  if (type == "precommitted-read") {
    return "";
  }
  return key + " values " + field("values") + " delta " + field("delta");
}

struct Checked {
  KafkaResult result = {};
  bool has_cycles = false;
  bool has_plain_cycles = false;
  bool has_ww_cycles = false;
};

/// Reads the verdict back.
Checked read_back(const History& history, const Verdict& verdict) {
  Checked read;
  read.result.is_valid = verdict.validity != Validity::kInvalid;
  for (const ResultValue& name : find(verdict, "error-types")->items) {
    const std::string& type = name.text;
    const ResultValue& entry = *find(verdict, type);
    if (type == "unseen") {
      const ResultValue& messages = at(entry, "messages");
      for (std::size_t i = 0; i < messages.items.size(); i += 2) {
        for (const ResultValue& message : messages.items[i + 1].items) {
          read.result.errors[type].insert("key " + result_text(history, messages.items[i]) +
                                          " value " + result_text(history, message));
        }
      }
      continue;
    }
    if (type.starts_with("G0") || type.starts_with("G1c") || type.ends_with("-exists")) {
      read.has_cycles = true;
      const bool is_plain = !type.ends_with("-realtime") && !type.starts_with("strong-");
      read.has_plain_cycles = read.has_plain_cycles || is_plain;
      read.has_ww_cycles = read.has_ww_cycles || type == "PL-1-cycle-exists";
      continue;
    }
    for (const ResultValue& error : at(entry, "errs").items) {
      read.result.errors[type].insert(type == "poll-skip"
                                          ? "key " + result_text(history, at(error, "key")) +
                                                " delta " + result_text(history, at(error, "delta"))
                                          : case_text(history, type, error));
    }
    const auto count = static_cast<std::size_t>(at(entry, "count").integer);
    CHECK(count >= read.result.errors[type].size());
  }
  for (const ResultValue& cause : find(verdict, "info-txn-causes")->items) {
    read.result.info_causes.push_back(result_text(history, cause));
  }
  read.result.worst_lag = std::stoll(at(*find(verdict, "worst-realtime-lag"), "lag").text);
  return read;
}

/// The values of a poll-skip are not in its result: `key 1 values 2 3 delta 4` is `key 1 delta 4`.
std::multiset<std::string> without_values(const std::multiset<std::string>& cases) {
  std::multiset<std::string> short_ones;
  for (const std::string& each : cases) {
    short_ones.insert(each.substr(0, each.find(" values")) + each.substr(each.find(" delta")));
  }
  return short_ones;
}

Result<Verdict> checked(const LoadedHistory& loaded, const KafkaRules& rules) {
  const WorkThreads small_parts(1, 10);
  CheckOptions options = {.threads = rules.has_ww ? 2U : 1U};
  options.settings.ww_deps = rules.has_ww;
  options.settings.sub_via = {rules.subscribes ? "subscribe" : "assign"};
  return check(loaded.history(), options);
}

void compare(const KafkaHistory& made, const KafkaRules& rules) {
  ReadOptions options;
  options.workload = find_workload("kafka");
  const Result<LoadedHistory> loaded = read_history(memory_source("kafka.edn", made.text), options);
  REQUIRE(loaded);
  const Result<Verdict> verdict = checked(loaded.value(), rules);
  REQUIRE(verdict);
  KafkaResult expected = reference::judge_kafka(made.ops, rules);
  if (expected.errors.contains("poll-skip")) {
    expected.errors["poll-skip"] = without_values(expected.errors["poll-skip"]);
  }
  const Checked found = read_back(loaded.value().history(), verdict.value());
  INFO(made.text);
  CHECK(found.result.errors == expected.errors);
  CHECK(found.result.is_valid == expected.is_valid);
  CHECK(found.result.worst_lag == expected.worst_lag);
  CHECK(found.result.info_causes == expected.info_causes);
  CHECK(found.has_cycles == expected.has_realtime_cycle);
  CHECK(found.has_plain_cycles == expected.has_cycle);
  CHECK(found.has_ww_cycles == expected.has_ww_cycle);
  CHECK((verdict.value().validity == Validity::kInvalid) == !verdict.value().findings.empty());
}

TEST_CASE("property: kafka finds what the definition finds") {
  const std::uint64_t cases = case_count(3000);
  const std::uint64_t first = first_seed_of_cases() * 1'000'000;
  std::map<std::string, std::size_t> seen;
  std::size_t valid = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const KafkaHistory made = KafkaSimulation(first + i).run();
    if (made.ops.empty()) {
      continue;
    }
    const KafkaRules rules = {.subscribes = i % 2 == 0, .has_ww = i % 4 < 2};
    compare(made, rules);
    const KafkaResult result = reference::judge_kafka(made.ops, rules);
    valid += result.is_valid ? 1 : 0;
    for (const auto& [type, errors] : result.errors) {
      ++seen[type];
    }
    seen["cycle"] += result.has_cycle ? 1 : 0;
    seen["realtime"] += result.has_realtime_cycle ? 1 : 0;
  }
  if (cases >= 1000) {
    CHECK(valid > 20);
    CHECK(seen.size() == 16);
  }
}

}  // namespace
}  // namespace elapid
