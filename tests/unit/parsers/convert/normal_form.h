// Histories without what conversions may change: names of keys, values and sessions.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/ir/history.h"

namespace elapid {

/// Prints a history session by session. Keys are named by numbers in the order in which they come,
/// and values by numbers of their key; reads of the initial state are `_`, and an initial
/// transaction, which is that state, is left out.
class NormalForm {
 public:
  explicit NormalForm(const History& history) : history_(history) {
    for (const Op op : history.all_ops()) {
      if (op.is_write()) {
        written_.emplace(op.key(), op.value());
      }
    }
    const TxnId initial = history.info().initial_txn;
    for (const Op op : initial.is_none() ? std::span<const Op>() : history.ops(initial)) {
      initial_.emplace(op.key(), op.value());
    }
  }

  [[nodiscard]] std::string text() {
    std::string out;
    for (SessionId session{0}; session.index() < history_.session_count(); ++session.value) {
      std::string line;
      for (const TxnId txn : history_.session_txns(session)) {
        line += txn == history_.info().initial_txn ? "" : text_of(txn);
      }
      out += line.empty() ? "" : line + '\n';
    }
    return out;
  }

 private:
  std::string text_of(TxnId txn) {
    constexpr std::array<const char*, 3> kStatus = {"+", "-", "?"};
    std::string out = kStatus.at(static_cast<std::size_t>(history_.status(txn)));
    for (const Op op : history_.ops(txn)) {
      const std::size_t key = keys_.try_emplace(op.key(), keys_.size()).first->second;
      out += std::string(op.is_read()                  ? " r"
                         : op.kind() == OpKind::kWrite ? " w"
                                                       : " a") +
             std::to_string(key) + '=';
      if (op.kind() == OpKind::kReadList) {
        for (const ValueId element : history_.elements(op)) {
          out += value(op.key(), element) + ',';
        }
      } else {
        out += is_initial(op) ? "_" : value(op.key(), op.value());
      }
    }
    return out + ';';
  }

  bool is_initial(Op op) const {
    if (op.kind() != OpKind::kRead) {
      return false;
    }
    const ValueId initial = history_.info().initial;
    const bool is_unwritten =
        !initial.is_none() && op.value() == initial && !written_.contains({op.key(), initial});
    return op.value().is_nil() || is_unwritten || initial_.contains({op.key(), op.value()});
  }

  std::string value(KeyId key, ValueId value) {
    auto& values = values_[key];
    return std::to_string(values.try_emplace(value, values.size()).first->second);
  }

  const History& history_;
  std::set<std::pair<KeyId, ValueId>> written_;
  std::set<std::pair<KeyId, ValueId>> initial_;
  std::map<KeyId, std::size_t> keys_;
  std::map<KeyId, std::map<ValueId, std::size_t>> values_;
};

inline std::string normal_form(const History& history) {
  return NormalForm(history).text();
}

}  // namespace elapid
