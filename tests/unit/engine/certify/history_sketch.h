// Histories in a line a transaction: `ax1` appends 1 to :x, `wx1` writes it, `rx12` reads the list
// [1 2], `rx` the empty list, `rx_` nil. In register sketches `rx1` reads 1.
#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/certify/certify.h"
#include "engine/ir/history_builder.h"

namespace elapid {

enum class SketchKind : std::uint8_t { kLists, kRegisters };

/// The element or register value 1 ... 9.
inline ValueId v(std::int64_t n) {
  return ValueId::integer(n);
}

class HistorySketch {
 public:
  explicit HistorySketch(SketchKind kind) : kind_(kind) {}

  /// Transactions alone in time. Answers the transaction's number.
  TxnId ok(std::int64_t process, std::string_view ops) {
    return alone(EventType::kOk, process, ops);
  }

  TxnId fail(std::int64_t process, std::string_view ops) {
    return alone(EventType::kFail, process, ops);
  }

  TxnId info(std::int64_t process, std::string_view ops) {
    return alone(EventType::kInfo, process, ops);
  }

  void invoke(std::int64_t process, std::string_view ops) {
    event(EventType::kInvoke, process, ops);
  }

  TxnId complete(EventType type, std::int64_t process, std::string_view ops) {
    event(type, process, ops);
    return TxnId{completed_++};
  }

  KeyId key(char name) { return builder_.key(builder_.values().intern(std::string(":") + name)); }

  History build() {
    Result<History> history = std::move(builder_).build({});
    return std::move(history).value();
  }

 private:
  TxnId alone(EventType type, std::int64_t process, std::string_view ops) {
    invoke(process, ops);
    return complete(type, process, ops);
  }

  void event(EventType type, std::int64_t process, std::string_view ops) {
    std::istringstream words{std::string(ops)};
    std::vector<MopInput> mops;
    std::vector<ValueId> elements;
    for (std::string word; words >> word;) {
      mops.push_back(mop(word, type == EventType::kInvoke, elements));
    }
    const Status status =
        builder_.add_event({.type = type, .process = process, .mops = mops, .elements = elements});
    if (!status.ok()) {
      throw std::logic_error(status.error().to_string());
    }
  }

  MopInput mop(std::string_view word, bool is_invocation, std::vector<ValueId>& elements) {
    const KeyId on = key(word[1]);
    const std::string_view digits = word.substr(2);
    if (word[0] != 'r') {
      const OpKind kind = word[0] == 'a' ? OpKind::kAppend : OpKind::kWrite;
      return {.kind = kind, .key = on, .value = digits == "_" ? ValueId::nil() : value(digits[0])};
    }
    if (digits == "_" || is_invocation) {
      return {.kind = OpKind::kRead, .key = on};
    }
    if (kind_ == SketchKind::kRegisters) {
      return {.kind = OpKind::kRead, .key = on, .value = value(digits[0])};
    }
    const auto begin = static_cast<std::uint32_t>(elements.size());
    for (const char digit : digits) {
      elements.push_back(value(digit));
    }
    return {.kind = OpKind::kReadList,
            .key = on,
            .list_begin = begin,
            .list_length = static_cast<std::uint32_t>(digits.size())};
  }

  static ValueId value(char digit) { return v(digit - '0'); }

  SketchKind kind_;
  HistoryBuilder builder_;
  std::uint32_t completed_ = 0;
};

/// `to` put `after` in the place of what `from` had written, `before`.
inline Step ww(TxnId from, TxnId to, KeyId key, ValueId before, ValueId after,
               std::int32_t from_mop, std::int32_t to_mop) {
  return {.from = from,
          .to = to,
          .relation = Relation::kWw,
          .key = key,
          .value = before,
          .value_after = after,
          .from_mop = from_mop,
          .to_mop = to_mop};
}

/// `to` read what `from` had written.
inline Step wr(TxnId from, TxnId to, KeyId key, ValueId value, std::int32_t from_mop,
               std::int32_t to_mop) {
  return {.from = from,
          .to = to,
          .relation = Relation::kWr,
          .key = key,
          .value = value,
          .from_mop = from_mop,
          .to_mop = to_mop};
}

/// `from` read `before`, none() for the initial state, and `to` put `after` in its place.
inline Step rw(TxnId from, TxnId to, KeyId key, ValueId before, ValueId after,
               std::int32_t from_mop, std::int32_t to_mop) {
  Step step = ww(from, to, key, before, after, from_mop, to_mop);
  step.relation = Relation::kRw;
  return step;
}

/// Certify's objection to one anomaly, or nothing.
inline std::string objection(const History& history, SketchKind kind, AnomalyType type,
                             Evidence evidence, const Assumptions& assumptions = {}) {
  const Certifier certifier(history, assumptions, kind == SketchKind::kLists);
  const auto failures = certifier.certify({{type, std::move(evidence)}});
  return failures.empty() ? "" : failures.front().reason;
}

}  // namespace elapid
