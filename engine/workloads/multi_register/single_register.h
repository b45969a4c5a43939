// The operations of transactions on one of several registers, viewed alone.
//
//   [[:read :x 1] [:write :x 2] [:write :y 3]]     of :x a cas from 1 to 2, of :y a write of 3
//
// An order of the transactions contains an order of their effects on each register. So if no order
// explains the effects on one register, no order explains the transactions. Single registers are
// decided much faster (engine/linearize/register_judgement.h). The converse does not hold.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/multi_register.h"

namespace elapid {

/// The operation up to whose return no order explains the effects on some register. Nothing if each
/// register has an order or is undecided. Near linear for distinct values.
[[nodiscard]] std::optional<std::uint32_t> contradiction_in_one_register(
    const linearize::Operations& operations, const linearize::RegisterCalls& calls,
    const linearize::InitialValues& initial, std::uint64_t work);

}  // namespace elapid
