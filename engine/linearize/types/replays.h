// Plain objects of each type, for verify_order.h. They share no code with models and engines.
//
//   fifo_queue_replay(): apply(enqueue 1), apply(dequeue 1) are true, apply(dequeue 1) is false
#pragma once

#include <memory>

#include "engine/linearize/types/verify_order.h"

namespace elapid::linearize {

[[nodiscard]] std::unique_ptr<Replay> fifo_queue_replay();

}  // namespace elapid::linearize
