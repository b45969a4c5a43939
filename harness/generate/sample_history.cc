#include "harness/generate/sample_history.h"

#include <array>
#include <random>
#include <vector>

namespace elapid {

namespace {

struct Mop {
  bool is_write = false;
  std::uint64_t key = 0;
  std::uint64_t value = 0;  // written; of a read: how many writes of the key it sees
};

class SampleSimulation {
 public:
  explicit SampleSimulation(Workload workload) : is_list_(workload == Workload::kListAppend) {
    for (std::uint64_t i = 0; i < keys_.size(); ++i) {
      keys_[i].name = i;
    }
  }

  std::string run(std::int64_t lines) {
    for (std::int64_t line = 0; line < lines; ++line) {
      step();
    }
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kProcesses = 20;
  static constexpr std::size_t kKeys = 80;
  static constexpr std::uint64_t kWritesOfKey = 32;
  static constexpr std::uint64_t kMaxMops = 7;

  struct Key {
    std::uint64_t name = 0;
    std::uint64_t next = 1;  // values are 1, 2, ... in the order of their commits
  };

  /// Below `bound`; the library's distributions differ between implementations.
  std::uint64_t random(std::uint64_t bound) { return random_() % bound; }

  /// An idle process begins a transaction; a busy one completes its own. What it did happened at
  /// the completion, all at once.
  void step() {
    const std::uint64_t process = random(kProcesses);
    std::vector<Mop>& mops = open_[process];
    if (mops.empty()) {
      plan(mops);
      print("invoke", process, mops, false);
    } else {
      execute(mops);
      print("ok", process, mops, true);
      mops.clear();
    }
  }

  void plan(std::vector<Mop>& mops) {
    mops.resize(1 + random(kMaxMops));
    for (Mop& mop : mops) {
      Key& key = keys_[random(kKeys)];
      mop = {.is_write = random(2) == 0, .key = key.name};
      if (mop.is_write) {
        mop.value = key.next++;
      }
      if (key.next > kWritesOfKey) {
        key = {.name = next_key_++};
      }
    }
  }

  void execute(std::vector<Mop>& mops) {
    for (Mop& mop : mops) {
      if (states_.size() <= mop.key) {
        states_.resize(mop.key + 1);
      }
      std::vector<std::uint64_t>& state = states_[mop.key];
      if (mop.is_write) {
        state.push_back(mop.value);
      } else {
        mop.value = state.size();
      }
    }
  }

  void print(const char* type, std::uint64_t process, const std::vector<Mop>& mops,
             bool is_completion) {
    const std::string index = std::to_string(index_++);
    text_ += "{:index " + index + ", :time " + index + "000, :type :" + type + ", :process " +
             std::to_string(process) + ", :f :txn, :value [";
    for (const Mop& mop : mops) {
      text_ += mop.is_write ? (is_list_ ? "[:append " : "[:w ") : "[:r ";
      text_ += std::to_string(mop.key) + ' ' +
               (mop.is_write ? std::to_string(mop.value) : read_text(mop, is_completion)) + ']';
    }
    text_ += "]}\n";
  }

  [[nodiscard]] std::string read_text(const Mop& mop, bool is_completion) const {
    if (!is_completion || mop.value == 0) {
      return "nil";
    }
    const std::vector<std::uint64_t>& state = states_[mop.key];
    if (!is_list_) {
      return std::to_string(state[mop.value - 1]);
    }
    std::string list = "[";
    for (std::uint64_t i = 0; i < mop.value; ++i) {
      list += std::to_string(state[i]) + ' ';
    }
    list.back() = ']';
    return list;
  }

  bool is_list_;
  std::mt19937_64 random_;
  std::array<Key, kKeys> keys_;
  std::array<std::vector<Mop>, kProcesses> open_;
  std::vector<std::vector<std::uint64_t>> states_;  // by key: its writes, in commit order
  std::uint64_t next_key_ = kKeys;
  std::uint64_t index_ = 0;
  std::string text_;
};

}  // namespace

std::string sample_history(Workload workload, std::int64_t lines) {
  return SampleSimulation(workload).run(lines);
}

}  // namespace elapid
