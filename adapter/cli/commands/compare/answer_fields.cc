#include "adapter/cli/commands/compare/answer_fields.h"

#include <fmt/format.h>

namespace elapid {

std::string in_seconds(std::chrono::microseconds time) {
  return fmt::format("{}.{:06}", time.count() / 1'000'000, time.count() % 1'000'000);
}

void write_answer(const CheckerAnswer& answer, DocumentWriter& out) {
  out.key("outcome").string(name(answer.outcome));
  out.key("reason").string(answer.reason);
  out.key("cpu-seconds").form(in_seconds(answer.cpu_time));
  out.key("wall-seconds").form(in_seconds(answer.wall_time));
  out.key("peak-bytes").integer(static_cast<std::int64_t>(answer.peak_bytes));
  out.key("format").string(answer.format);
  out.key("losses").string(answer.losses);
}

}  // namespace elapid
