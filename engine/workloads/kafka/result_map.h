// The result map of Jepsen's checker of logs.
//
//   {:valid? false, :bad-error-types (:duplicate), :error-types (:duplicate),
//    :duplicate {:count 1, :errs [{:key 1, :value 7, :count 2, :offsets [3 5]}]}, ...}
#pragma once

#include <vector>

#include "engine/verdict/verdict.h"
#include "engine/workloads/kafka/analysis.h"

namespace elapid::kafka {

/// The entries behind :valid?. Counts are exact; of each type the worst cases are listed, as many
/// as Jepsen lists, and where Jepsen lists all, all with `lists_all`, else some hundred. In every
/// case they are in the order in which Jepsen sorts them.
[[nodiscard]] std::vector<ResultEntry> result_entries(const Analysis& analysis, const Rules& rules,
                                                      bool lists_all);

/// The cases of one type that the result lists, in its order.
[[nodiscard]] std::vector<LogError> listed_errors(const Analysis& analysis, ErrorType type,
                                                  bool lists_all);

/// How often the message stands in its log, and the messages at this offset.
[[nodiscard]] std::vector<std::int64_t> offsets_of(const Analysis& analysis, MessageId message);
[[nodiscard]] std::vector<MessageId> messages_at(const Analysis& analysis, KeyId key,
                                                 std::int64_t offset);

/// The messages between two in the version order, which are at a distance above 1.
[[nodiscard]] std::vector<ValueId> skipped_between(const Analysis& analysis, const LogError& error);

/// By value: numbers first, then by text.
void sort_by_value(const Analysis& analysis, std::vector<MessageId>& messages);

}  // namespace elapid::kafka
