// Guesses of the write that a read of a repeated value saw. Guesses cost little; a check of the
// level then confirms or rejects them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/saturate/observations.h"

namespace elapid {

/// By ambiguous read: a writer, or Seen::kNoTxn if there is no guess.
using LikelyWriters = std::vector<std::uint32_t>;

/// Guesses the last writer before the reader in the history, if it certainly took effect. Right if
/// the history is a log and transactions rarely overlap. O(log writers) a read.
[[nodiscard]] LikelyWriters latest_writers(const Observations& seen);

/// Guesses the writers of a causally consistent execution with session order. Puts
/// transactions into a commit order one by one, each as soon as its session has reached it
/// and its reads can be served without skipping a visible writer. The reader sees the first
/// writer that fits: so as little as possible becomes visible, and later reads keep their
/// choice. Greedy: it may miss an execution that exists; then it has guesses only up to that
/// point. Empty if it needs more than 64 MiB, or if `keep_going`, called now and then,
/// returns false.
///
/// O(reads * (sessions + writers of a key's sessions * log)); 4 bytes a transaction and session.
[[nodiscard]] LikelyWriters causal_writers(const Observations& seen,
                                           const std::function<bool()>& keep_going);

/// The same of an execution that keeps PRAM: a read makes those visible that come before the writer
/// in its session, and to later transactions of its own session the writer; not what these saw.
[[nodiscard]] LikelyWriters pram_writers(const Observations& seen,
                                         const std::function<bool()>& keep_going);

/// Settles all ambiguous reads as guessed. Whether there is a guess for each.
[[nodiscard]] bool choose_all(const LikelyWriters& writers, Observations& seen);

}  // namespace elapid
