// The page at `/`, with its style, script and icon. It only shows answers of the service's other
// addresses. So it needs no token; they do.
#pragma once

#include <array>
#include <string_view>

#include "adapter/http/routes.h"

namespace elapid::http {

/// The levels that the page proposes, strongest first, by their names in answers.
inline constexpr std::array<std::string_view, 12> kProposedLevels = {
    "strong-serializable",
    "strong-session-serializable",
    "serializable",
    "strong-snapshot-isolation",
    "strong-session-snapshot-isolation",
    "snapshot-isolation",
    "parallel-snapshot-isolation",
    "repeatable-read",
    "causal",
    "read-atomic",
    "read-committed",
    "read-uncommitted"};

void add_page_routes(RouteTable& routes);

}  // namespace elapid::http
