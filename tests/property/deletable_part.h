// Whether a minimized history could be smaller still.
#ifndef ELAPID_TESTS_PROPERTY_DELETABLE_PART_H_
#define ELAPID_TESTS_PROPERTY_DELETABLE_PART_H_

#include <string>

#include "engine/ir/history.h"
#include "harness/minimize/keeps.h"

namespace elapid {

/// What could have gone as well, of all parts that minimizing deletes; empty if nothing.
[[nodiscard]] std::string deletable_part(const History& history, const Keeps& keeps);

}  // namespace elapid

#endif  // ELAPID_TESTS_PROPERTY_DELETABLE_PART_H_
