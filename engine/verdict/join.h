// One verdict of two on the same history, each on levels of its own.
#pragma once

#include "engine/verdict/verdict.h"

namespace elapid {

/// The graver verdict, the first of equals, with the levels, the ladder and the refuted models of
/// both. It is about the models of both.
[[nodiscard]] Verdict joined(Verdict first, Verdict second);

}  // namespace elapid
