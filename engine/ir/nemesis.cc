#include "engine/ir/nemesis.h"

#include <utility>

namespace elapid {

void NemesisLog::add(NemesisEvent event) {
  ++count;
  if (events.size() < kMaxEvents) {
    events.push_back(std::move(event));
  }
}

std::string shortened_nemesis_text(std::string_view text) {
  if (text.size() <= NemesisLog::kMaxText) {
    return std::string(text);
  }
  constexpr std::string_view kEllipsis = "…";
  std::size_t end = NemesisLog::kMaxText - kEllipsis.size();
  const auto is_inside_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
  };
  while (end > 0 && is_inside_character(text[end])) {
    --end;
  }
  std::string cut(text.substr(0, end));
  cut += kEllipsis;
  return cut;
}

}  // namespace elapid
