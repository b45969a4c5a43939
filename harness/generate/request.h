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
  std::int64_t value = 0;  ///< for a write or an append
};

/// A transaction that a client is about to run, and the form of its events.
struct Request {
  std::string_view function = "txn";
  PlainValue invoked = PlainValue::kMops;    ///< the form of the invocation's value
  PlainValue completed = PlainValue::kMops;  ///< the form of the completion's value
  std::optional<std::int64_t> tuple_key = {};
  std::array<std::int64_t, 3> numbers = {};
  PlainTree asked = {};     ///< the invocation's value, if that is a tree
  PlainTree answered = {};  ///< the completion's value, if that is a tree; reads may fill it in
  std::vector<RequestStep> steps = {};
  std::vector<PlainRowOp> row_ops = {};  ///< of steps of kind kRow, by the step's `value`
  std::vector<std::int64_t> found = {};  ///< by the last read of rows: four numbers each: the key
                                         ///< and the columns `g`, `v` and `u`
  bool only_reads = false;
  bool depends_on_reads = false;  ///< the source wants to see the reads
  std::uint8_t level = 0;         ///< number of its level, if a run's transactions have several

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

/// The result of a read step: a register's value, or nothing if the register was never written; for
/// rows, their number. Request::found has the rows.
using Seen = std::optional<std::int64_t>;

class RequestSource {
 public:
  RequestSource() = default;
  RequestSource(const RequestSource&) = delete;
  RequestSource& operator=(const RequestSource&) = delete;
  virtual ~RequestSource() = default;

  /// Makes a request in `out`. `out` is empty; done() gets it back later.
  virtual void next(Random& random, Request& out) = 0;

  /// For requests that depend on reads: adjusts the steps that follow `step`. Returns why the
  /// client gives up, a keyword; empty if it goes on.
  virtual std::string_view after_read(Request& request, std::size_t step, Seen seen);

  /// Called when the client is done with its request, with any outcome.
  virtual void done(const Request& request) = 0;

  /// The initial values of registers that are not nil, in key order.
  [[nodiscard]] virtual std::vector<RequestStep> initial_writes() const { return {}; }

  /// Makes the n-th final request, from 0. The final requests read everything at the end. False if
  /// there is none.
  virtual bool final_read(std::size_t n, Request& out) = 0;
};

}  // namespace elapid
