// The operations of sequential as transactions on registers, a subkey each.
//
//   :write 7, of which reads show 2 subkeys     [:w 7_0 1], then [:w 7_1 1]
//   :add [7 "7_0"]                              [:w 7_0 1]
//   :read [7 ["7_1" nil]]                       [:r 7_1 1], then [:r 7_0 nil]
//
// A client does them one after another, so that sequential consistency of its operations is that of
// these transactions: an order that keeps to the sessions and explains the reads. Where a client
// does several at one instant, which is more, the same order explains them.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"

namespace elapid {

/// Without real time. A write of a whole key that failed may have written some subkeys; what comes
/// after an operation of unknown outcome is a session of its own, since the operation may take
/// effect later. Error: the names of subkeys that single operations add do not tell their places.
/// O(subkeys written and read).
[[nodiscard]] Result<History> transactions_of_subkeys(const History& history,
                                                      const JudgeRequest& request);

}  // namespace elapid
