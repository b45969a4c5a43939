// A transaction of a stream, as it arrives.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/online/atom.h"
#include "engine/online/moment.h"

namespace elapid {

struct OnlineOp {
  OpKind kind = OpKind::kRead;  ///< kRead, kWrite, kAppend or kReadList
  Atom key = {};
  Atom value = Atom::nil();
  std::uint32_t list_begin = 0;  ///< kReadList: in OnlineTxn::elements
  std::uint32_t list_length = 0;
};

[[nodiscard]] constexpr bool is_write(const OnlineOp& op) {
  return op.kind == OpKind::kWrite || op.kind == OpKind::kAppend;
}

/// The place of a transaction in its session, by the stream.
struct SessionNumber {
  std::int64_t number = 0;     ///< `seq`, or the time of the client's request
  std::int64_t completed = 0;  ///< decides between equal numbers
};

struct OnlineTxn {
  Atom id = {};
  Atom session = {};
  std::optional<SessionNumber> sequence = {};  ///< if it is missing: see OnlineSession
  TxnStatus status = TxnStatus::kCommitted;
  std::optional<Timestamp> start = {};
  std::optional<Timestamp> commit = {};
  std::vector<OnlineOp> ops = {};
  std::vector<Atom> elements = {};

  [[nodiscard]] std::span<const Atom> list(const OnlineOp& op) const {
    return std::span(elements).subspan(op.list_begin, op.list_length);
  }
};

}  // namespace elapid
