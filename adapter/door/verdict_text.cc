#include "adapter/door/verdict_text.h"

#include "adapter/door/door.h"
#include "adapter/door/source_lines.h"
#include "adapter/elle/explanation.h"

namespace elapid {

std::string verdict_text(LoadedHistory& loaded, const Verdict& verdict, ParagraphOptions options) {
  const History& history = loaded.history();
  SourceLines lines(loaded);
  const auto position = [&](TxnId txn, EventKind kind) {
    return history.event(txn, kind).position;
  };
  // The first pass finds out which lines are wanted, so that the second has them from one count.
  options.fields = {};
  options.place = [&](TxnId txn, EventKind kind) {
    lines.want(position(txn, kind));
    return std::string();
  };
  static_cast<void>(explanation(history, verdict, options));
  options.place = [&](TxnId txn, EventKind kind) { return lines.file_line(position(txn, kind)); };
  options.fields = event_fields(loaded);
  return explanation(history, verdict, options);
}

}  // namespace elapid
