#include "tests/support/sample_history.h"

#include <limits>
#include <memory>
#include <utility>

#include "harness/generate/generate.h"
#include "parsers/jepsen/edn_event.h"

namespace elapid {

std::string sample_history(Workload workload, std::int64_t lines) {
  Recipe recipe = {.workload = workload.name(), .store = "strict-serializable"};
  recipe.requests = {.keys = 80, .max_writes = 32, .min_length = 1, .max_length = 7};
  recipe.clients = {.sessions = 20,
                    .transactions = static_cast<std::uint64_t>(lines + 1) / 2,
                    .retries = std::numeric_limits<std::uint64_t>::max()};
  const std::unique_ptr<Simulation> simulation = std::move(make_simulation(recipe)).value();
  const std::unique_ptr<PlainEventWriter> writer = make_edn_event_writer({.workload = workload});
  std::string text;
  PlainEvent event;
  for (std::int64_t index = 0; simulation->next(event); ++index) {
    event.index = index;
    text += writer->write(event);
  }
  return text;
}

}  // namespace elapid
