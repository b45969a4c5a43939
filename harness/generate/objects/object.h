// An object on which single operations work, as a generator of histories knows it: what sessions
// ask of it, what each operation does and answers, and which wrong answers its checkers must find.
//
//   a counter: {add, 2} makes it 2; {read} answers 2; the fault "below-acknowledged" answers 1
//
// A type of object is a file of this folder and a row of the table object_types.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/generate/random.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// The :value of an event, and what it has beside it.
struct ObjectValue {
  PlainValue shape = PlainValue::kNil;
  std::array<std::int64_t, 3> numbers = {};
  std::vector<std::int64_t> elements = {};
  PlainTree tree = {};
  std::vector<PlainField> fields = {};

  [[nodiscard]] static ObjectValue number(std::int64_t n) {
    return {.shape = PlainValue::kNumber, .numbers = {n}};
  }

  [[nodiscard]] static ObjectValue list(std::vector<std::int64_t> elements) {
    return {.shape = PlainValue::kElements, .elements = std::move(elements)};
  }

  [[nodiscard]] static ObjectValue of(PlainTree tree) {
    return {.shape = PlainValue::kTree, .tree = std::move(tree)};
  }
};

/// An operation, as it is invoked.
struct ObjectCall {
  std::string_view function = {};
  ObjectValue value = {};
};

/// What an operation comes to when it takes effect.
struct ObjectReply {
  enum class Kind : std::uint8_t {
    kDone,
    kRefused,  ///< it fails, and has changed nothing
    kWaits,    ///< it cannot take effect yet
    kGoesOn,   ///< it has done a part of its work
  };
  Kind kind = Kind::kDone;
  ObjectValue value = {};
};

/// The client that asks, if it is not a session.
inline constexpr std::size_t kVisitor = std::numeric_limits<std::size_t>::max();

class FaultScript;

/// The state machine of a type.
class ObjectModel {
 public:
  ObjectModel() = default;
  ObjectModel(const ObjectModel&) = delete;
  ObjectModel& operator=(const ObjectModel&) = delete;
  virtual ~ObjectModel() = default;

  /// What a session does next.
  virtual ObjectCall next(Random& random, std::size_t session) = 0;

  /// The operation takes effect.
  virtual ObjectReply apply(const ObjectCall& call, std::size_t session) = 0;

  /// Whether it may take effect after its session has given it up, and goes on.
  [[nodiscard]] virtual bool may_be_late(const ObjectCall& call) const {
    static_cast<void>(call);
    return true;
  }

  /// Whether it may take effect though its client never hears of it.
  [[nodiscard]] virtual bool may_be_unheard(const ObjectCall& call) const {
    static_cast<void>(call);
    return true;
  }

  /// What visitors ask when all sessions are done.
  virtual void finish(FaultScript& script) { static_cast<void>(script); }

  // What clients see of each operation; those that never return are only invoked.
  virtual void invoked(const ObjectCall& call) { static_cast<void>(call); }

  virtual void returned(const ObjectCall& call, bool is_ok) {
    static_cast<void>(call);
    static_cast<void>(is_ok);
  }
};

}  // namespace elapid
