// The forms of transactions on rows that write depending on the result of a search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace elapid {

/// Numbered as row_forms() lists them.
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

/// How often each form is drawn, compared with the others.
using RowFormWeights = std::array<std::uint32_t, kRowForms>;

struct RowFormRow {
  std::string_view name;
  std::string_view about;
  std::uint32_t weight;  ///< by default
};

[[nodiscard]] std::span<const RowFormRow, kRowForms> row_forms();

[[nodiscard]] RowFormWeights usual_weights();

}  // namespace elapid
