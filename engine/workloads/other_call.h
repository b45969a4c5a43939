// A single operation that the workload does not know, by its name alone: `:transfer`.
#pragma once

#include <string>

#include "engine/ir/call.h"

namespace elapid {

/// Decodes it to an operation of kind kOther, which the check refuses.
inline void decode_other(const Call& call, DecodedCall& out) {
  out.mops.push_back(
      {.kind = OpKind::kOther, .value = out.values.intern(':' + std::string(call.f))});
}

}  // namespace elapid
