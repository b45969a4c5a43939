#include "adapter/http/streams/stream_options.h"

#include <optional>

namespace elapid::http {

const std::vector<Parameter>& stream_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "consistency-models",
       .help = "snapshot-isolation or serializable, each also with strong-session-.",
       .example = "snapshot-isolation"},
      {.name = "model",
       .help = "The workload: list-append or rw-register.",
       .example = "rw-register"},
      {.name = "initial", .help = "What registers hold at first.", .example = "0"},
      {.name = "clock-skew",
       .type = "integer",
       .help = "By how much clocks may differ, in timestamps."},
      {.name = "deadline",
       .help = "How long a verdict may change; what comes later is late.",
       .example = "2s"},
      {.name = "watermark",
       .type = "integer",
       .help = "Instead of deadline: how far to stay behind the greatest commit."},
      {.name = "final-only",
       .type = "boolean",
       .help = "Tells of no violation that may be retracted."},
      {.name = "memory",
       .help = "Memory for transactions; the oldest go to disk.",
       .example = "64M"},
      {.name = "checkpoint",
       .help = "How much a restart reads again at most, about.",
       .example = "1M"},
      {.name = "max-line", .help = "The longest line that is read.", .example = "1M"},
      {.name = "stop-on-error",
       .type = "boolean",
       .help = "Fails at the first line that is not understood."}};
  return parameters;
}

std::vector<std::string> stream_options(const Call& call) {
  std::vector<std::string> words;
  for (const Parameter& parameter : stream_parameters()) {
    const std::optional<std::string> value = call.query(parameter.name);
    if (!value || (parameter.type == "boolean" && *value == "false")) {
      continue;
    }
    words.push_back("--" + parameter.name +
                    (parameter.type == "boolean" ? std::string() : "=" + *value));
  }
  return words;
}

}  // namespace elapid::http
