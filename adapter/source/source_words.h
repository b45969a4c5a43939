// How the source of a history calls its events and transactions.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "adapter/elle/description_text.h"
#include "adapter/source/source_lines.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// Finds events and transactions by what their source numbers: lines of text, or the transactions
/// of a session.
class SourceWords {
 public:
  explicit SourceWords(LoadedHistory& loaded)
      : loaded_(loaded), history_(loaded.history()), lines_(loaded) {}

  /// Announces the lines that the text asks for, so that all of them are found by one count.
  void want_all_of(const Verdict& verdict, TextOptions options);

  /// `history.edn:12`; without lines `history.bincode, session 3, transaction 5`.
  [[nodiscard]] std::string place(TxnId txn, EventKind kind);

  /// `line 3`, `lines 3 and 5`.
  [[nodiscard]] std::string cite(std::span<const TxnId> txns, bool full);

  [[nodiscard]] const std::string& file(TxnId txn, EventKind kind) const;
  /// 0 where the source has no lines.
  [[nodiscard]] std::uint64_t line(TxnId txn, EventKind kind);

 private:
  std::string want(TxnId txn, EventKind kind);

  LoadedHistory& loaded_;
  const History& history_;
  SourceLines lines_;
};

/// `options` with all that is read from the source, as `words` have it; refers to both.
[[nodiscard]] TextOptions with_source(LoadedHistory& loaded, const Verdict& verdict,
                                      TextOptions options, SourceWords& words);

}  // namespace elapid
