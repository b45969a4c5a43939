#include <algorithm>
#include <optional>
#include <utility>

#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

/// One object with adds and reads.
class AddRequests : public WholeReads {
 public:
  void next(Random& random, Request& out) override {
    random.per_million(reads_) ? read(out) : add_to(out);
  }

 protected:
  explicit AddRequests(const WorkloadOptions& options)
      : WholeReads({1, 0, {}}), reads_(options.reads) {}

  static void begin_add(std::int64_t what, Request& out) {
    out.function = "add";
    out.invoked = out.completed = PlainValue::kNumber;
    out.numbers[0] = what;
  }

 private:
  virtual void add_to(Request& out) = 0;

  std::uint32_t reads_;
};

class SetRequests : public AddRequests {
 public:
  explicit SetRequests(const WorkloadOptions& options) : AddRequests(options) {}

 private:
  void add_to(Request& out) override {
    begin_add(next_, out);
    add(OpKind::kAppend, keys().at(0), out, next_++);
  }

  void read(Request& out) override {
    begin_read(PlainValue::kElements, out);
    add(OpKind::kReadList, keys().at(0), out);
  }

  std::int64_t next_ = 0;
};

class CounterRequests : public AddRequests {
 public:
  explicit CounterRequests(const WorkloadOptions& options) : AddRequests(options) {}

  std::string_view after_read(Request& request, std::size_t /*step*/, Seen seen) override {
    if (request.only_reads) {
      request.numbers[0] = seen.value_or(0);
    } else {
      request.steps[1].value = seen.value_or(0) + request.numbers[0];
    }
    return {};
  }

 private:
  void add_to(Request& out) override {
    begin_add(1, out);
    out.depends_on_reads = true;
    add(OpKind::kRead, keys().at(0), out);
    add(OpKind::kWrite, keys().at(0), out);
  }

  void read(Request& out) override {
    begin_read(PlainValue::kNumber, out);
    out.depends_on_reads = true;
    add(OpKind::kRead, keys().at(0), out);
  }
};

/// A register that each operation reads, and writes by the value that it read.
class NumberRequests : public KeyedRequests {
 public:
  bool final_read(std::size_t /*n*/, Request& /*out*/) override { return false; }

 protected:
  NumberRequests() : KeyedRequests({1, 0, {}}) {}

  void ask(std::string_view function, PlainTree asked, Request& out) {
    begin_tree(function, std::move(asked), out);
    add(OpKind::kRead, keys().at(0), out);
    add(OpKind::kWrite, keys().at(0), out);
  }
};

/// A lock: the register is 1 while it is held.
class LockRequests : public NumberRequests {
 public:
  void next(Random& random, Request& out) override {
    ask(random.percent(50) ? "acquire" : "release", {}, out);
  }

  std::string_view after_read(Request& request, std::size_t /*step*/, Seen seen) override {
    const bool acquires = request.function == "acquire";
    request.steps[1].value = acquires ? 1 : 0;
    return acquires == (seen.value_or(0) == 1) ? (acquires ? "held" : "not-held") : "";
  }
};

class FetchAndAddRequests : public NumberRequests {
 public:
  void next(Random& random, Request& out) override {
    const auto delta = static_cast<std::int64_t>(1 + random.below(kMostAdded));
    ask("fetch-and-add", PlainTree::vector({PlainTree::number(delta), PlainTree::nil()}), out);
    out.numbers[0] = delta;
  }

  std::string_view after_read(Request& request, std::size_t /*step*/, Seen seen) override {
    request.answered.parts[1] = PlainTree::number(seen.value_or(0));
    request.steps[1].value = seen.value_or(0) + request.numbers[0];
    return {};
  }

 private:
  static constexpr std::size_t kMostAdded = 5;
};

/// A source of ids: the register holds the last id.
class IdRequests : public NumberRequests {
 public:
  void next(Random& /*random*/, Request& out) override { ask("generate", {}, out); }

  std::string_view after_read(Request& request, std::size_t /*step*/, Seen seen) override {
    request.steps[1].value = seen.value_or(0) + 1;
    request.answered = PlainTree::number(request.steps[1].value);
    return {};
  }
};

/// Operations on up to three registers at once.
class MultiRegisterRequests : public KeyedRequests {
 public:
  explicit MultiRegisterRequests(const WorkloadOptions& options)
      : KeyedRequests({options.keys, 0, options.key_law}), reads_(options.reads) {
    if (options.values > 0) {
      values_.emplace(options.value_law, options.values);
    }
  }

  void next(Random& random, Request& out) override {
    begin_tree("txn", PlainTree::vector(), out);
    const std::size_t first = keys().draw(random);
    const std::size_t count = std::min<std::size_t>(keys().count(), 1 + random.below(3));
    for (std::size_t i = 0; i < count; ++i) {
      const KeyRef ref = keys().at((first + i) % keys().count());
      const bool reads = random.per_million(reads_);
      const std::int64_t value =
          values_ ? static_cast<std::int64_t>(values_->draw(random)) : next_++;
      out.asked.parts.push_back(PlainTree::vector(
          {PlainTree::keyword(reads ? "read" : "write"), PlainTree::number(ref.key),
           reads ? PlainTree::nil() : PlainTree::number(value)}));
      add(reads ? OpKind::kRead : OpKind::kWrite, ref, out, reads ? 0 : value);
    }
    out.answered = out.asked;
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    request.answered.parts[step].parts[2] = seen ? PlainTree::number(*seen) : PlainTree::nil();
    return {};
  }

  bool final_read(std::size_t /*n*/, Request& /*out*/) override { return false; }

 private:
  std::uint32_t reads_;
  std::optional<Distribution> values_ = {};
  std::int64_t next_ = 1;
};

}  // namespace

std::unique_ptr<RequestSource> mutex_requests(const WorkloadOptions& /*options*/) {
  return std::make_unique<LockRequests>();
}

std::unique_ptr<RequestSource> fetch_and_add_requests(const WorkloadOptions& /*options*/) {
  return std::make_unique<FetchAndAddRequests>();
}

std::unique_ptr<RequestSource> unique_ids_requests(const WorkloadOptions& /*options*/) {
  return std::make_unique<IdRequests>();
}

std::unique_ptr<RequestSource> multi_register_requests(const WorkloadOptions& options) {
  return std::make_unique<MultiRegisterRequests>(options);
}

std::unique_ptr<RequestSource> set_requests(const WorkloadOptions& options) {
  return std::make_unique<SetRequests>(options);
}

std::unique_ptr<RequestSource> counter_requests(const WorkloadOptions& options) {
  return std::make_unique<CounterRequests>(options);
}

}  // namespace elapid
