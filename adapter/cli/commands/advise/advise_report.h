// The findings of `elapid advise`, as text, as a map and as SQL.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/commands/advise/database_levels.h"
#include "adapter/elle/document_writer.h"
#include "engine/advise/application.h"
#include "engine/advise/interleaving.h"
#include "engine/advise/lowest.h"
#include "engine/advise/promotion.h"

namespace elapid {

struct AdviseAnswer {
  std::string path = {};
  const DatabaseLevels* database = nullptr;
  advise::OfferedLevels offered = {};
  advise::Application application = {};
  std::size_t left_out = 0;  ///< transactions that did not commit, or may not have
  /// If there is no advice: the reason, with its place. Else empty.
  std::string unknown_because = {};
  advise::Advice advice = {};
  /// Absent if they were not searched for, because that takes too long.
  std::optional<std::vector<advise::Promotion>> promotions = {};
  /// The text of a read, by its program and its number.
  std::function<std::string(const advise::PromotedRead&)> read_text = {};
};

/// A program whose level has a reason, with the counterexample.
struct ToldCounterexample {
  std::uint32_t program = 0;
  advise::Level lower = {};  ///< the level at which the counterexample is allowed
  advise::Interleaving interleaving = {};
};

/// All counterexamples, in the order of programs.
[[nodiscard]] std::vector<ToldCounterexample> counterexamples(const AdviseAnswer& answer);

/// One line: `Balance(c) at read committed: this interleaving is not serializable`.
[[nodiscard]] std::string title_of(const AdviseAnswer& answer, const ToldCounterexample& told);

/// The table, `stories` of the counterexamples as stories, and the savings by promotions.
[[nodiscard]] std::string advice_text(const AdviseAnswer& answer,
                                      const std::vector<ToldCounterexample>& told,
                                      std::size_t stories);

[[nodiscard]] std::string advice_map(const AdviseAnswer& answer,
                                     const std::vector<ToldCounterexample>& told, Syntax syntax);

/// A statement for each program, after a comment with its name.
[[nodiscard]] std::string advice_sql(const AdviseAnswer& answer);

}  // namespace elapid
