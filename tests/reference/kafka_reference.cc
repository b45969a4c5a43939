#include "tests/reference/kafka_reference.h"

#include <algorithm>

namespace elapid::reference {

namespace {

using Name = std::pair<int, int>;  // key and value
using Values = std::map<int, std::vector<int>>;
using Offset = std::optional<std::int64_t>;

bool is_txn(const KafkaOp& op) {
  return op.f == "txn" || op.f == "send" || op.f == "poll";
}

Values writes(const KafkaOp& op) {
  Values values;
  for (const KafkaMop& mop : op.mops) {
    if (mop.is_send) {
      values[mop.key].push_back(mop.sent.value);
    }
  }
  return values;
}

Values reads(const KafkaOp& op) {
  Values values;
  for (const KafkaMop& mop : op.mops) {
    for (const auto& [key, messages] : mop.polled) {
      values[key];
      for (const KafkaMessage& message : messages) {
        values[key].push_back(message.value);
      }
    }
  }
  return values;
}

bool shows(const Values& values, Name name) {
  const auto found = values.find(name.first);
  return found != values.end() && std::ranges::count(found->second, name.second) > 0;
}

std::string text(Name name) {
  return "key " + std::to_string(name.first) + " value " + std::to_string(name.second);
}

class Judge {
 public:
  Judge(const std::vector<KafkaOp>& ops, const KafkaRules& rules) : ops_(ops), rules_(rules) {}

  KafkaResult run() {
    build_logs();
    find_placements();
    find_bad_reads();
    find_lost();
    find_internal();
    find_external();
    find_unseen();
    find_cycles();
    measure_lag();
    for (const KafkaOp& op : ops_) {
      const std::string cause = op.error.empty() ? "nil" : op.error;
      if (op.type == "info" && is_txn(op) && std::ranges::count(result_.info_causes, cause) == 0) {
        result_.info_causes.push_back(cause);
      }
    }
    for (const auto& [type, cases] : result_.errors) {
      result_.is_valid = result_.is_valid && is_allowed(type);
    }
    const bool has_bad_cycle =
        rules_.has_ww ? false : result_.has_realtime_cycle;  // with ww, G0 and G1c are allowed
    result_.is_valid = result_.is_valid && !has_bad_cycle;
    return result_;
  }

 private:
  [[nodiscard]] bool is_allowed(const std::string& type) const {
    return type == "int-send-skip" ||
           (rules_.subscribes && (type == "poll-skip" || type == "nonmonotonic-poll"));
  }

  [[nodiscard]] bool is_read_by_ok(Name name) const {
    return std::ranges::any_of(
        ops_, [&](const KafkaOp& op) { return op.type == "ok" && shows(reads(op), name); });
  }

  [[nodiscard]] bool must_have_committed(const KafkaOp& op) const {
    bool shown = false;
    for (const auto& [key, values] : writes(op)) {
      for (const int value : values) {
        shown = shown || is_read_by_ok({key, value});
      }
    }
    return op.type == "ok" || ((op.type == "info" || op.type == "open") && shown);
  }

  [[nodiscard]] const KafkaOp* writer(Name name) const {
    const KafkaOp* last = nullptr;
    for (const KafkaOp& op : ops_) {
      last = shows(writes(op), name) ? &op : last;
    }
    return last;
  }

  /// When a message is seen first, sends of all operations included.
  void note(Name name) {
    if (std::ranges::count(seen_, name) == 0) {
      seen_.push_back(name);
    }
  }

  void put(int key, const KafkaMessage& message) {
    if (message.offset && *message.offset >= 0) {
      logs_[key][*message.offset].insert(message.value);
    }
  }

  void build_logs() {
    for (const KafkaOp& op : ops_) {
      const bool counts = must_have_committed(op);
      for (const KafkaMop& mop : op.mops) {
        if (mop.is_send) {
          note({mop.key, mop.sent.value});
          if (counts) {
            put(mop.key, mop.sent);
          }
        }
        for (const auto& [key, messages] : mop.polled) {
          for (const KafkaMessage& message : messages) {
            note({key, message.value});
            put(key, message);
          }
        }
      }
    }
    for (const auto& [key, log] : logs_) {
      for (const auto& [offset, values] : log) {
        const auto first = std::ranges::find_if(seen_, [&, k = key, &v = values](Name name) {
          return name.first == k && v.contains(name.second);
        });
        order_[key].push_back(first->second);
      }
    }
  }

  /// The last index of the value in the order.
  [[nodiscard]] std::optional<int> index(Name name) const {
    const auto order = order_.find(name.first);
    std::optional<int> last;
    for (std::size_t i = 0; order != order_.end() && i < order->second.size(); ++i) {
      last = order->second[i] == name.second ? std::optional(static_cast<int>(i)) : last;
    }
    return last;
  }

  /// The indices of the offsets at which the value was seen.
  [[nodiscard]] std::vector<int> indices(Name name) const {
    std::vector<int> all;
    int i = 0;
    const auto log = logs_.find(name.first);
    if (log != logs_.end()) {
      for (const auto& [offset, values] : log->second) {
        if (values.contains(name.second)) {
          all.push_back(i);
        }
        ++i;
      }
    }
    return all;
  }

