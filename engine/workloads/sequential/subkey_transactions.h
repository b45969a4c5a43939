// The operations of sequential as transactions on registers, one for each subkey.
//
//   :write 7, if reads show 2 subkeys           [:w 7_0 1], then [:w 7_1 1]
//   :add [7 "7_0"]                              [:w 7_0 1]
//   :read [7 ["7_1" nil]]                       [:r 7_1 1], then [:r 7_0 nil]
//
// A client runs the transactions one after another. So the operations are sequentially consistent
// iff these transactions are: an order agrees with the sessions and explains the reads. If a client
// runs several at one instant, which is stronger, the same order explains them.
#pragma once

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"

namespace elapid {

/// Without real time. A failed write of a whole key may have written some subkeys. An operation of
/// unknown outcome may take effect after later ones of its session. Error: the names of subkeys
/// that single operations add do not give their places. O(subkeys written and read).
[[nodiscard]] Result<History> transactions_of_subkeys(const History& history,
                                                      const JudgeRequest& request);

}  // namespace elapid
