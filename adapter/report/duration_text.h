// Durations and moments in a form for people.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace elapid {

/// `0`, `830 ns`, `1.25 ms`, `12.3 s`, `2 min 5 s`; with more digits if asked for.
[[nodiscard]] std::string duration_text(std::int64_t ns, int digits = 3);

/// By moment: the time since the first one. Different moments have different texts.
[[nodiscard]] std::map<std::int64_t, std::string> moment_texts(std::vector<std::int64_t> moments);

}  // namespace elapid
