// Jepsen's and elle-cli's checker of banks, read by read: ../design/workloads.md, section 4.
//
//   first read {0 10 1 10}, then {0 10 1 11}: false, one error, `wrong-total`
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/reference/plain_call.h"

namespace elapid {

/// What is not in a history.
struct PlainBank {
  std::vector<std::string> accounts = {};  ///< none: those of the first read
  std::optional<std::int64_t> total = {};  ///< none: that of the first read
  bool may_be_negative = false;
};

struct PlainVerdict {
  std::string validity;  ///< `true`, `false` or `unknown`
  std::string entries;   ///< as entries_text() writes them
};

/// `is_jepsen`: with Jepsen's answers where there is nothing to judge.
[[nodiscard]] PlainVerdict check_plain_bank(const std::vector<PlainCall>& calls,
                                            const PlainBank& bank, bool is_jepsen);

}  // namespace elapid
