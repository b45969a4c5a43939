#include "adapter/report/html.h"

#include "engine/ir/visible.h"

namespace elapid {
namespace {

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

}  // namespace

std::string html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : visible(text)) {
    const std::string_view escaped = entity(c);
    escaped.empty() ? out.push_back(c) : void(out += escaped);
  }
  return out;
}

}  // namespace elapid
