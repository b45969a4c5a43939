// Whose write a read of a repeated value is likely to have seen: guesses that cost little, and
// which a check of the level then confirms or not.
#ifndef ELAPID_ENGINE_SATURATE_LIKELY_WRITERS_H_
#define ELAPID_ENGINE_SATURATE_LIKELY_WRITERS_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/saturate/observations.h"

namespace elapid {

/// By ambiguous read, a writer or, where there is no guess, Seen::kNobody.
using LikelyWriters = std::vector<std::uint32_t>;

/// The last one before the reader in the history, if it certainly took effect: right where the
/// history is a log, and transactions hardly overlap. O(log writers) a read.
[[nodiscard]] LikelyWriters latest_writers(const Observations& seen);

/// Those of an execution that is causally consistent, session order included: transactions are put
/// into a commit order one by one, each as soon as its session has come to it and its reads can be
/// served by writers in that order, without passing over a visible one. Of these the reader sees
/// the first, so that as little as possible becomes visible and later reads keep their choice.
/// Greedy: what it does not find may exist, and then the guesses end where it got stuck. Nothing
/// where that would take more than 64 MiB, or `keep_going`, asked now and then, says no.
///
/// O(reads * (sessions + writers of a key's sessions * log)); 4 bytes a transaction and session.
[[nodiscard]] LikelyWriters causal_writers(const Observations& seen,
                                           const std::function<bool()>& keep_going);

/// Settles all ambiguous reads so; whether there is a guess for each.
[[nodiscard]] bool choose_all(const LikelyWriters& writers, Observations& seen);

}  // namespace elapid

#endif  // ELAPID_ENGINE_SATURATE_LIKELY_WRITERS_H_
