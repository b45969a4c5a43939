// Views of a verdict that all renderers share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/elle/document_writer.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The first anomalies, all of one type: a verdict lists a type together. Empty if there are none.
[[nodiscard]] std::span<const Anomaly> first_of_type(std::span<const Anomaly> anomalies);

/// The levels with counted violations that were demanded, or that follow from a demanded level.
[[nodiscard]] std::vector<LevelAnswer> counted_levels(const Verdict& verdict);

/// The friendly names of the models, sorted as Elle sorts them.
[[nodiscard]] std::vector<std::string_view> sorted_names(ModelSet models);

/// The assumptions of reader, format and question, a sentence each.
[[nodiscard]] std::vector<std::string> assumed(const History& history, const Verdict& verdict);

/// Whether transactions asked for different levels. Then `checked` has the levels that some
/// transaction asked for, and says nothing of the whole history.
[[nodiscard]] bool is_mix(const Verdict& verdict);

/// The demanded levels: `read-committed, serializable`, `no level`, or `by-transaction
/// (read-committed, serializable)`.
[[nodiscard]] std::string demanded_text(const Verdict& verdict);

/// All models that the evidence rules out.
[[nodiscard]] ModelSet violated_models(const Verdict& verdict);

/// The weakest demanded levels that are violated. None of an invalid verdict if levels of several
/// transactions together are violated (is_mix()), or if it is about something else than levels.
[[nodiscard]] ModelSet refused_levels(const Verdict& verdict);

/// Writes true, false or the keyword `unknown`.
void write_truth(DocumentWriter& out, Validity validity);

/// Writes the key with the set of the models' friendly names.
void write_models(DocumentWriter& out, std::string_view key, ModelSet models);

}  // namespace elapid
