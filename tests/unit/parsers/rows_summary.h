// Histories of rows in short, for tests of readers.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "engine/ir/history.h"
#include "engine/rows/text.h"

namespace elapid {

/// A history of rows, as `1 ok [:insert 3 9]; 1 ok [:rp :true {3 9}]`.
inline std::string rows_summary(const History& history) {
  constexpr std::array<const char*, 3> kStatus = {" ok", " fail", " info"};
  std::string out;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    out += (out.empty() ? "" : "; ") + std::to_string(history.session_name(history.session(txn))) +
           kStatus.at(static_cast<std::size_t>(history.status(txn)));
    for (const Op op : history.ops(txn)) {
      out += ' ' + rows::text(history, op);
    }
  }
  return out;
}

}  // namespace elapid
