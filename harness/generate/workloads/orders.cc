#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

PlainTree number_or_nil(Seen seen) {
  return seen ? PlainTree::number(*seen) : PlainTree::nil();
}

/// The two rows of a pair are two keys. Each insertion reads both.
class PairedInsertionRequests : public KeyedRequests {
 public:
  explicit PairedInsertionRequests(const WorkloadOptions& /*options*/)
      : KeyedRequests({1, 0, {}}), rows_({keys().fresh(), keys().fresh()}) {}

  void next(Random& /*random*/, Request& out) override {
    std::vector<PlainTree> ids = {PlainTree::nil(), PlainTree::nil()};
    ids[place_] = PlainTree::number(++ids_made_);
    begin_tree("insert",
               PlainTree::vector({PlainTree::number(pair_), PlainTree::vector(std::move(ids))}),
               out);
    for (const KeyRef row : rows_) {
      add(OpKind::kRead, row, out);
    }
    add(OpKind::kWrite, rows_[place_], out, ids_made_);
    if (++place_ == rows_.size()) {
      place_ = 0;
      ++pair_;
      for (KeyRef& row : rows_) {
        keys().release(std::exchange(row, keys().fresh()).slot);
      }
    }
  }

  std::string_view after_read(Request& /*request*/, std::size_t /*step*/, Seen seen) override {
    return seen ? "too-late" : "";
  }

  bool final_read(std::size_t /*n*/, Request& /*out*/) override { return false; }

 private:
  std::array<KeyRef, 2> rows_;
  std::size_t place_ = 0;
  std::int64_t pair_ = 0;
  std::int64_t ids_made_ = 0;
};

class GrowingCounterRequests : public KeyedRequests {
 public:
  explicit GrowingCounterRequests(const WorkloadOptions& options)
      : KeyedRequests({options.keys, 0, options.key_law}), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    const std::size_t first = keys().draw(random);
    if (random.per_million(reads_)) {
      return read(first, 1 + random.below(std::min(keys().count() - first, kMostRead)), out);
    }
    const KeyRef key = keys().at(first);
    begin_tree("inc", PlainTree::number(key.key), out);
    add(OpKind::kRead, key, out);
    add(OpKind::kWrite, key, out);
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    const std::int64_t value = seen.value_or(0);
    if (request.only_reads) {
      request.answered.parts[2 * step + 1] = PlainTree::number(value);
    } else {
      request.steps[1].value = value + 1;
      request.answered = PlainTree::map({request.asked, PlainTree::number(value + 1)});
    }
    return {};
  }

  bool final_read(std::size_t n, Request& out) override {
    if (n > 0) {
      return false;
    }
    read(0, keys().count(), out);
    return true;
  }

 private:
  static constexpr std::size_t kMostRead = 4;

  void read(std::size_t first, std::size_t count, Request& out) {
    PlainTree asked = PlainTree::map();
    for (std::size_t place = first; place < first + count; ++place) {
      asked.parts.push_back(PlainTree::number(keys().at(place).key));
      asked.parts.push_back(PlainTree::nil());
      add(OpKind::kRead, keys().at(place), out);
    }
    begin_tree("read", std::move(asked), out);
    out.only_reads = true;
  }

  std::uint32_t reads_;
};

/// A write that must fail reads a row last, and gives up.
class EqualRowsRequests : public WholeReads {
 public:
  explicit EqualRowsRequests(const WorkloadOptions& options)
      : WholeReads({kRowCount, 0, {}}), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    if (random.per_million(reads_)) {
      return read(out);
    }
    begin_tree("write", PlainTree::number(++values_), out);
    for (std::size_t row = 0; row < kRowCount; ++row) {
      add(OpKind::kWrite, keys().at(row), out, values_);
    }
    if (random.percent(kGivenUp)) {
      add(OpKind::kRead, keys().at(0), out);
    }
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    if (!request.only_reads) {
      return "rolled-back";
    }
    request.answered.parts[step] = number_or_nil(seen);
    return {};
  }

  [[nodiscard]] std::vector<RequestStep> initial_writes() const override { return all_written(0); }

 private:
  static constexpr std::size_t kRowCount = 4;
  static constexpr std::size_t kGivenUp = 20;  // per cent of the writes

  void read(Request& out) override {
    begin_tree("read", {}, out);
    out.answered = PlainTree::vector(std::vector<PlainTree>(kRowCount));
    out.only_reads = true;
    for (std::size_t row = 0; row < kRowCount; ++row) {
      add(OpKind::kRead, keys().at(row), out);
    }
  }

  std::uint32_t reads_;
  std::int64_t values_ = 0;
};

