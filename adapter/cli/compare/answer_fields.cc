#include "adapter/cli/compare/answer_fields.h"

#include <fmt/format.h>

namespace elapid {

void write_answer(const CheckerAnswer& answer, DocumentWriter& out) {
  out.key("outcome").string(name(answer.outcome));
  out.key("reason").string(answer.reason);
  out.key("cpu-seconds").form(fmt::format("{:.6f}", answer.cpu_seconds));
  out.key("wall-seconds").form(fmt::format("{:.6f}", answer.wall_seconds));
  out.key("peak-bytes").integer(static_cast<std::int64_t>(answer.peak_bytes));
  out.key("format").string(answer.format);
  out.key("losses").string(answer.losses);
}

}  // namespace elapid
