#include "engine/linearize/types/replays.h"

#include <cstdint>
#include <deque>

#include "engine/linearize/types/functions.h"

namespace elapid::linearize {
namespace {

template <class F>
bool calls(const Operation& op, F f) {
  return op.f == static_cast<std::uint8_t>(f);
}

class FifoQueueReplay : public Replay {
 public:
  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    if (calls(op, ContainerF::kAdd)) {
      values_.push_back(op.argument);
      return true;
    }
    if (values_.empty() || op.result.is_nil()) {
      return values_.empty() && (op.result.is_nil() || op.result.is_none());
    }
    const bool is_it = op.result.is_none() || op.result == values_.front();
    values_.pop_front();
    return is_it;
  }

 private:
  std::deque<ValueId> values_;
};

}  // namespace

std::unique_ptr<Replay> fifo_queue_replay() {
  return std::make_unique<FifoQueueReplay>();
}

}  // namespace elapid::linearize
