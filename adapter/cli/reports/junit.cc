#include "adapter/cli/reports/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "engine/ir/visible.h"

namespace elapid {
namespace {

/// Escapes text, or an attribute's value, where unescaped line breaks would become blanks.
std::string xml_text(std::string_view text, bool is_attribute) {
  std::string out;
  for (const char c : visible(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (is_attribute && (c == '\n' || c == '\t')) {
      out += fmt::format("&#{};", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, xml_text(value, true));
}

std::string seconds(double value) {
  return fmt::format(" time=\"{:.3f}\"", value);
}

/// The element of a case that has not passed.
std::string outcome(const JUnitCase& one) {
  const std::string message = attribute("message", one.message);
  switch (one.outcome) {
    case JUnitOutcome::kPassed:
      break;
    case JUnitOutcome::kFailed:
      return fmt::format("      <failure type=\"invalid\"{}>{}</failure>\n", message,
                         xml_text(one.text, false));
    case JUnitOutcome::kSkipped:
      return fmt::format("      <skipped{}/>\n", message);
    case JUnitOutcome::kError:
      return fmt::format("      <error type=\"unreadable\"{}/>\n", message);
  }
  return "";
}

}  // namespace

JUnitOutcome junit_outcome(Validity validity) {
  return validity == Validity::kValid     ? JUnitOutcome::kPassed
         : validity == Validity::kInvalid ? JUnitOutcome::kFailed
                                          : JUnitOutcome::kSkipped;
}

std::string_view junit_begin() {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"elapid\">\n";
}

std::string_view junit_end() {
  return "</testsuites>\n";
}

std::string to_xml(const JUnitSuite& suite) {
  const auto count = [&](JUnitOutcome outcome) {
    return std::ranges::count(suite.cases, outcome, &JUnitCase::outcome);
  };
  const double all =
      std::accumulate(suite.cases.begin(), suite.cases.end(), 0.0,
                      [](double sum, const JUnitCase& one) { return sum + one.seconds; });
  std::string xml =
      fmt::format("  <testsuite{} tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"{}>\n",
                  attribute("name", suite.name), suite.cases.size(), count(JUnitOutcome::kFailed),
                  count(JUnitOutcome::kError), count(JUnitOutcome::kSkipped), seconds(all));
  for (const JUnitCase& one : suite.cases) {
    const std::string said = outcome(one);
    xml += fmt::format("    <testcase{}{}{}{}>\n", attribute("classname", suite.name),
                       attribute("name", one.name), seconds(one.seconds), said.empty() ? "/" : "");
    xml += said.empty() ? "" : said + "    </testcase>\n";
  }
  return xml + "  </testsuite>\n";
}

}  // namespace elapid
