// grow-only-set: single operations :add an element to one set, and each :read shows the whole
// set.
//
//   {:type :ok, :f :add, :value 1}   {:type :ok, :f :read, :value #{1}}
//
// All reads are judged, for linearizability (engine/linearize/types/grow_only_set.h). The workload
// set asks for less: what the last read shows. A history does not tell which is meant, so the user
// says it.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/linearize/judged_object.h"
#include "engine/linearize/types/grow_only_set.h"
#include "engine/linearize/types/replays.h"
#include "engine/workloads/call_values.h"
#include "engine/workloads/known_workloads.h"
#include "engine/workloads/object_row.h"

namespace elapid {

namespace {

using linearize::GrowOnlySetF;
using linearize::Object;
using linearize::ObjectType;
using linearize::Operation;
using linearize::WholeReads;

constexpr WorkloadType kGrowOnlySetType = {
    .name = "grow-only-set", .has_transactions = false, .has_objects = true};

/// Decodes an add as an append, and a read as a list, whose order means nothing.
std::string decode_set(const Call& call, DecodedCall& out) {
  if (call.f == "add") {
    decode_change(call, OpKind::kAppend, out);
    return {};
  }
  const std::optional<std::string_view> answer = answer_of_read(call, out);
  if (!answer) {
    return {};
  }
  const auto elements = inside(*answer);
  if (!elements || answer->starts_with('{')) {
    return "expected the elements of the set as the :value of this :read, found " +
           std::string(*answer);
  }
  decode_elements(*elements, out);
  return {};
}

bool is_set_operation(std::span<const Op> ops) {
  return ops.size() == 1 && ops.front().kind() != OpKind::kOther;
}

std::optional<Operation> grow_only_set_operation(const History& history, TxnId txn) {
  const Op op = history.ops(txn).front();
  if (history.status(txn) == TxnStatus::kAborted) {
    return std::nullopt;
  }
  if (op.kind() == OpKind::kAppend) {
    return Operation{.f = static_cast<std::uint8_t>(GrowOnlySetF::kAdd), .argument = op.value()};
  }
  const bool shows = history.committed(txn) && op.kind() == OpKind::kReadList;
  return shows ? std::optional(Operation{.f = static_cast<std::uint8_t>(GrowOnlySetF::kRead)})
               : std::nullopt;
}

/// The elements that each operation read, each element once.
WholeReads reads_of(const History& history, const Object& object) {
  WholeReads reads;
  std::vector<ValueId> elements;
  for (const Operation& operation : object.operations) {
    const Op op = history.ops(operation.txn).front();
    elements.clear();
    if (op.kind() == OpKind::kReadList) {
      const std::span<const ValueId> shown = history.elements(op);
      elements.assign(shown.begin(), shown.end());
      std::ranges::sort(elements);
      const auto rest = std::ranges::unique(elements);
      elements.erase(rest.begin(), rest.end());
    }
    reads.add(elements);
  }
  return reads;
}

/// The element of an add. A read outside the core restricts nothing.
std::optional<std::vector<ValueId>> element_of(const Operation& operation) {
  return operation.f == static_cast<std::uint8_t>(GrowOnlySetF::kAdd)
             ? std::optional(std::vector{operation.argument})
             : std::nullopt;
}

std::vector<ValueId> sorted_elements(const History& history, TxnId txn) {
  const Op op = history.ops(txn).front();
  std::vector<ValueId> elements;
  if (op.kind() == OpKind::kReadList) {
    elements.assign(history.elements(op).begin(), history.elements(op).end());
  }
  std::ranges::sort(elements);
  return elements;
}

/// The elements that tell the operations of the core apart: those added in it, for each pair of its
/// reads one that only the first shows, and one that no operation adds.
std::vector<ValueId> telling_elements(const History& history, const Object& object,
                                      std::span<const std::uint32_t> core) {
  std::vector<ValueId> telling;
  std::vector<std::vector<ValueId>> shown;
  std::vector<ValueId> added;
  for (const Operation& operation : object.operations) {
    added.push_back(operation.argument);
  }
  std::ranges::sort(added);
  const auto tell_first = [&](const std::vector<ValueId>& more, const std::vector<ValueId>& less) {
    const auto only = std::ranges::find_if(
        more, [&](ValueId element) { return !std::ranges::binary_search(less, element); });
    telling.insert(telling.end(), only, only == more.end() ? only : std::next(only));
  };
  for (const std::uint32_t place : core.first(std::min<std::size_t>(core.size(), 4))) {
    if (const auto element = element_of(object.operations[place])) {
      telling.push_back(element->front());
      continue;
    }
    shown.push_back(sorted_elements(history, object.operations[place].txn));
    tell_first(shown.back(), added);
    for (const std::vector<ValueId>& other : shown) {
      tell_first(other, shown.back());
      tell_first(shown.back(), other);
    }
  }
  return telling;
}

/// The elements that are added or shown.
std::vector<ValueId> all_elements(const History& history, const Object& object) {
  std::vector<ValueId> all;
  for (const Operation& operation : object.operations) {
    const auto element = element_of(operation);
    const std::vector<ValueId> some = element ? *element : sorted_elements(history, operation.txn);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::ranges::sort(all);
  const auto rest = std::ranges::unique(all);
  all.erase(rest.begin(), rest.end());
  return all;
}

/// The set, restricted to these elements. States: whether each element is in.
class SomeElements : public linearize::Model {
 public:
  SomeElements(const History& history, std::vector<ValueId> elements)
      : history_(history), elements_(std::move(elements)) {}

  [[nodiscard]] linearize::State initial() const override {
    return linearize::State(elements_.size());
  }

  void step(const linearize::State& state, const Operation& operation,
            std::vector<linearize::State>& next) const override {
    linearize::State after = state;
    if (!is_read(operation)) {
      for (std::size_t i = 0; i < elements_.size(); ++i) {
        after[i] = elements_[i] == operation.argument ? 1 : after[i];
      }
      next.push_back(std::move(after));
      return;
    }
    const std::vector<ValueId> shown = sorted_elements(history_, operation.txn);
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      after[i] = std::ranges::binary_search(shown, elements_[i]) ? 1 : 0;
    }
    if (after == state) {
      next.push_back(std::move(after));
    }
  }

  [[nodiscard]] bool is_read(const Operation& operation) const override {
    return !element_of(operation);
  }

 private:
  const History& history_;
  std::vector<ValueId> elements_;
};

Result<Verdict> judge_grow_only_set_objects(const History& history, const JudgeRequest& request,
                                            const LevelAnswer* claim) {
  if (auto error =
          linearize::refuse_foreign(history, is_set_operation, ":add and :read of grow-only-set")) {
    return *error;
  }
  WholeReads reads;  // of the last object
  ObjectType type = {.name = "linearize"};
  type.decode = [&](TxnId txn) { return grow_only_set_operation(history, txn); };
  type.judge = [&](const Object& object) {
    reads = reads_of(history, object);
    return linearize::answer_of(history, object,
                                linearize::judge_grow_only_set(object.operations, reads));
  };
  type.replay = [&](const Object& object) {
    reads = reads_of(history, object);
    return linearize::grow_only_set_replay(reads);
  };
  type.core = {.model =
                   [&](const Object& object, std::optional<std::span<const ValueId>> elements) {
                     return std::make_unique<SomeElements>(
                         history, elements ? std::vector(elements->begin(), elements->end())
                                           : all_elements(history, object));
                   },
               .values_of = element_of,
               .values_of_core =
                   [&](const Object& object, std::span<const std::uint32_t> core) {
                     return telling_elements(history, object, core);
                   }};
  return linearize::verdict_of_objects(history, request, type, claim);
}

}  // namespace

WorkloadRow grow_only_set_row() {
  return object_row<judge_grow_only_set_objects>(
      Workload(kGrowOnlySetType), [](const Clues&) -> std::string_view { return ""; }, decode_set);
}

}  // namespace elapid
