#include "parsers/jepsen/packed_ops.h"

#include <utility>

namespace elapid {

void PackedOps::clear() {
  ops_.clear();
  mops_.clear();
  elements_.clear();
  other_count_ = 0;
}

void PackedOps::add(OpMap& op, Workload workload) {
  const bool is_packed = op.is_plain_event(workload);
  PackedOp packed;
  packed.is_other = !is_packed;
  if (is_packed) {
    packed.offset = op.offset;
    packed.process = op.process;
    packed.index = op.index.value_or(0);
    packed.time = op.time.value_or(0);
    packed.f = op.f;
    packed.type = *op.type;
    packed.has_index = op.index.has_value();
    packed.has_time = op.time.has_value();
    mops_.append(op.mops);
    elements_.append(op.elements);
  } else {
    if (other_count_ == others_.size()) {
      others_.emplace_back();
    }
    std::swap(others_[other_count_++], op);
  }
  packed.mops_end = static_cast<std::uint32_t>(mops_.size());
  packed.elements_end = static_cast<std::uint32_t>(elements_.size());
  ops_.push_back(packed);
}

void unpack(const PackedOp& packed, std::span<const MopInput> mops,
            std::span<const ValueId> elements, OpMap& op) {
  op.clear();
  op.is_plain = true;
  op.offset = packed.offset;
  op.type = packed.type;
  op.process_kind = ProcessKind::kClient;
  op.process = packed.process;
  op.index = packed.has_index ? std::optional(packed.index) : std::nullopt;
  op.time = packed.has_time ? std::optional(packed.time) : std::nullopt;
  op.f = packed.f;
  op.has_value = true;
  op.begins_mops = true;
  op.mops.append(mops);
  op.elements.append(elements);
}

}  // namespace elapid
