// The form of an operation on logs in a history, besides its messages: micro-operations of kind
// kOther.
//
//   {:type :ok, :f :txn, :value [[:send 1 [10 7]] [:poll {2 [[3 5]], 4 []}]]}
//
//   kOther nil :txn                      its function, always the first
//   kAppend 1 7, kWrite 1 10             a message sent, and its offset
//   kOther nil :poll                     a poll begins
//   kRead 2 5, kWrite 2 3                a message polled, and its offset
//   kOther 4 :empty                      the poll found no message
//
//   kOther nil :error, kWrite nil :timeout      at the end: the :error of an :info operation
//
// An :assign or :subscribe has a mark for each of its keys; so has a rebalance.
#pragma once

#include <string_view>

namespace elapid::kafka {

inline constexpr std::string_view kPollMark = ":poll";
inline constexpr std::string_view kEmptyMark = ":empty";
inline constexpr std::string_view kAssignedMark = ":key";
inline constexpr std::string_view kRebalancedMark = ":rebalanced";
inline constexpr std::string_view kErrorMark = ":error";

}  // namespace elapid::kafka
