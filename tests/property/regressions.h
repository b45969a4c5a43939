// Histories that went wrong once: tests/regressions/NNN-slug.list or .register, a comment and one
// line in the micro-language.
#pragma once

#include "tests/property/for_all.h"

namespace elapid {

/// Fails the running test with each of them that does something wrong.
void for_all_regressions(const Property& property);

}  // namespace elapid
