// The requests of a client to the database, and the sources that make them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"
#include "harness/generate/random.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

/// One operation of a transaction.
struct RequestStep {
  OpKind kind = OpKind::kRead;
  std::uint32_t slot = 0;  ///< where the key is stored (key_space.h)
  std::int64_t key = 0;
  std::int64_t value = 0;  ///< of a write or an append
};

/// A transaction that a client is about to run, and how its events show it.
struct Request {
  std::string_view function = "txn";
  PlainValue invoked = PlainValue::kMops;    ///< the value of its invocation
  PlainValue completed = PlainValue::kMops;  ///< and of its completion
  std::optional<std::int64_t> tuple_key = {};
  std::array<std::int64_t, 3> numbers = {};
  PlainTree asked = {};     ///< of its invocation, where that has a tree
  PlainTree answered = {};  ///< of its completion; what is read may fill it in
  std::vector<RequestStep> steps = {};
  std::vector<PlainRowOp> row_ops = {};  ///< of steps of kind kRow, by their value
  std::vector<std::int64_t> found = {};  ///< by the last read of rows: four numbers each, the key
                                         ///< and the columns `g`, `v` and `u`
  bool only_reads = false;
  bool depends_on_reads = false;  ///< the source wants to see what is read
  std::uint8_t level =
      0;  ///< that it asks for, by number, where a run's transactions ask for several

  void clear() {
    steps.clear();
    row_ops.clear();
    found.clear();
    function = "txn";
    invoked = completed = PlainValue::kMops;
    tuple_key.reset();
    asked = answered = {};
    only_reads = depends_on_reads = false;
    level = 0;
  }
};

/// What a step has read: a register's value, nothing where it was never written; of rows how many
/// there were, which Request::found holds.
using Seen = std::optional<std::int64_t>;

class RequestSource {
 public:
  RequestSource() = default;
  RequestSource(const RequestSource&) = delete;
  RequestSource& operator=(const RequestSource&) = delete;
  virtual ~RequestSource() = default;

  /// Makes a request; `out` is empty, and given back to done() later.
  virtual void next(Random& random, Request& out) = 0;

  /// Of requests that depend on reads: adjusts the steps that follow `step`. Returns why the client
  /// gives up, a keyword; empty if it goes on.
  virtual std::string_view after_read(Request& request, std::size_t step, Seen seen);

  /// The client is done with its request, whatever came of it.
  virtual void done(const Request& request) = 0;

  /// What registers hold at first, where that is not nil: keys in order.
  [[nodiscard]] virtual std::vector<RequestStep> initial_writes() const { return {}; }

  /// Makes the n-th request of those that look at everything in the end, from 0; false if there is
  /// none.
  virtual bool final_read(std::size_t n, Request& out) = 0;
};

}  // namespace elapid