/// The set is spread over several lists, as over tables. One transaction reads all of them.
class WrittenSetRequests : public WholeReads {
 public:
  explicit WrittenSetRequests(const WorkloadOptions& options)
      : WholeReads({kLists, 0, {}}), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    if (random.per_million(reads_)) {
      return read(out);
    }
    out.function = "write";
    out.invoked = out.completed = PlainValue::kNumber;
    out.numbers[0] = ++values_;
    add(OpKind::kAppend, keys().at(static_cast<std::size_t>(values_) % kLists), out, values_);
  }

 private:
  static constexpr std::size_t kLists = 5;

  void read(Request& out) override {
    begin_read(PlainValue::kElements, out);
    for (std::size_t list = 0; list < kLists; ++list) {
      add(OpKind::kReadList, keys().at(list), out);
    }
  }

  std::uint32_t reads_;
  std::int64_t values_ = 0;
};

/// A key's subkeys are written in order, and read newest first.
class SubkeyRequests : public KeyedRequests {
 public:
  explicit SubkeyRequests(const WorkloadOptions& options)
      : KeyedRequests({1, 0, {}}), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    if (!recent_.empty() && random.per_million(reads_)) {
      return read(recent_[random.below(recent_.size())], out);
    }
    Key key = {.number = written_++};
    begin_tree("write", PlainTree::number(key.number), out);
    out.depends_on_reads = false;
    for (KeyRef& subkey : key.subkeys) {
      subkey = keys().fresh();
      add(OpKind::kWrite, subkey, out, 1);
    }
    if (recent_.size() < kRecentKeys) {
      recent_.push_back(key);
      return;
    }
    Key& oldest = recent_[static_cast<std::size_t>(key.number) % kRecentKeys];
    for (const KeyRef subkey : std::exchange(oldest, key).subkeys) {
      keys().release(subkey.slot);
    }
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    PlainTree& shown = request.answered.parts[1].parts[step];
    const std::size_t subkey = kSubkeys - 1 - step;
    shown = seen ? PlainTree::text(std::to_string(request.asked.parts[0].integer) + '_' +
                                   std::to_string(subkey))
                 : PlainTree::nil();
    return {};
  }

  bool final_read(std::size_t n, Request& out) override {
    if (n >= recent_.size()) {
      return false;
    }
    read(recent_[n], out);
    return true;
  }

 private:
  static constexpr std::size_t kSubkeys = 5;
  static constexpr std::size_t kRecentKeys = 10;

  struct Key {
    std::int64_t number = 0;
    std::array<KeyRef, kSubkeys> subkeys = {};
  };

  void read(const Key& key, Request& out) {
    begin_tree("read", PlainTree::vector({PlainTree::number(key.number), PlainTree::nil()}), out);
    out.answered.parts[1] = PlainTree::vector(std::vector<PlainTree>(kSubkeys));
    out.only_reads = true;
    for (std::size_t i = kSubkeys; i > 0; --i) {
      add(OpKind::kRead, key.subkeys[i - 1], out);
    }
  }

  std::uint32_t reads_;
  std::int64_t written_ = 0;
  std::vector<Key> recent_ = {};
};

}  // namespace

std::unique_ptr<RequestSource> g2_requests(const WorkloadOptions& options) {
  return std::make_unique<PairedInsertionRequests>(options);
}

std::unique_ptr<RequestSource> monotonic_requests(const WorkloadOptions& options) {
  return std::make_unique<GrowingCounterRequests>(options);
}

std::unique_ptr<RequestSource> dirty_reads_requests(const WorkloadOptions& options) {
  return std::make_unique<EqualRowsRequests>(options);
}

std::unique_ptr<RequestSource> written_set_requests(const WorkloadOptions& options) {
  return std::make_unique<WrittenSetRequests>(options);
}

std::unique_ptr<RequestSource> sequential_requests(const WorkloadOptions& options) {
  return std::make_unique<SubkeyRequests>(options);
}

}  // namespace elapid
