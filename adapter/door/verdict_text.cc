#include "adapter/door/verdict_text.h"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "adapter/door/door.h"
#include "adapter/door/source_lines.h"
#include "adapter/elle/explanation.h"

namespace elapid {
namespace {

/// Finds events and transactions by what their source numbers: lines of text, or the transactions
/// of a session.
class SourceWords {
 public:
  explicit SourceWords(LoadedHistory& loaded)
      : loaded_(loaded), history_(loaded.history()), lines_(loaded) {}

  /// Announces the lines that the text asks for, so that all of them are found by one count.
  void want_all_of(const Verdict& verdict, TextOptions options) {
    options.place = [this](TxnId txn, EventKind kind) { return want(txn, kind); };
    options.cite = [this](std::span<const TxnId> txns) {
      for (const TxnId txn : txns) {
        want(txn, representative_ref(history_, txn).kind);
      }
      return std::string();
    };
    static_cast<void>(explanation(history_, verdict, options));
  }

  [[nodiscard]] std::string place(TxnId txn, EventKind kind) {
    const SourcePosition position = history_.event(txn, kind).position;
    if (loaded_.has_lines()) {
      return lines_.file_line(position);
    }
    return lines_.file(position) +
           (history_.info().is_session_trace ? ", " + place_in_session(history_, txn) : "");
  }

  /// `line 3`, `lines 3 and 5`.
  [[nodiscard]] std::string cite(std::span<const TxnId> txns, bool full) {
    const bool is_one_file = history_.info().files.size() < 2;
    std::vector<std::string> numbers;
    for (const TxnId txn : txns) {
      const SourcePosition position = history_.representative(txn).position;
      numbers.push_back(is_one_file ? fmt::to_string(lines_.line(position))
                                    : lines_.file_line(position));
    }
    return (is_one_file ? txns.size() == 1 ? "line " : "lines " : "") + enumeration(numbers, full);
  }

 private:
  std::string want(TxnId txn, EventKind kind) {
    lines_.want(history_.event(txn, kind).position);
    return "";
  }

  LoadedHistory& loaded_;
  const History& history_;
  SourceLines lines_;
};

}  // namespace

std::string verdict_text(LoadedHistory& loaded, const Verdict& verdict, TextOptions options) {
  const History& history = loaded.history();
  SourceWords words(loaded);
  options.fields = {};
  if (loaded.has_lines()) {
    words.want_all_of(verdict, options);
    options.cite = [&](std::span<const TxnId> txns) { return words.cite(txns, options.full); };
  }
  options.place = [&](TxnId txn, EventKind kind) { return words.place(txn, kind); };
  options.fields = event_fields(loaded);
  return explanation(history, verdict, options);
}

}  // namespace elapid
