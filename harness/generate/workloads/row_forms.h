// The forms of transactions on rows whose writes depend on the result of a search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace elapid {

/// In the order of row_forms().
enum class RowForm : std::uint8_t {
  kEmptyRange,
  kAbsentKey,
  kBank,
  kScheduling,
  kUniqueName,
  kIdAllocation,
  kOnCall,
  kRaise,
};
inline constexpr std::size_t kRowForms = 8;

/// How often each form is drawn, relative to the others.
using RowFormWeights = std::array<std::uint32_t, kRowForms>;

struct RowFormRow {
  std::string_view name;
  std::string_view about;
  std::uint32_t weight;  ///< default weight
};

[[nodiscard]] std::span<const RowFormRow, kRowForms> row_forms();

[[nodiscard]] RowFormWeights usual_weights();

}  // namespace elapid
