#include "tests/watch/random_stream.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "harness/generate/random.h"

namespace elapid {

namespace {

constexpr std::size_t kKeys = 40;
constexpr std::size_t kSessions = 8;
constexpr std::int64_t kOverlap = 20;  // how many others are open while one is

using Values = std::vector<std::int64_t>;  // a list, or the last one counts

struct Version {
  std::int64_t commit = 0;
  Values values;
};

struct Op {
  char kind = 'r';
  std::size_t key = 0;
  Values values;
};

struct Txn {
  std::int64_t number = 0;
  std::size_t session = 0;
  std::int64_t start = 0;
  std::int64_t commit = 0;
  std::string_view outcome = "ok";
  std::vector<Op> ops = {};
};

class Database {
 public:
  Database(const RandomStreamOptions& options, std::uint64_t seed)
      : options_(options), random_(seed), versions_(kKeys), written_(kKeys) {}

  Txn next() {
    Txn txn = {.number = ++count_, .session = random_.below(kSessions), .commit = count_ * 10};
    if (options_.is_recorder && random_.percent(4)) {
      txn.outcome = random_.percent(75) ? "fail" : "info";
    }
    std::int64_t& last = last_commit_[txn.session];
    const std::int64_t earliest = std::max(last, txn.commit - kOverlap * 10);
    const std::int64_t open = (txn.commit - earliest) / 10;
    txn.start = earliest + below(open) * 10 + 1 + below(9);
    if (one_in(200)) {
      txn.start = std::max<std::int64_t>(1, last - 15);  // not behind its predecessor
    }
    const std::size_t op_count = 1 + random_.below(6);
    for (std::size_t op = 0; op < op_count; ++op) {
      txn.ops.push_back(next_op(txn));
    }
    commit(txn);
    if (txn.outcome == "ok") {
      last = txn.commit;
      if (one_in(500)) {
        txn.start = txn.commit + 5;
      }
    }
    return txn;
  }

 private:
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(n)));
  }

  bool one_in(std::size_t n) { return random_.below(n) == 0; }

  Values seen(const Txn& txn, std::size_t key) const {
    const std::vector<Version>& versions = versions_[key];
    const auto behind =
        std::ranges::find_if(versions, [&](const Version& v) { return v.commit > txn.start; });
    Values values = behind == versions.begin() ? Values() : std::prev(behind)->values;
    for (const Op& op : txn.ops) {
      if (op.kind == 'w' && op.key == key) {
        values.push_back(op.values.front());
      }
    }
    return values;
  }

  Op next_op(const Txn& txn) {
    const std::size_t key = random_.below(kKeys);
    const std::vector<Version>& versions = versions_[key];
    const bool overlaps = !versions.empty() && versions.back().commit > txn.start;
    if (random_.percent(50) && (!overlaps || one_in(40))) {
      written_[key].push_back(++value_);
      return {'w', key, {value_}};
    }
    Values values = seen(txn, key);
    if (one_in(60)) {
      make_wrong(values, key);
    }
    return {'r', key, std::move(values)};
  }

  void make_wrong(Values& values, std::size_t key) {
    if (one_in(5) || written_[key].empty()) {
      values.push_back(1'000'000 + count_);  // never written
    } else if (options_.is_list && !values.empty() && one_in(2)) {
      values.pop_back();
    } else {
      values.push_back(
          written_[key][written_[key].size() - 1 -
                        random_.below(std::min<std::size_t>(6, written_[key].size()))]);
    }
  }

  void commit(const Txn& txn) {
    if (txn.outcome != "ok") {
      return;
    }
    for (const Op& op : txn.ops) {
      if (op.kind == 'w') {
        std::vector<Version>& versions = versions_[op.key];
        Values values = versions.empty() ? Values() : versions.back().values;
        values.push_back(op.values.front());
        versions.push_back({txn.commit, std::move(values)});
      }
    }
  }

  const RandomStreamOptions& options_;
  Random random_;
  std::vector<std::vector<Version>> versions_;
  std::vector<Values> written_;
  std::map<std::size_t, std::int64_t> last_commit_;
  std::int64_t count_ = 0;
  std::int64_t value_ = 0;
};

std::string value_text(const Op& op, bool is_list) {
  if (op.kind == 'r' && is_list) {
    std::string text = "[";
    for (const std::int64_t value : op.values) {
      text += (text.size() > 1 ? "," : "") + std::to_string(value);
    }
    return text + "]";
  }
  return op.values.empty() ? "null" : std::to_string(op.values.back());
}

std::string timekiller_line(const Txn& txn, bool is_list) {
  const std::string write = is_list ? "a" : "w";
  std::string line = R"({"tid":"t)" + std::to_string(txn.number) + R"(x","sid":)" +
                     std::to_string(txn.session) + R"(,"sts":{"p":)" + std::to_string(txn.start) +
                     R"(,"l":0},"cts":{"p":)" + std::to_string(txn.commit) + R"(,"l":0},"ops":[)";
  for (const Op& op : txn.ops) {
    line += (line.back() == '[' ? R"({"t":")" : R"(,{"t":")") + (op.kind == 'w' ? write : "r") +
            R"(","k":)" + std::to_string(op.key) + R"(,"v":)" + value_text(op, is_list) + "}";
  }
  return line + "]}\n";
}

std::string recorder_line(const Txn& txn, bool is_list) {
  const std::string write = is_list ? R"("append")" : R"("w")";
  std::string line = R"({"type":")" + std::string(txn.outcome) + R"(","index":)" +
                     std::to_string(txn.number) + R"(,"process":)" + std::to_string(txn.session) +
                     R"(,"invoked":)" + std::to_string(txn.start) + R"(,"completed":)" +
                     std::to_string(std::max(txn.start, txn.commit) + 1) + R"(,"start_ts":)" +
                     std::to_string(txn.start);
  if (txn.outcome == "ok") {
    line += R"(,"commit_ts":)" + std::to_string(txn.commit);
  }
  line += R"(,"value":[)";
  for (const Op& op : txn.ops) {
    const bool is_unknown = op.kind == 'r' && txn.outcome != "ok";
    line += std::string(line.back() == '[' ? "[" : ",[") + (op.kind == 'w' ? write : R"("r")") +
            R"(,"key )" + std::to_string(op.key) + R"(",)" +
            (is_unknown ? "null" : value_text(op, is_list)) + "]";
  }
  return line + "]}\n";
}

}  // namespace

std::vector<std::string> random_stream(const RandomStreamOptions& options, std::uint64_t seed) {
  Database database(options, seed);
  Random random(seed + 1);
  std::multimap<std::size_t, std::string> by_arrival;
  for (std::size_t i = 0; i < options.txns; ++i) {
    const Txn txn = database.next();
    const std::size_t delay = options.delay * (random.percent(1) ? 10 : 1);
    by_arrival.emplace(i + random.below(delay), options.is_recorder
                                                    ? recorder_line(txn, options.is_list)
                                                    : timekiller_line(txn, options.is_list));
    if (random.below(options.txns) < 3) {
      by_arrival.emplace(i, "{\"tid\": no transaction\n");
    }
  }
  std::vector<std::string> lines;
  for (auto& [place, line] : by_arrival) {
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace elapid
