#include "adapter/elle/ladder_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapter/elle/verdict_view.h"
#include "engine/levels/ladder.h"
#include "engine/levels/validity.h"

namespace elapid {
namespace {

std::string names(ModelSet models) {
  return models.none() ? "none" : fmt::format("{}", fmt::join(sorted_names(models), ", "));
}

ModelSet strongest_valid(std::span<const Standing> ladder) {
  return strongest_of(models_that_are(Validity::kValid, ladder));
}

ModelSet weakest_invalid(std::span<const Standing> ladder) {
  return weakest_of(models_that_are(Validity::kInvalid, ladder));
}

}  // namespace

std::string ladder_summary(std::span<const Standing> ladder) {
  std::string text =
      fmt::format("  {:<18}{}\n  {:<18}{}\n", "strongest valid", names(strongest_valid(ladder)),
                  "weakest invalid", names(weakest_invalid(ladder)));
  const std::size_t open = models_that_are(Validity::kUnknown, ladder).count();
  if (open > 0) {
    text += fmt::format("  {:<18}{} of {} levels\n", "unknown", open, ladder.size());
  }
  return text;
}

std::string ladder_text(std::span<const Standing> ladder) {
  if (ladder.empty()) {
    return "";
  }
  std::string text = ladder_summary(ladder) + "\n";
  for (const Standing& standing : ladder) {
    const std::string why =
        standing.unknown_because.empty() ? "" : fmt::format("  {}", standing.unknown_because);
    text += fmt::format("  {:<36}{}{}\n", friendly_name(standing.model),
                        validity_word(standing.validity), why);
  }
  return text;
}

void write_ladder(DocumentWriter& out, const std::string& prefix,
                  std::span<const Standing> ladder) {
  write_models(out, prefix + "strongest-valid", strongest_valid(ladder));
  write_models(out, prefix + "weakest-invalid", weakest_invalid(ladder));
  out.key(prefix + "ladder").each_map(ladder, [&](const Standing& standing) {
    out.key("level").keyword(friendly_name(standing.model));
    out.key("valid?");
    write_truth(out, standing.validity);
    if (standing.validity == Validity::kUnknown) {
      out.key("because").string(standing.unknown_because);
    }
  });
}

}  // namespace elapid
