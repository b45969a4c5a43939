// Guesses which write a read of a repeated value saw. Guesses cost little; a check of the level
// then confirms or rejects them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/saturate/observations.h"

namespace elapid {

/// By ambiguous read, a writer or, where there is no guess, Seen::kNoTxn.
using LikelyWriters = std::vector<std::uint32_t>;

/// Guesses the last writer before the reader in the history, if it certainly took effect. Right
/// where the history is a log and transactions hardly overlap. O(log writers) a read.
[[nodiscard]] LikelyWriters latest_writers(const Observations& seen);

/// Guesses the writers of an execution that is causally consistent, session order included.
/// Transactions are put into a commit order one by one, each as soon as its session has come to it
/// and its reads can be served without passing over a visible writer. The reader sees the first
/// writer that will do: so as little as possible becomes visible, and later reads keep their
/// choice. Greedy: it may miss an execution that exists, and then the guesses end where it got
/// stuck. Empty where that would take more than 64 MiB, or `keep_going`, asked now and then, says
/// no.
///
/// O(reads * (sessions + writers of a key's sessions * log)); 4 bytes a transaction and session.
[[nodiscard]] LikelyWriters causal_writers(const Observations& seen,
                                           const std::function<bool()>& keep_going);

/// Settles all ambiguous reads as guessed. Returns whether there is a guess for each.
[[nodiscard]] bool choose_all(const LikelyWriters& writers, Observations& seen);

}  // namespace elapid
