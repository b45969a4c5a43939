// The end of a judge: what was found, and what stays open, make the verdict.
//
//   conclude(verdict, !errors.empty(), !was_read, "no :read shows rows")
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/verdict/verdict.h"

namespace elapid {

/// A result map lists at most so many findings of a kind.
inline constexpr std::size_t kMostFindings = 100;

/// Sets the validity: invalid, else unknown if something is open for the reason `why`, else valid.
inline void conclude(Verdict& verdict, bool is_invalid, bool is_open, std::string_view why) {
  verdict.validity = is_invalid ? Validity::kInvalid
                     : is_open  ? Validity::kUnknown
                                : Validity::kValid;
  verdict.complete = !is_open;
  if (is_open) {
    verdict.unknown_because = std::string(why);
  }
}

}  // namespace elapid
