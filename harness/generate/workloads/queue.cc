#include <algorithm>
#include <deque>

#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

/// A queue as applications keep one in a database: a register says where the next element goes,
/// another where the next one is taken, and each place is a register. A client that misses the last
/// change of the first two overwrites a place in use, or takes what another one has taken.
class QueueRequests : public KeyedRequests {
 public:
  explicit QueueRequests(const WorkloadOptions& options)
      : KeyedRequests({2, 0, {}}), dequeues_(options.reads) {}

  void next(Random& random, Request& out) override {
    random.per_million(dequeues_) ? dequeue(out) : enqueue(out);
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    std::vector<RequestStep>& steps = request.steps;
    const std::int64_t number = seen.value_or(0);
    if (request.invoked == PlainValue::kNumber) {
      set_key(steps[1], place(number));
      steps[2].value = number + 1;
    } else if (step == 0) {
      steps[3].value = number + 1;
      request.numbers[0] = number;
    } else if (step == 1) {
      if (request.numbers[0] >= number) {
        return empty();
      }
      set_key(steps[2], place(request.numbers[0]));
      forget(request.numbers[0] - kRemembered);
    } else {
      request.numbers[0] = number;
      return seen ? "" : empty();
    }
    return {};
  }

  /// Takes out what is left.
  bool final_read(std::size_t n, Request& out) override {
    if (n == 0) {
      is_empty_ = false;
    }
    if (is_empty_) {
      return false;
    }
    dequeue(out);
    return true;
  }

 private:
  static constexpr std::int64_t kRemembered = 256;  // places that a client may still look at

  [[nodiscard]] KeyRef taken() const { return keys().at(0); }

  [[nodiscard]] KeyRef filled() const { return keys().at(1); }

  std::string_view empty() {
    is_empty_ = true;
    return "empty";
  }

  void enqueue(Request& out) {
    out.function = "enqueue";
    out.invoked = out.completed = PlainValue::kNumber;
    out.numbers[0] = next_;
    out.depends_on_reads = true;
    add(OpKind::kRead, filled(), out);
    add(OpKind::kWrite, filled(), out, next_++);
    add(OpKind::kWrite, filled(), out);
  }

  void dequeue(Request& out) {
    out.function = "dequeue";
    out.invoked = PlainValue::kNil;
    out.completed = PlainValue::kNumber;
    out.depends_on_reads = true;
    add(OpKind::kRead, taken(), out);
    add(OpKind::kRead, filled(), out);
    add(OpKind::kRead, filled(), out);
    add(OpKind::kWrite, taken(), out);
  }

  /// The register of a place.
  KeyRef place(std::int64_t number) {
    number = std::max(number, first_);
    while (first_ + static_cast<std::int64_t>(places_.size()) <= number) {
      places_.push_back(keys().fresh());
    }
    return places_[static_cast<std::size_t>(number - first_)];
  }

  void forget(std::int64_t before) {
    for (; first_ < before; ++first_) {
      keys().release(places_.front().slot);
      places_.pop_front();
    }
  }

  std::uint32_t dequeues_;
  std::int64_t next_ = 0;
  std::int64_t first_ = 0;  // the number of the first place in memory
  std::deque<KeyRef> places_ = {};
  bool is_empty_ = false;
};

}  // namespace

std::unique_ptr<RequestSource> queue_requests(const WorkloadOptions& options) {
  return std::make_unique<QueueRequests>(options);
}

}  // namespace elapid
