// Short names of levels that are easily mistaken for others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/levels/models.h"

namespace elapid {

/// Of the levels that Biswas and Enea (OOPSLA 2019) call SI, SER, PC, CC, RA and RC, all of which
/// count session order, the one that the same words mean elsewhere, which does not.
[[nodiscard]] std::optional<Model> plain_form(Model model);

/// The names that mean such levels, comma-separated.
inline constexpr std::string_view kShortNames = "si,ser,pc,cc,ra,rc";

/// What those should know who ask for levels by these names, in a list as parse_models() takes it:
/// a sentence for each, as `si counts session order (strong-session-snapshot-isolation);
/// snapshot-isolation does not`.
[[nodiscard]] std::vector<std::string> short_name_notes(std::string_view list);

}  // namespace elapid
