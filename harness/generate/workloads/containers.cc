// Stacks, priority queues, sets and stores of texts in registers, as applications implement them:
//
//   stack             one register is the height; each place has a register
//   priority-queue    eight places, each with an element or 0
//   add-remove-set    a register for each element: 1 if it is inside
//   kv                a number for each key, whose digits are the text; 0 is the empty text
//
// Each operation reads before it writes, so a database that loses updates shows the loss.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

/// A container of elements. Final operations take out the remaining elements.
class ContainerRequests : public KeyedRequests {
 public:
  void next(Random& random, Request& out) override {
    random.per_million(takes_) ? take(out) : put(fresh_element(random), out);
  }

  bool final_read(std::size_t n, Request& out) override {
    if (n > 0 && is_empty_) {
      return false;
    }
    is_empty_ = false;
    take(out);
    return true;
  }

 protected:
  ContainerRequests(const WorkloadOptions& options, std::size_t registers)
      : KeyedRequests({registers, 0, {}}), takes_(options.reads) {}

  static void ask_put(std::string_view function, std::int64_t element, Request& out) {
    begin_tree(function, PlainTree::number(element), out);
    out.numbers[0] = element;
  }

  /// Sets the answer to a take.
  static std::string_view show(std::int64_t element, Request& request) {
    request.answered = PlainTree::number(element);
    return {};
  }

  std::string_view show_empty() {
    is_empty_ = true;
    return "empty";
  }

 private:
  virtual std::int64_t fresh_element(Random& random) = 0;
  virtual void put(std::int64_t element, Request& out) = 0;
  virtual void take(Request& out) = 0;

  std::uint32_t takes_;
  bool is_empty_ = false;
};

class StackRequests : public ContainerRequests {
 public:
  explicit StackRequests(const WorkloadOptions& options) : ContainerRequests(options, 1) {}

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    std::vector<RequestStep>& steps = request.steps;
    const std::int64_t number = seen.value_or(0);
    const bool pushes = request.function == "push";
    if (step > 0) {
      return seen ? show(number, request) : show_empty();
    }
    if (!pushes && number == 0) {
      return show_empty();
    }
    set_key(steps[1], place(pushes ? number : number - 1));
    steps[2].value = pushes ? number + 1 : number - 1;
    return {};
  }

 private:
  std::int64_t fresh_element(Random& /*random*/) override { return ++last_; }

  void put(std::int64_t element, Request& out) override {
    ask_put("push", element, out);
    change(OpKind::kWrite, element, out);
  }

  void take(Request& out) override {
    begin_tree("pop", {}, out);
    change(OpKind::kRead, 0, out);
  }

  /// The height decides the place, and is read first.
  void change(OpKind kind, std::int64_t element, Request& out) {
    add(OpKind::kRead, keys().at(0), out);
    add(kind, keys().at(0), out, element);
    add(OpKind::kWrite, keys().at(0), out);
  }

  KeyRef place(std::int64_t number) {
    while (static_cast<std::int64_t>(places_.size()) <= number) {
      places_.push_back(keys().fresh());
    }
    return places_[static_cast<std::size_t>(number)];
  }

  std::int64_t last_ = 0;
  std::vector<KeyRef> places_ = {};
};

/// Reads all places before it writes one: the first free place, or that of the greatest element.
class PriorityRequests : public ContainerRequests {
 public:
  explicit PriorityRequests(const WorkloadOptions& options) : ContainerRequests(options, kPlaces) {}

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    const std::int64_t held = seen.value_or(0);
    const bool inserts = request.function == "insert";
    if (step == 0) {  // in each attempt
      request.numbers[1] = request.numbers[2] = 0;
    }
    std::int64_t& found = request.numbers[1];  // 1 + the place; numbers[2] is what it holds
    if (inserts ? held == 0 && found == 0 : held > request.numbers[2]) {
      found = static_cast<std::int64_t>(step) + 1;
      request.numbers[2] = held;
      set_key(request.steps[kPlaces], keys().at(step));
    }
    if (step + 1 < kPlaces) {
      return {};
    }
    return found == 0 ? (inserts ? "full" : show_empty())
           : inserts  ? ""
                      : show(request.numbers[2], request);
  }

 private:
  static constexpr std::size_t kPlaces = 8;
  static constexpr std::int64_t kRanks = 100;

  /// A distinct element with a random rank.
  std::int64_t fresh_element(Random& random) override {
    const auto rank = static_cast<std::int64_t>(1 + random.below(kRanks));
    return (rank << 32) + ++last_;
  }

  void put(std::int64_t element, Request& out) override {
    ask_put("insert", element, out);
    change(element, out);
  }

  void take(Request& out) override {
    begin_tree("poll", {}, out);
    change(0, out);
  }

  void change(std::int64_t written, Request& out) {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      add(OpKind::kRead, keys().at(place), out);
    }
    add(OpKind::kWrite, keys().at(0), out, written);
  }

  std::int64_t last_ = 0;
};

