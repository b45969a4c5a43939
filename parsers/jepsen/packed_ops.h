// The operations of a piece of an input in a third of the room that maps take, so that most are
// still in the cache of the core that parsed them when their turn comes to be assembled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/workload.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// What there is to say of a client's event that OpMapReader::read_plain() has read, and that has
/// micro-operations of its workload.
struct PackedOp {
  std::uint64_t offset = 0;
  std::int64_t process = 0;
  std::int64_t index = 0;
  std::int64_t time = 0;
  ValueId f = ValueId::nil();
  std::uint32_t mops_end = 0;      ///< among those of all
  std::uint32_t elements_end = 0;  ///< likewise
  EventType type = EventType::kInvoke;
  bool has_index = false;
  bool has_time = false;
  bool is_other = false;  ///< it is not packed: the next of the others
};

/// Operations in their order.
class PackedOps {
 public:
  /// Keeps the memory.
  void clear();

  [[nodiscard]] bool empty() const { return ops_.empty(); }

  /// Adds an operation of a history of this workload. What is left of it is undefined.
  void add(OpMap& op, Workload workload);

  /// As replace_values() of an OpMap.
  template <class Translated>
  void replace_values(Translated translated);

  /// Gives each to `add(OpMap&)`, or to `add(const PackedOp&, mops, elements)`, which may set the
  /// keys of the micro-operations, until one returns an error.
  template <class Add>
  Status give(Add add);

 private:
  std::vector<PackedOp> ops_;
  GrowingVector<MopInput> mops_;
  GrowingVector<ValueId> elements_;
  std::vector<OpMap> others_;  // the first `other_count_`; those behind keep their memory
  std::size_t other_count_ = 0;
};

/// The operation as it was read, as far as an OpAssembler of this workload asks.
void unpack(const PackedOp& packed, std::span<const MopInput> mops,
            std::span<const ValueId> elements, OpMap& op);

template <class Translated>
void PackedOps::replace_values(Translated translated) {
  for (PackedOp& op : ops_) {
    op.f = replaced_value(op.f, translated);
  }
  replace_values_of(mops_, elements_, translated);
  for (std::size_t i = 0; i < other_count_; ++i) {
    elapid::replace_values(others_[i], translated);
  }
}

template <class Add>
Status PackedOps::give(Add add) {
  std::size_t mop = 0;
  std::size_t element = 0;
  std::size_t other = 0;
  for (const PackedOp& op : ops_) {
    const std::span mops = std::span(mops_).subspan(mop, op.mops_end - mop);
    const std::span<const ValueId> elements =
        std::span(elements_).subspan(element, op.elements_end - element);
    mop = op.mops_end;
    element = op.elements_end;
    ELAPID_RETURN_IF_ERROR(op.is_other ? add(others_[other++]) : add(op, mops, elements));
  }
  return {};
}

}  // namespace elapid
