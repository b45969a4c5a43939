#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

class CasRequests : public KeyedRequests {
 public:
  explicit CasRequests(const WorkloadOptions& options)
      : KeyedRequests({options.keys, options.keys > 1 ? options.max_writes : 0, options.key_law}),
        reads_(options.reads),
        values_({options.value_law, options.values > 0 ? options.values : kValues}) {}

  void next(Random& random, Request& out) override {
    const std::size_t place = keys().draw(random);
    if (random.per_million(reads_)) {
      return read(place, out);
    }
    const KeyRef ref = keys().at(place);
    set_tuple(ref, out);
    const std::int64_t before = draw_value(random);
    const std::int64_t after = draw_value(random);
    if (random.percent(50)) {
      out.function = "write";
      out.invoked = out.completed = PlainValue::kNumber;
      out.numbers[0] = after;
    } else {
      out.function = "cas";
      out.invoked = out.completed = PlainValue::kPair;
      out.numbers = {before, after, 0};
      out.depends_on_reads = true;
      add(OpKind::kRead, ref, out);
    }
    add(OpKind::kWrite, ref, out, after);
    keys().count_write(place);
  }

  std::string_view after_read(Request& request, std::size_t /*step*/, Seen seen) override {
    if (!request.only_reads) {
      return seen == request.numbers[0] ? "" : "did-not-match";
    }
    request.completed = seen ? PlainValue::kNumber : PlainValue::kNil;
    request.numbers[0] = seen.value_or(0);
    return {};
  }

  bool final_read(std::size_t n, Request& out) override {
    if (n >= keys().count()) {
      return false;
    }
    read(n, out);
    return true;
  }

 private:
  static constexpr std::size_t kValues = 5;

  void read(std::size_t place, Request& out) {
    const KeyRef ref = keys().at(place);
    set_tuple(ref, out);
    out.function = "read";
    out.invoked = PlainValue::kNil;
    out.completed = PlainValue::kNumber;
    out.only_reads = out.depends_on_reads = true;
    add(OpKind::kRead, ref, out);
  }

  void set_tuple(KeyRef ref, Request& out) const {
    if (keys().count() > 1) {
      out.tuple_key = ref.key;
    }
  }

  std::int64_t draw_value(Random& random) const {
    return static_cast<std::int64_t>(values_.draw(random));
  }

  std::uint32_t reads_;
  Distribution values_;
};

}  // namespace

std::unique_ptr<RequestSource> cas_register_requests(const WorkloadOptions& options) {
  return std::make_unique<CasRequests>(options);
}

}  // namespace elapid
