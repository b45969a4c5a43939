// A history in a line, to compare with: transactions in the order of their numbers.
#pragma once

#include <string>

#include "engine/ir/history.h"

namespace elapid {

/// `0+ ax1 rx12; 1? wx3`: session, outcome and operations, in the notation of tiny_history.h where
/// keys are letters and values digits.
[[nodiscard]] inline std::string history_line(const History& history) {
  constexpr std::string_view kMarks = "+-?";
  const auto bare = [](std::string text) { return text.starts_with(':') ? text.substr(1) : text; };
  std::string line;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    line += (t > 0 ? "; " : "") + std::to_string(history.session_name(history.session({t}))) +
            kMarks[static_cast<std::size_t>(history.status({t}))];
    for (const Op op : history.ops({t})) {
      line += op.is_read() ? " r" : op.kind() == OpKind::kAppend ? " a" : " w";
      line += bare(history.key_text(op.key()));
      if (op.kind() == OpKind::kReadList) {
        for (const ValueId element : history.elements(op)) {
          line += history.text(element);
        }
      } else {
        line += op.value().is_nil() ? "_" : history.text(op.value());
      }
    }
  }
  return line;
}

}  // namespace elapid
