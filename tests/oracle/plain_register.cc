#include "tests/oracle/plain_register.h"

#include <utility>

#include "engine/linearize/register.h"

namespace elapid {
namespace {

using linearize::Operation;
using linearize::RegisterF;

class PlainRegister : public PlainObject {
 public:
  explicit PlainRegister(PlainRegisterOptions options) : options_(options) {}

  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t number) override {
    const std::uint64_t kinds = options_.has_failed_cas ? 4 : options_.has_cas ? 3 : 2;
    Operation op;
    op.f = static_cast<std::uint8_t>(random.below(kinds));
    switch (linearize::register_f(op)) {
      case RegisterF::kRead:
        break;
      case RegisterF::kWrite:
        op.argument = fresh(random, number);
        break;
      case RegisterF::kCas:
        op.argument = some(random, number);
        op.result = fresh(random, number);
        break;
      case RegisterF::kFailedCas:
        op.argument = some(random, number);
        break;
    }
    return op;
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    const ValueId held = state.empty() ? ValueId::nil() : ValueId::integer(state.front());
    switch (linearize::register_f(op)) {
      case RegisterF::kRead:
        return {{held, state}};
      case RegisterF::kWrite:
        return {{ValueId::none(), {op.argument.as_integer()}}};
      case RegisterF::kCas:
        return op.argument == held
                   ? std::vector<PlainOutcome>{{op.result, {op.result.as_integer()}}}
                   : std::vector<PlainOutcome>();
      case RegisterF::kFailedCas:
        return op.argument != held ? std::vector<PlainOutcome>{{ValueId::none(), state}}
                                   : std::vector<PlainOutcome>();
    }
    return {};
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    const RegisterF f = linearize::register_f(op);
    return f == RegisterF::kRead && random.percent(10)     ? ValueId::nil()
           : f == RegisterF::kRead || f == RegisterF::kCas ? some(random, 12)
                                                           : ValueId::none();
  }

 private:
  ValueId fresh(Random& random, std::uint32_t number) const {
    const auto drawn = static_cast<std::int64_t>(
        options_.values == 0 ? number : random.below(static_cast<std::uint64_t>(options_.values)));
    return ValueId::integer(drawn);
  }

  /// One that may have been written before operation `number`.
  ValueId some(Random& random, std::uint32_t number) const {
    const auto count =
        static_cast<std::uint64_t>(options_.values == 0 ? number + 1 : options_.values);
    return ValueId::integer(static_cast<std::int64_t>(random.below(count)));
  }

  PlainRegisterOptions options_;
};

}  // namespace

std::unique_ptr<PlainObject> plain_register(PlainRegisterOptions options) {
  return std::make_unique<PlainRegister>(options);
}

}  // namespace elapid
