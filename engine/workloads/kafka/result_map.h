// The result map of Jepsen's checker of logs.
//
//   {:valid? false, :bad-error-types (:duplicate), :error-types (:duplicate),
//    :duplicate {:count 1, :errs [{:key 1, :value 7, :count 2, :offsets [3 5]}]}, ...}
#pragma once

#include <vector>

#include "engine/verdict/verdict.h"
#include "engine/workloads/kafka/analysis.h"

namespace elapid::kafka {

/// The entries after :valid?. Counts are exact. The worst cases of each type are listed, as many as
/// Jepsen lists. If Jepsen lists all, `lists_all` does so, too; else some hundred are listed. The
/// order is always Jepsen's.
[[nodiscard]] std::vector<ResultEntry> result_entries(const Analysis& analysis, const Rules& rules,
                                                      bool lists_all);

/// The cases of one type that the result lists, in its order.
[[nodiscard]] std::vector<LogError> listed_errors(const Analysis& analysis, ErrorType type,
                                                  bool lists_all);

/// The offsets of the message in its log; the messages at this offset.
[[nodiscard]] std::vector<std::int64_t> offsets_of(const Analysis& analysis, MessageId message);
[[nodiscard]] std::vector<MessageId> messages_at(const Analysis& analysis, KeyId key,
                                                 std::int64_t offset);

/// The messages between two others in the version order that are more than 1 apart.
[[nodiscard]] std::vector<ValueId> skipped_between(const Analysis& analysis, const LogError& error);

/// Sorts by value: numbers first, then texts.
void sort_by_value(const Analysis& analysis, std::vector<MessageId>& messages);

}  // namespace elapid::kafka
