// From a history of single operations to a verdict: operations by object, an engine's answer for
// each, and what these come to.
//
//   objects_of(history, decode)            key :x has 3 operations, key :y 5
//   verdict_of_objects(history, ...)       :x is linearizable, :y is not: neither is the history
//
// Linearizability is local: a history is linearizable iff its part at each object is (Herlihy and
// Wing, TOPLAS 1990, theorem 1). So each key is asked by itself.
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

/// The operation that a transaction is: f, argument and result are asked for, the rest is filled
/// in. Nothing for one that plays no part, as one that failed.
using DecodeOperation = std::function<std::optional<Operation>(TxnId)>;

/// What the engine of a type says of one object.
struct ObjectAnswer {
  Answer answer = Answer::kUnknown;
  /// Of kLinearizable: places of operations, in order.
  std::vector<std::uint32_t> order = {};
  /// Of kNotLinearizable: what shows it, and places of the operations that do.
  Description finding = {};
  std::vector<std::uint32_t> core = {};
  /// Of kUnknown: the operation up to whose return there is an order.
  std::uint32_t furthest = 0;
  /// Of kUnknown: another reason than a spent budget.
  std::string unknown_because = {};
};

/// What a claim that there is no order is verified with (object_claims.h).
struct CoreRules {
  /// The sequential specification, of operations on these values where `values_of` tells any.
  std::function<std::unique_ptr<Model>(const Object&, std::span<const ValueId>)> model = {};
  /// The values that an operation is on. Operations on others may be left out: the rest has an
  /// order if all have. No values: it stays; nullopt: it may be left out, as a read. Null: no
  /// operation may be left out.
  std::function<std::optional<std::vector<ValueId>>(const Operation&)> values_of = {};
  /// The values that some operations are about; null: those of values_of.
  std::function<std::vector<ValueId>(const Object&, std::span<const std::uint32_t>)>
      values_of_core = {};
};

/// A type of object, as the verdict needs it.
struct ObjectType {
  std::string_view name;  ///< of the engine
  DecodeOperation decode = {};
  /// The object of an operation, by one of its keys; empty: that of the first.
  std::function<KeyId(TxnId)> object_of = {};
  std::function<ObjectAnswer(const Object&)> judge = {};
  /// A fresh object, to verify orders.
  std::function<std::unique_ptr<Replay>(const Object&)> replay = {};
  CoreRules core = {};
};

/// The operations of each object, in the order in which the keys first came. O(n log n).
[[nodiscard]] std::vector<Object> objects_of(const History& history, const ObjectType& type);

/// Each order is verified. Error: kInternal if one does not survive that. Verdict::levels has the
/// evidence: an order of all operations, object by object, or a core as ExhaustedSearch. If a claim
/// is given, that is verified in place of all this (object_claims.h): the verdict is valid if the
/// claim is proved, else unknown, with its flaw.
[[nodiscard]] Result<Verdict> verdict_of_objects(const History& history,
                                                 const JudgeRequest& request,
                                                 const ObjectType& type,
                                                 const LevelAnswer* claim = nullptr);

/// The models that verdict_of_objects() knows: linearizable, which is meant where none is asked
/// for, strict-serializable, which is the same here, and sequential.
[[nodiscard]] ModelSet object_models();

}  // namespace elapid::linearize