class MemberRequests : public KeyedRequests {
 public:
  explicit MemberRequests(const WorkloadOptions& options)
      : KeyedRequests({options.keys, 0, options.key_law}), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    const bool reads = random.per_million(reads_);
    const bool adds = random.percent(50);
    ask(reads ? "contains" : adds ? "add" : "remove", keys().at(keys().draw(random)), out);
    if (!reads) {
      out.steps.push_back(out.steps.front());
      keys().hold(out.steps.front().slot);
      out.steps.back().kind = OpKind::kWrite;
      out.steps.back().value = adds ? 1 : 0;
    }
  }

  std::string_view after_read(Request& request, std::size_t /*step*/, Seen seen) override {
    const bool is_inside = seen.value_or(0) == 1;
    request.completed =
        is_inside != (request.function == "add") ? PlainValue::kAffirmed : PlainValue::kDenied;
    return {};
  }

  bool final_read(std::size_t n, Request& out) override {
    if (n >= keys().count()) {
      return false;
    }
    ask("contains", keys().at(n), out);
    return true;
  }

 private:
  void ask(std::string_view function, KeyRef element, Request& out) {
    out.function = function;
    out.invoked = out.completed = PlainValue::kAsked;
    out.numbers[0] = element.key;
    out.depends_on_reads = true;
    add(OpKind::kRead, element, out);
  }

  std::uint32_t reads_;
};

class TextRequests : public KeyedRequests {
 public:
  explicit TextRequests(const WorkloadOptions& options)
      : KeyedRequests({options.keys, 0, options.key_law}), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    const KeyRef key = keys().at(keys().draw(random));
    if (random.per_million(reads_)) {
      return get(key, out);
    }
    const std::size_t which = random.below(10);
    const auto digit = static_cast<std::int64_t>(1 + random.below(9));
    const bool deletes = which == 0;
    ask(deletes      ? "delete"
        : which <= 3 ? "put"
                     : "append",
        deletes ? PlainTree::nil() : PlainTree::text(std::to_string(digit)), key, out);
    out.numbers[0] = digit;
    if (which > 3) {
      add(OpKind::kRead, key, out);
    }
    add(OpKind::kWrite, key, out, deletes ? 0 : digit);
  }

  std::string_view after_read(Request& request, std::size_t /*step*/, Seen seen) override {
    const std::int64_t text = seen.value_or(0);
    if (request.function == "get") {
      request.answered = text == 0 ? PlainTree::nil() : PlainTree::text(std::to_string(text));
      return {};
    }
    request.steps[1].value = 10 * text + request.numbers[0];
    return text < kLongest ? "" : "full";
  }

  bool final_read(std::size_t n, Request& out) override {
    if (n >= keys().count()) {
      return false;
    }
    get(keys().at(n), out);
    return true;
  }

 private:
  static constexpr std::int64_t kLongest = 100'000'000'000'000'000;  // digits are 18 at most

  void ask(std::string_view function, PlainTree asked, KeyRef key, Request& out) {
    begin_tree(function, std::move(asked), out);
    out.tuple_key = key.key;
  }

  void get(KeyRef key, Request& out) {
    ask("get", {}, key, out);
    out.only_reads = true;
    add(OpKind::kRead, key, out);
  }

  std::uint32_t reads_;
};

}  // namespace

std::unique_ptr<RequestSource> stack_requests(const WorkloadOptions& options) {
  return std::make_unique<StackRequests>(options);
}

std::unique_ptr<RequestSource> priority_queue_requests(const WorkloadOptions& options) {
  return std::make_unique<PriorityRequests>(options);
}

std::unique_ptr<RequestSource> add_remove_set_requests(const WorkloadOptions& options) {
  return std::make_unique<MemberRequests>(options);
}

std::unique_ptr<RequestSource> kv_requests(const WorkloadOptions& options) {
  return std::make_unique<TextRequests>(options);
}

}  // namespace elapid
