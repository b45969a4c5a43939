#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

/// One thing that is added to and read.
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

}  // namespace

std::unique_ptr<RequestSource> set_requests(const WorkloadOptions& options) {
  return std::make_unique<SetRequests>(options);
}

std::unique_ptr<RequestSource> counter_requests(const WorkloadOptions& options) {
  return std::make_unique<CounterRequests>(options);
}

}  // namespace elapid
