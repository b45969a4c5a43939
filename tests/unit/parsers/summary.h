// Histories in short, for tests of readers.
#pragma once

#include <array>
#include <string>

#include "engine/ir/history.h"

namespace elapid {

/// An operation, as `[:r "x" (2 3)]`; lists in round brackets. Of rows the row and a number.
inline std::string summary(const History& history, Op op) {
  constexpr std::array<const char*, 6> kFunctions = {":r", ":r", ":w", ":append", "", ":row"};
  const std::string key = history.key_text(op.key());
  if (op.kind() == OpKind::kOther) {
    return '[' + history.text(op.value()) + ' ' + key + ']';
  }
  std::string out =
      '[' + std::string(kFunctions.at(static_cast<std::size_t>(op.kind()))) + ' ' + key + ' ';
  if (op.kind() != OpKind::kReadList) {
    return out + history.text(op.value()) + ']';
  }
  out += '(';
  for (const ValueId element : history.elements(op)) {
    out += (out.back() == '(' ? "" : " ") + history.text(element);
  }
  return out + ")]";
}

/// The transactions, as `0 ok [:r "x" (2 3)] [:append "x" 4]; 1 fail [:append "x" 5]`.
inline std::string summary(const History& history) {
  constexpr std::array<const char*, 3> kStatus = {"ok", "fail", "info"};
  std::string out;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    out += (out.empty() ? "" : "; ") + std::to_string(history.session_name(history.session(txn))) +
           ' ' + kStatus.at(static_cast<std::size_t>(history.status(txn)));
    for (const Op op : history.ops(txn)) {
      out += ' ' + summary(history, op);
    }
  }
  return out;
}

}  // namespace elapid
