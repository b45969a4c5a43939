// The order in which results list values.
//
//   1 2 10 :a "b"     integers by number, then other values by their text
#pragma once

#include "engine/ir/history.h"

namespace elapid {

class ValueOrder {
 public:
  explicit ValueOrder(const History& history) : values_(&history.values()) {}

  bool operator()(ValueId a, ValueId b) const {
    if (a.is_integer() && b.is_integer()) {
      return a < b;  // the usual case
    }
    const auto first = values_->as_integer(a);
    const auto second = values_->as_integer(b);
    if (first && second) {
      return *first < *second;
    }
    return first || second ? first.has_value() : values_->text(a) < values_->text(b);
  }

 private:
  const ValuePool* values_;
};

}  // namespace elapid