  [[nodiscard]] int distance(int key, std::optional<int> from, std::optional<int> to) const {
    const auto i = from ? index({key, *from}) : std::nullopt;
    const auto j = to ? index({key, *to}) : std::nullopt;
    return i && j ? *j - *i : 1;
  }

  void add(const std::string& type, const std::string& what) { result_.errors[type].insert(what); }

  void find_placements() {
    for (const Name& name : seen_) {
      std::string offsets;
      int count = 0;
      for (const auto& [offset, values] : logs_[name.first]) {
        if (values.contains(name.second)) {
          offsets += " " + std::to_string(offset);
          ++count;
        }
      }
      if (count > 1) {
        add("duplicate", text(name) + " count " + std::to_string(count) + " offsets" + offsets);
      }
    }
    for (const auto& [key, log] : logs_) {
      int i = 0;
      for (const auto& [offset, values] : log) {
        if (values.size() > 1) {
          std::string all;
          for (const int value : values) {
            all += " " + std::to_string(value);
          }
          add("inconsistent-offsets", "key " + std::to_string(key) + " offset " +
                                          std::to_string(offset) + " index " + std::to_string(i) +
                                          " values" + all);
        }
        ++i;
      }
    }
  }

  void find_bad_reads() {
    std::set<Name> never_sent;
    for (const KafkaOp& op : ops_) {
      const Values own = writes(op);
      bool is_precommitted = false;
      for (const auto& [key, values] : reads(op)) {
        for (const int value : values) {
          const Name name = {key, value};
          const bool is_refused = std::ranges::any_of(ops_, [&](const KafkaOp& other) {
            return other.type == "fail" && shows(writes(other), name);
          });
          if (op.type == "ok" && is_refused) {
            add("G1a", text(name));
          }
          is_precommitted = is_precommitted || shows(own, name);
          if (writer(name) == nullptr && never_sent.insert(name).second) {
            add("never-sent", text(name));
          }
        }
      }
      if (is_precommitted) {
        add("precommitted-read", "");  // which of its messages is told is open
      }
    }
  }

  void find_lost() {
    std::map<int, int> bounds;
    for (const Name& name : seen_) {
      if (is_read_by_ok(name) && !indices(name).empty()) {
        int& bound = bounds.try_emplace(name.first, -1).first->second;
        bound = std::max(bound, indices(name).front());
      }
    }
    for (const Name& name : seen_) {
      const auto bound = bounds.find(name.first);
      const KafkaOp* sender = writer(name);
      if (bound == bounds.end() || indices(name).empty() || sender == nullptr ||
          indices(name).back() > bound->second || is_read_by_ok(name) ||
          !must_have_committed(*sender)) {
        continue;
      }
      add("lost-write", text(name) + " index " + std::to_string(indices(name).front()) + " max " +
                            std::to_string(bound->second));
    }
  }

  void judge_step(int key, std::optional<int> from, int to, const std::string& skip,
                  const std::string& back) {
    const int delta = distance(key, from, to);
    const std::string what = "key " + std::to_string(key) + " values " +
                             (from ? std::to_string(*from) : "nil") + " " + std::to_string(to) +
                             " delta " + std::to_string(delta);
    if (delta < 1) {
      add(back, what);
    } else if (delta > 1 && !skip.empty()) {
      add(skip, what);
    }
  }

  void find_internal() {
    for (const KafkaOp& op : ops_) {
      for (const auto& [key, values] : reads(op)) {
        const bool is_rebalanced = std::ranges::count(op.rebalanced, key) > 0;
        for (std::size_t i = 1; i < values.size() && !is_rebalanced; ++i) {
          judge_step(key, values[i - 1], values[i], "int-poll-skip", "int-nonmonotonic-poll");
        }
      }
      for (const auto& [key, values] : writes(op)) {
        for (std::size_t i = 1; i < values.size(); ++i) {
          judge_step(key, values[i - 1], values[i], "int-send-skip", "int-nonmonotonic-send");
        }
      }
    }
  }

  void find_external() {
    std::set<int> processes;
    for (const KafkaOp& op : ops_) {
      processes.insert(op.process);
    }
    for (const int process : processes) {
      std::map<int, std::optional<int>> polled;
      std::map<int, std::optional<int>> sent;
      for (const KafkaOp& op : ops_) {
        if (op.process != process) {
          continue;
        }
        if (op.f == "assign" || op.f == "subscribe") {
          if (op.type != "fail") {
            const auto is_forgotten = [&](const auto& entry) {
              return std::ranges::count(op.keys, entry.first) == 0;
            };
            std::erase_if(polled, is_forgotten);
            std::erase_if(sent, is_forgotten);
          }
          continue;
        }
        for (const auto& [key, values] : reads(op)) {
          if (polled.contains(key) && !values.empty()) {
            judge_step(key, polled[key], values.front(), "poll-skip", "nonmonotonic-poll");
          }
          if (op.type == "ok") {
            polled[key] = values.empty() ? std::nullopt : std::optional(values.back());
          }
        }
        for (const auto& [key, values] : writes(op)) {
          if (op.type == "fail") {
            continue;
          }
          if (sent.contains(key)) {
            judge_step(key, sent[key], values.front(), "", "nonmonotonic-send");
          }
          sent[key] = values.back();
        }
      }
    }
  }

