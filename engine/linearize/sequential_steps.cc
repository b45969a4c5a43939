#include "engine/linearize/sequential_steps.h"

#include <algorithm>
#include <unordered_map>

namespace elapid::linearize {

Processes::Processes(const History& history, std::span<const Object> objects)
    : returned(history.session_count()) {
  std::unordered_map<std::uint32_t, SequentialStep> step_of;  // by transaction
  for (std::uint32_t object = 0; object < objects.size(); ++object) {
    for (const Operation& operation : objects[object].operations) {
      step_of.emplace(operation.txn.value, SequentialStep{object, &operation});
    }
  }
  for (std::uint32_t process = 0; process < returned.size(); ++process) {
    for (const TxnId txn : history.session_txns(SessionId{process})) {
      const auto found = step_of.find(txn.value);
      if (found != step_of.end() && !found->second.operation->is_open()) {
        returned[process].push_back(found->second);
      } else if (found != step_of.end()) {
        const auto after = static_cast<std::uint32_t>(returned[process].size());
        open.push_back({found->second, process, after});
      }
    }
  }
}

std::uint32_t Processes::last_return() const {
  std::uint32_t last = 0;
  for (const std::vector<SequentialStep>& steps : returned) {
    for (const SequentialStep& step : steps) {
      last = std::max(last, step.operation->returned);
    }
  }
  return last;
}

std::vector<std::unique_ptr<Model>> models_of(std::span<const Object> objects,
                                              const ModelOf& model_of) {
  std::vector<std::unique_ptr<Model>> models;
  for (const Object& object : objects) {
    models.push_back(model_of(object));
  }
  return models;
}

}  // namespace elapid::linearize
