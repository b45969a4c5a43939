#include "harness/generate/workloads/jepsen_tests.h"
#include "harness/generate/workloads/keyed_requests.h"

namespace elapid {

namespace {

class BankRequests : public WholeReads {
 public:
  explicit BankRequests(const WorkloadOptions& options)
      : WholeReads({options.keys, 0, options.key_law}), reads_(options.reads) {}

  void next(Random& random, Request& out) override {
    if (keys().count() < 2 || random.per_million(reads_)) {
      return read(out);
    }
    const std::size_t from = keys().draw(random);
    std::size_t to = from;
    while (to == from) {
      to = keys().draw(random);
    }
    const auto amount = static_cast<std::int64_t>(1 + random.below(kLargestTransfer));
    out.function = "transfer";
    out.invoked = out.completed = PlainValue::kTransfer;
    out.depends_on_reads = true;
    out.numbers = {keys().at(from).key, keys().at(to).key, amount};
    for (const OpKind kind : {OpKind::kRead, OpKind::kWrite}) {
      add(kind, keys().at(from), out);
      add(kind, keys().at(to), out);
    }
  }

  std::string_view after_read(Request& request, std::size_t step, Seen seen) override {
    if (request.only_reads) {
      return {};
    }
    const std::int64_t change = step == 0 ? -request.numbers[2] : request.numbers[2];
    RequestStep& write = request.steps[step + 2];
    write.value = seen.value_or(0) + change;
    return write.value < 0 ? "insufficient-funds" : "";
  }

  [[nodiscard]] std::vector<RequestStep> initial_writes() const override {
    return all_written(kFirstBalance);
  }

 private:
  static constexpr std::size_t kLargestTransfer = 5;
  static constexpr std::int64_t kFirstBalance = 10;

  void read(Request& out) override {
    begin_read(PlainValue::kBalances, out);
    for (std::size_t place = 0; place < keys().count(); ++place) {
      add(OpKind::kRead, keys().at(place), out);
    }
  }

  std::uint32_t reads_;
};

}  // namespace

std::unique_ptr<RequestSource> bank_requests(const WorkloadOptions& options) {
  return std::make_unique<BankRequests>(options);
}

}  // namespace elapid
