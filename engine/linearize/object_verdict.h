// From a history of single operations to a verdict: groups the operations by object, asks an engine
// about each object, and combines the answers.
//
//   objects_of(history, decode)            key :x has 3 operations, key :y 5
//   verdict_of_objects(history, ...)       :x is linearizable, :y is not: neither is the history
//
// Linearizability is local: a history is linearizable iff its part at each object is (Herlihy and
// Wing, TOPLAS 1990, theorem 1). So each key is decided by itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/model.h"
#include "engine/linearize/types/verify_order.h"
#include "engine/verdict/description.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid::linearize {

struct Object {
  KeyId key;
  Operations operations = {};
};

/// The operation of a transaction. The function sets f, argument and result; the caller fills in
/// the rest. Nothing for an operation that is left out, as a failed one.
using DecodeOperation = std::function<std::optional<Operation>(TxnId)>;

/// The answer of a type's engine about one object.
struct ObjectAnswer {
  Answer answer = Answer::kUnknown;
  /// If kLinearizable: places of operations, in order.
  std::vector<std::uint32_t> order = {};
  /// If kNotLinearizable: the reason, and places of the operations that show it.
  Description finding = {};
  std::vector<std::uint32_t> core = {};
  /// If kUnknown: the operation before whose return there is an order.
  std::uint32_t furthest = 0;
  /// If kUnknown: a reason other than spent work.
  std::string unknown_because = {};
};

/// The rules for verifying a claim that there is no order (object_claims.h).
struct CoreRules {
  /// The sequential specification of all operations; with values, of those on these values only.
  std::function<std::unique_ptr<Model>(const Object&, std::optional<std::span<const ValueId>>)>
      model = {};
  /// The values that an operation is on. Operations on other values may be left out: the rest has
  /// an order if all have one. No values: it must stay; nullopt: it may be left out, as a read.
  /// Null: no operation may be left out.
  std::function<std::optional<std::vector<ValueId>>(const Operation&)> values_of = {};
  /// The values that some operations are on; null: those of values_of.
  std::function<std::vector<ValueId>(const Object&, std::span<const std::uint32_t>)>
      values_of_core = {};
};

/// A type of object, for the verdict.
struct ObjectType {
  std::string_view name;  ///< name of the engine
  DecodeOperation decode = {};
  /// The object of an operation, as one of its keys; empty: its first key.
  std::function<KeyId(TxnId)> object_of = {};
  std::function<ObjectAnswer(const Object&)> judge = {};
  /// A fresh object, for verifying orders.
  std::function<std::unique_ptr<Replay>(const Object&)> replay = {};
  CoreRules core = {};
};

/// The operations of each object, in order of the keys' first appearance. O(n log n).
[[nodiscard]] std::vector<Object> objects_of(const History& history, const ObjectType& type);

/// Verifies each order. Error: kInternal if one is wrong. Verdict::levels has the evidence: an
/// order of all operations, object by object, or a core as ExhaustedSearch. If a claim is given,
/// only the claim is verified (object_claims.h): the verdict is valid if the claim is proved, else
/// unknown, with its flaw.
[[nodiscard]] Result<Verdict> verdict_of_objects(const History& history,
                                                 const JudgeRequest& request,
                                                 const ObjectType& type,
                                                 const LevelAnswer* claim = nullptr);

/// Whether an operation has no invocation. Then its place among those of its process is not that of
/// a transaction: in real time it begins before all.
[[nodiscard]] bool lacks_invocations(const History& history);

/// The models that verdict_of_objects() knows: linearizable (the default), strict-serializable,
/// which is the same here, and sequential.
[[nodiscard]] ModelSet object_models();

}  // namespace elapid::linearize
