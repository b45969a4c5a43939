#include <array>
#include <utility>

#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

class LongForkRequests : public KeyedRequests {
 public:
  explicit LongForkRequests(const WorkloadOptions& options)
      : KeyedRequests({1, 0, {}}), reads_(options.reads) {
    for (std::size_t pairs = 0; pairs < (options.keys + 1) / 2; ++pairs) {
      pairs_.push_back(fresh_pair());
    }
  }

  void next(Random& random, Request& out) override {
    Pair& pair = pairs_[random.below(pairs_.size())];
    const bool reads = pair.written == 2 || (pair.reads < kReads && random.per_million(reads_));
    if (reads) {
      read(pair, random.percent(50), out);
    } else {
      out.function = "write";
      add(OpKind::kWrite, pair.keys[pair.written++], out, 1);
    }
    if (pair.written == 2 && pair.reads >= kReads) {
      for (const KeyRef key : std::exchange(pair, fresh_pair()).keys) {
        keys().release(key.slot);
      }
    }
  }

  bool final_read(std::size_t n, Request& out) override {
    if (n >= pairs_.size()) {
      return false;
    }
    read(pairs_[n], false, out);
    return true;
  }

 private:
  static constexpr std::size_t kReads = 10;  // of a pair, before another one takes its place

  struct Pair {
    std::array<KeyRef, 2> keys = {};
    std::size_t written = 0;
    std::size_t reads = 0;
  };

  Pair fresh_pair() { return {.keys = {keys().fresh(), keys().fresh()}}; }

  void read(Pair& pair, bool backwards, Request& out) {
    ++pair.reads;
    out.function = "read";
    out.only_reads = true;
    add(OpKind::kRead, pair.keys[backwards ? 1 : 0], out);
    add(OpKind::kRead, pair.keys[backwards ? 0 : 1], out);
  }

  std::uint32_t reads_;
  std::vector<Pair> pairs_ = {};
};

}  // namespace

std::unique_ptr<RequestSource> long_fork_requests(const WorkloadOptions& options) {
  return std::make_unique<LongForkRequests>(options);
}

}  // namespace elapid
