#include "adapter/cli/reports/csv.h"

#include "engine/ir/visible.h"

namespace elapid {

std::string csv_field(std::string_view raw) {
  const std::string text = visible_line(raw);
  if (text.find_first_of(",\"") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char c : text) {
    out += c == '"' ? "\"\"" : std::string(1, c);
  }
  return out + '"';
}

}  // namespace elapid
