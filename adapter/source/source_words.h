// Names of events and transactions by their places in the history's source.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "adapter/elle/description_text.h"
#include "engine/ir/visible.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// File and line of places in the source.
///
/// A line is found by counting newlines from the start of the file. If all places are announced
/// before the first line is asked for, one count finds all.
class SourceLines {
 public:
  explicit SourceLines(LoadedHistory& loaded) : loaded_(loaded) {}

  /// Announces that the line of this place will be asked for.
  void want(SourcePosition position) { lines_.try_emplace(key(position), 0); }

  /// `history.edn:12`, without line breaks.
  [[nodiscard]] std::string file_line(SourcePosition position) {
    return visible_line(file(position)) + ":" + std::to_string(line(position));
  }

  [[nodiscard]] const std::string& file(SourcePosition position) const;
  [[nodiscard]] std::uint64_t line(SourcePosition position);

 private:
  using Key = std::pair<std::uint16_t, std::uint64_t>;

  static Key key(SourcePosition position) { return {position.file, position.offset}; }

  void count();

  LoadedHistory& loaded_;
  std::map<Key, std::uint64_t> lines_;  // 0: not counted yet
};

/// Names events and transactions by the lines of the source, or by their numbers in a session if
/// the source has no lines.
class SourceWords {
 public:
  explicit SourceWords(LoadedHistory& loaded)
      : loaded_(loaded), history_(loaded.history()), lines_(loaded) {}

  /// Announces the lines that the verdict's text will ask for, so that one count finds all.
  void want_all_of(const Verdict& verdict, TextOptions options);

  /// `history.edn:12`; without lines `history.bincode, session 3, transaction 5`.
  [[nodiscard]] std::string place(TxnId txn, EventKind kind);

  /// `line 3`, `lines 3 and 5`.
  [[nodiscard]] std::string cite(std::span<const TxnId> txns, bool full);

  [[nodiscard]] const std::string& file(TxnId txn, EventKind kind) const;
  /// 0 if the source has no lines.
  [[nodiscard]] std::uint64_t line(TxnId txn, EventKind kind);

 private:
  std::string want(TxnId txn, EventKind kind);

  LoadedHistory& loaded_;
  const History& history_;
  SourceLines lines_;
};

/// `options`, completed by the source and by `words`. Refers to `loaded` and `words`.
[[nodiscard]] TextOptions with_source(LoadedHistory& loaded, const Verdict& verdict,
                                      TextOptions options, SourceWords& words);

}  // namespace elapid