  void find_unseen() {
    for (const Name& name : seen_) {
      const bool is_acknowledged = std::ranges::any_of(
          ops_, [&](const KafkaOp& op) { return op.type == "ok" && shows(writes(op), name); });
      if (is_acknowledged && !is_read_by_ok(name)) {
        add("unseen", text(name));
      }
    }
  }

  using Matrix = std::vector<std::vector<bool>>;

  static bool is_cyclic(Matrix reach) {
    const std::size_t n = reach.size();
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (reach[i][k] && reach[k][j]) {
            reach[i][j] = true;
          }
        }
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (reach[i][i]) {
        return true;
      }
    }
    return false;
  }

  void find_cycles() {
    const std::size_t n = ops_.size();
    Matrix edges(n, std::vector<bool>(n, false));
    const auto link = [&](const KafkaOp* from, const KafkaOp* to) {
      if (from != nullptr && to != nullptr && from != to) {
        edges[static_cast<std::size_t>(from - ops_.data())]
             [static_cast<std::size_t>(to - ops_.data())] = true;
      }
    };
    for (const Name& name : seen_) {
      const auto i = index(name);
      if (rules_.has_ww && i && *i > 0) {
        link(writer({name.first, order_[name.first][static_cast<std::size_t>(*i) - 1]}),
             writer(name));
      }
    }
    result_.has_ww_cycle = is_cyclic(edges);
    for (const Name& name : seen_) {
      for (const KafkaOp& op : ops_) {
        if (shows(reads(op), name)) {
          link(writer(name), &op);
        }
      }
    }
    result_.has_cycle = is_cyclic(edges);
    for (const KafkaOp& a : ops_) {
      for (const KafkaOp& b : ops_) {
        if (is_txn(a) && is_txn(b) && a.type == "ok" && a.completed < b.invoked) {
          link(&a, &b);
        }
      }
    }
    result_.has_realtime_cycle = is_cyclic(edges);
  }

  /// When an offset above this one was known to be there; nothing if never.
  [[nodiscard]] Offset expiry(int key, std::int64_t offset) const {
    for (const KafkaOp& op : ops_) {
      if (op.type != "ok" && op.type != "info") {
        continue;
      }
      for (const KafkaMop& mop : op.mops) {
        if (mop.is_send && mop.key == key && mop.sent.offset && *mop.sent.offset > offset) {
          return op.completed;
        }
        for (const auto& [polled, messages] : mop.polled) {
          for (const KafkaMessage& message : messages) {
            if (polled == key && message.offset && *message.offset > offset) {
              return op.completed;
            }
          }
        }
      }
    }
    return {};
  }

  void measure_lag() {
    std::map<int, std::map<int, std::int64_t>> processes;  // by key, the highest offset seen
    for (const KafkaOp& op : ops_) {
      std::map<int, std::int64_t>& seen = processes[op.process];
      if (op.type != "ok") {
        continue;
      }
      const auto see = [&](int key, std::int64_t offset) {
        std::int64_t& highest = seen.try_emplace(key, -1).first->second;
        highest = std::max(highest, offset);
      };
      if (op.f == "subscribe") {
        seen.clear();
      } else if (op.f == "assign") {
        std::erase_if(
            seen, [&](const auto& entry) { return std::ranges::count(op.keys, entry.first) == 0; });
        for (const int key : op.keys) {
          see(key, -1);
        }
      } else if (op.f == "poll" || op.f == "txn") {
        for (const KafkaMop& mop : op.mops) {
          if (mop.is_send && mop.sent.offset) {
            see(mop.key, *mop.sent.offset);
          }
          for (const auto& [key, messages] : mop.polled) {
            see(key, -1);
            for (const KafkaMessage& message : messages) {
              see(key, message.offset.value_or(-1));
            }
          }
        }
        for (const auto& [key, offset] : seen) {
          const Offset expired = expiry(key, offset);
          if (expired) {
            result_.worst_lag = std::max(result_.worst_lag, op.invoked - *expired);
          }
        }
      }
    }
  }

  const std::vector<KafkaOp>& ops_;
  const KafkaRules& rules_;
  KafkaResult result_;
  std::vector<Name> seen_;  // in the order of completions
  std::map<int, std::map<std::int64_t, std::set<int>>> logs_;
  std::map<int, std::vector<int>> order_;
};

}  // namespace

KafkaResult judge_kafka(const std::vector<KafkaOp>& ops, const KafkaRules& rules) {
  return Judge(ops, rules).run();
}

}  // namespace elapid::reference
