// Views of a verdict that every rendering of it needs.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "adapter/elle/document_writer.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The anomalies of the first one's type, which are adjacent in a verdict. Empty only for none.
[[nodiscard]] std::span<const Anomaly> first_of_type(std::span<const Anomaly> anomalies);

/// The levels whose violations were counted and that were demanded, or that one demanded entails.
[[nodiscard]] std::vector<LevelAnswer> counted_levels(const Verdict& verdict);

/// The friendly names of the models, sorted as Elle sorts them.
[[nodiscard]] std::vector<std::string_view> sorted_names(ModelSet models);

/// true, false or the keyword `unknown`.
void write_truth(DocumentWriter& out, Validity validity);

/// A key and the set of the models' friendly names.
void write_models(DocumentWriter& out, std::string_view key, ModelSet models);

}  // namespace elapid
