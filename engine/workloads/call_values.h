// How workloads read the :value of a call: as a map, as a list, as the value of an operation.
//
//   map_of("{:from 1, :to 2}")     :from 1 :to 2; entry_of(that, ":to") is 2
//   decode_elements(*inside("[1 2]"), out)      a read of the list [1 2]
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/call.h"

namespace elapid {

/// The keys and values of a map in turn, in canonical EDN; empty if it is not a map. O(length).
[[nodiscard]] inline std::vector<std::string_view> map_of(std::string_view text) {
  const bool is_map = text.starts_with('{');
  return is_map ? elements_of(text).value_or(std::vector<std::string_view>())
                : std::vector<std::string_view>();
}

/// The value of a key; empty if it is not there.
[[nodiscard]] inline std::string_view entry_of(std::span<const std::string_view> map,
                                               std::string_view key) {
  for (std::size_t i = 0; i + 1 < map.size(); i += 2) {
    if (map[i] == key) {
      return map[i + 1];
    }
  }
  return {};
}

/// The two elements of a vector; nothing for other values. O(length).
[[nodiscard]] inline std::optional<std::vector<std::string_view>> pair_of(
    std::optional<std::string_view> value) {
  auto pair = value && value->starts_with('[') ? elements_of(*value) : std::nullopt;
  return pair && pair->size() == 2 ? std::move(pair) : std::nullopt;
}

/// Decodes a read that shows a list of these elements.
inline void decode_elements(FormCursor elements, DecodedCall& out) {
  const auto begin = static_cast<std::uint32_t>(out.elements.size());
  while (!elements.leave()) {
    out.elements.push_back(out.values.intern(elements.next()));
  }
  out.mops.push_back({.kind = OpKind::kReadList,
                      .list_begin = begin,
                      .list_length = static_cast<std::uint32_t>(out.elements.size()) - begin});
}

/// Decodes a single operation that the workload does not know, as `:transfer`, by its name. The
/// result is of kind kOther, which the check refuses.
inline void decode_other(const Call& call, DecodedCall& out) {
  out.mops.push_back(
      {.kind = OpKind::kOther, .value = out.values.intern(':' + std::string(call.f))});
}

/// The answer of a read. For a read without an answer, a failed read and any other operation:
/// decodes the call and returns nothing.
[[nodiscard]] inline std::optional<std::string_view> answer_of_read(const Call& call,
                                                                    DecodedCall& out) {
  if (call.f != "read") {
    decode_other(call, out);
    return std::nullopt;
  }
  if (call.type != EventType::kOk || !call.value) {
    out.mops.push_back({.kind = OpKind::kRead});
    return std::nullopt;
  }
  return *call.value;
}

/// Decodes an operation of this kind with the call's value. If it did not succeed, or has no value,
/// the value is the invoked one.
inline void decode_change(const Call& call, OpKind kind, DecodedCall& out) {
  if (call.repeats_invocation()) {
    out.mops.assign(call.invoked);
    return;
  }
  out.mops.push_back(
      {.kind = kind, .value = call.value ? out.values.intern(*call.value) : ValueId::nil()});
}

/// Adds what the completion says behind what was invoked, if that is another value.
inline void add_told(const Call& call, OpKind kind, DecodedCall& out) {
  const ValueId told = call.value ? out.values.intern(*call.value) : ValueId::nil();
  if (told != out.mops.begin()->value) {
    out.mops.push_back({.kind = kind, .value = told});
  }
}

/// For Jepsen adds the invoked operation behind that of a success with another value: its checkers
/// count the attempt by the one and the success by the other.
inline void add_attempt(const Call& call, DecodedCall& out) {
  const bool is_other = call.is_for_jepsen && call.type == EventType::kOk &&
                        !call.invoked.empty() &&
                        call.invoked.front().value != out.mops.begin()->value;
  if (is_other) {
    out.mops.push_back(call.invoked.front());
  }
}

}  // namespace elapid
