// A register that carries out operations one after another, for verifying orders.
//
//   RegisterReplay replay(ValueId::nil());
//   is_order_of(operations, order, replay)
#pragma once

#include "engine/linearize/register.h"
#include "engine/linearize/types/verify_order.h"

namespace elapid::linearize {

class RegisterReplay final : public Replay {
 public:
  explicit RegisterReplay(ValueId initial) : content_(initial) {}

  bool apply(const Operation& op, [[maybe_unused]] std::uint32_t place) override {
    switch (register_f(op)) {
      case RegisterF::kRead:
        return content_ == op.result;
      case RegisterF::kWrite:
        content_ = op.argument;
        return true;
      case RegisterF::kCas:
        if (content_ != op.argument) {
          return false;
        }
        content_ = op.result;
        return true;
      case RegisterF::kFailedCas:
        return content_ != op.argument;
    }
    return false;
  }

 private:
  ValueId content_;
};

}  // namespace elapid::linearize
