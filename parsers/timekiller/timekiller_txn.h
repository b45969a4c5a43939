// One transaction of a TimeKiller history, as in the file.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// An integer, which may have been written as a JSON string, or any other string.
struct TimekillerScalar {
  static constexpr std::uint32_t kNoText = std::numeric_limits<std::uint32_t>::max();

  std::int64_t number = 0;       ///< if there is no text
  std::uint32_t text = kNoText;  ///< place in TimekillerTxn::texts

  [[nodiscard]] bool is_number() const { return text == kNoText; }
};

/// A hybrid clock's time: p is compared first, then l.
struct TimekillerClock {
  /// Every l is below this limit.
  static constexpr std::int64_t kLogicalLimit = std::int64_t{1} << 32;

  std::int64_t physical = 0;
  std::int64_t logical = 0;  ///< not negative
  friend auto operator<=>(const TimekillerClock&, const TimekillerClock&) = default;
};

enum class TimekillerValue : std::uint8_t {
  kNone,  ///< absent or null
  kScalar,
  kList,
};

struct TimekillerOp {
  std::uint64_t offset = 0;     ///< in the input
  OpKind kind = OpKind::kRead;  ///< kRead, kWrite or kAppend
  TimekillerValue value_kind = TimekillerValue::kNone;
  TimekillerScalar key = {};
  TimekillerScalar value = {};
  std::uint32_t list_begin = 0;  ///< of kList: range of TimekillerTxn::elements
  std::uint32_t list_length = 0;
};

/// Whether the operation has a value that its kind can have: an append has one, a write has no
/// list.
[[nodiscard]] constexpr bool has_possible_value(const TimekillerOp& op) {
  return op.kind == OpKind::kRead || op.value_kind == TimekillerValue::kScalar ||
         (op.kind == OpKind::kWrite && op.value_kind == TimekillerValue::kNone);
}

/// Reused from transaction to transaction.
struct TimekillerTxn {
  std::uint64_t offset = 0;  ///< in the input
  TimekillerScalar id = {};
  TimekillerScalar session = {};
  TimekillerClock start = {};
  TimekillerClock commit = {};
  std::optional<std::int64_t> sequence = {};  ///< ascends in the order of the session
  std::vector<TimekillerOp> ops = {};
  std::vector<TimekillerScalar> elements = {};
  std::vector<std::string> texts = {};

  /// The integer in decimal, or the text.
  [[nodiscard]] std::string text_of(const TimekillerScalar& scalar) const {
    return scalar.is_number() ? std::to_string(scalar.number) : texts[scalar.text];
  }

  /// Resets the transaction, and keeps the vectors' memory.
  void clear() {
    offset = 0;
    id = session = {};
    start = commit = {};
    sequence.reset();
    ops.clear();
    elements.clear();
    texts.clear();
  }
};

/// The kind of `w`, `write`, `r`, `read`, `a`, `append` in any case.
[[nodiscard]] std::optional<OpKind> find_timekiller_kind(std::string_view name);

/// For messages: `an append`.
[[nodiscard]] const char* describe_timekiller_kind(OpKind kind);

}  // namespace elapid
