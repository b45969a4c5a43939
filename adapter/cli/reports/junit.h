// Verdicts as JUnit's XML, which CI systems show: a suite for each input, a case for each level or
// history. Knows verdicts only as test cases.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/levels/validity.h"

namespace elapid {

/// The outcome of a test case.
enum class JUnitOutcome : std::uint8_t {
  kPassed,   ///< valid
  kFailed,   ///< invalid
  kSkipped,  ///< unknown
  kError,    ///< not read, or not checked
};

/// The outcome that a verdict means.
[[nodiscard]] JUnitOutcome junit_outcome(Validity validity);

struct JUnitCase {
  std::string name;
  JUnitOutcome outcome = JUnitOutcome::kPassed;
  std::string message = {};  ///< in one line, what failed or why it is undecided
  std::string text = {};     ///< of a failure: its explanation
  double seconds = 0;        ///< of the check
};

/// All cases of one input.
struct JUnitSuite {
  std::string name;
  std::vector<JUnitCase> cases = {};
};

/// The text before all suites, and the text after them.
[[nodiscard]] std::string_view junit_begin();
[[nodiscard]] std::string_view junit_end();

/// The suite as an element, indented, with a newline at the end. Characters that XML cannot hold,
/// and bytes that are not UTF-8, become U+FFFD.
[[nodiscard]] std::string to_xml(const JUnitSuite& suite);

}  // namespace elapid
