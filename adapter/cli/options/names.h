// Names that only the command line accepts. All other names are in parsers/door/names.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/source/contention.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "parsers/door/names.h"

namespace elapid {

/// In place of levels: each transaction is held to its own.
inline constexpr std::string_view kByTransaction = "by-transaction";

/// Whether the value of -c is kByTransaction. Error: kUsage if it names levels beside it.
[[nodiscard]] Result<bool> asks_by_transaction(std::string_view levels);

/// The findings besides a violation that make the exit code a failure. `invalid` and `unknown` have
/// codes of their own anyway (1 and 2); naming them is allowed.
struct FailOn {
  bool lint = false;
  bool vacuous = false;
};

/// A comma-separated list.
[[nodiscard]] Result<FailOn> parse_fail_on(std::string_view list);

/// `overlapping=100,keys=5,reads=1000`, or some of these; the others are as in LeastContention.
[[nodiscard]] Result<LeastContention> parse_least_contention(std::string_view list);

// Short names of levels that are easily mistaken for others.

/// Biswas and Enea (OOPSLA 2019) call levels SI, SER, PC, CC, RA and RC that all respect session
/// order. For such a level: the one without session order that the same words mean elsewhere.
[[nodiscard]] std::optional<Model> plain_form(Model model);

/// The short names of these levels, comma-separated.
inline constexpr std::string_view kShortNames = "si,ser,pc,cc,ra,rc";

/// Notes for users who ask for levels by these names, in a list as parse_models() takes it. Each is
/// a sentence, as `si counts session order (strong-session-snapshot-isolation); snapshot-isolation
/// does not`.
[[nodiscard]] std::vector<std::string> short_name_notes(std::string_view list);

}  // namespace elapid
