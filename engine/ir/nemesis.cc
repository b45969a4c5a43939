#include "engine/ir/nemesis.h"

#include <utility>

#include "engine/ir/utf8.h"

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
  std::string cut(beginning_of(text, NemesisLog::kMaxText - kEllipsis.size()));
  cut += kEllipsis;
  return cut;
}

}  // namespace elapid
