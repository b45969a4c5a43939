#include "tests/oracle/random_operations.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

namespace elapid {
namespace {

using linearize::kNever;
using linearize::Operation;
using linearize::Operations;

struct Client {
  bool is_busy = false;
  bool is_effective = false;
  std::size_t place = 0;
  ValueId result = ValueId::none();
};

/// Runs clients against one object.
class Simulation {
 public:
  Simulation(PlainObject& object, Random& random, const RandomOperationsOptions& options)
      : object_(object),
        random_(random),
        options_(options),
        clients_(1 + random.below(options.most_clients)),
        count_(2 + random.below(options.most_operations - 1)) {}

  Operations run() && {
    for (std::size_t patience = 0; patience < 30 * count_; ++patience) {
      const std::size_t number = random_.below(clients_.size());
      Client& client = clients_[number];
      if (!client.is_busy) {
        invoke(client, static_cast<std::uint32_t>(number));
      } else if (random_.percent(options_.crashed_percent / 2)) {
        client = {};
      } else if (!client.is_effective) {
        take_effect(client);
      } else {
        complete(client);
      }
    }
    return std::move(operations_);
  }

 private:
  std::uint32_t tick() { return now_ += 4; }

  void invoke(Client& client, std::uint32_t number) {
    if (operations_.size() < count_) {
      client = {true, false, operations_.size(), ValueId::none()};
      operations_.push_back(
          object_.propose(random_, number, static_cast<std::uint32_t>(operations_.size())));
      operations_.back().invoked = tick();
    }
  }

  void take_effect(Client& client) {
    std::vector<PlainOutcome> all = object_.outcomes(state_, operations_[client.place]);
    if (!all.empty()) {
      const std::size_t chosen = random_.below(all.size());
      state_ = std::move(all[chosen].next);
      client.result = all[chosen].result;
      client.is_effective = true;
    }
  }

  void complete(Client& client) {
    Operation& op = operations_[client.place];
    op.returned = tick();
    op.result = client.result;
    client = {};
  }

  PlainObject& object_;
  Random& random_;
  const RandomOperationsOptions& options_;
  std::vector<Client> clients_;
  std::size_t count_;
  PlainState state_;
  Operations operations_;
  std::uint32_t now_ = 0;
};

/// Another result, or another interval within the old one: what was concurrent may be no longer.
void mutate(PlainObject& object, Random& random, Operations& operations) {
  Operation& op = operations[random.below(operations.size())];
  if (op.is_open()) {
    return;
  }
  const Operation& other = operations[random.below(operations.size())];
  switch (random.below(4)) {
    case 0:
      if (other.f == op.f && !other.is_open()) {
        op.result = other.result;
      }
      return;
    case 1:
      op.result = object.wrong_result(random, op);
      return;
    case 2:
      // Instants are multiples of 4 before, and each mutation of each operation has its own.
      op.invoked = std::max(op.invoked, op.returned - 2);
      return;
    default:
      op.returned = std::min(op.returned, op.invoked + 1);
      return;
  }
}

/// Tries all orders.
class Definition {
 public:
  Definition(const PlainObject& object, const Operations& operations)
      : object_(object), operations_(operations) {}

  bool holds(std::uint32_t done, const PlainState& state) {
    if (!tried_.emplace(done, state).second) {
      return false;
    }
    std::uint32_t first_return = kNever;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if ((done >> i & 1U) == 0) {
        first_return = std::min(first_return, operations_[i].returned);
      }
    }
    if (first_return == kNever) {
      return true;
    }
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const Operation& op = operations_[i];
      if ((done >> i & 1U) != 0 || op.invoked > first_return) {
        continue;
      }
      for (const PlainOutcome& outcome : object_.outcomes(state, op)) {
        const bool is_it = op.is_open() || op.result.is_none() || op.result == outcome.result;
        if (is_it && holds(done | 1U << i, outcome.next)) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  const PlainObject& object_;
  const Operations& operations_;
  std::set<std::pair<std::uint32_t, PlainState>> tried_;
};

}  // namespace

Operations random_operations(PlainObject& object, Random& random,
                             const RandomOperationsOptions& options) {
  Operations operations = Simulation(object, random, options).run();
  for (std::uint32_t i = 0; i < options.mutations && !operations.empty(); ++i) {
    mutate(object, random, operations);
  }
  std::sort(operations.begin(), operations.end(),
            [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; });
  return operations;
}

bool is_linearizable_by_definition(const PlainObject& object, const Operations& operations) {
  return Definition(object, operations).holds(0, {});
}

std::string operation_text(const linearize::Operation& operation) {
  const auto value = [](ValueId id) {
    return id.is_none() ? "-" : id.is_integer() ? std::to_string(id.as_integer()) : "nil";
  };
  return "[" + std::to_string(operation.invoked) + " " +
         (operation.is_open() ? "never" : std::to_string(operation.returned)) + "] f" +
         std::to_string(operation.f) + " " + value(operation.argument) + " -> " +
         value(operation.result) + "\n";
}

}  // namespace elapid
