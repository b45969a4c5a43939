#include "engine/elle/shared_tries.h"

namespace elapid::elle {

void SharedTries::Node::set_element(unsigned slot, std::uint32_t element) {
  slots[slot] = element;
  used |= 1U << slot;
  children &= ~(1U << slot);
}

void SharedTries::Node::set_child(unsigned slot, SetId child) {
  slots[slot] = child.value;
  used |= 1U << slot;
  children |= 1U << slot;
}

void SharedTries::reset(const std::vector<std::uint32_t>& hashes, MapEntries* entries) {
  hashes_ = &hashes;
  entries_ = entries;
  nodes_.clear();
  make(kOwnerOfEmpty);
}

/// Keys of one hash, which Bifurcan keeps in lists, are told apart by their numbers.
unsigned SharedTries::slot_of(std::uint32_t element, unsigned shift) const {
  const std::uint64_t digits = std::uint64_t{key(element)} << 32 | (*hashes_)[element];
  return static_cast<unsigned>(digits >> shift) & ((1U << kBitsPerLevel) - 1);
}

SharedTries::SetId SharedTries::make(Owner owner) {
  const SetId node{static_cast<std::uint32_t>(nodes_.size())};
  nodes_.emplace_back().owner = owner;
  return node;
}

/// The node, if it may be changed in place; else a copy that may.
SharedTries::SetId SharedTries::own(SetId node, Owner owner) {
  if (nodes_[node.index()].owner == owner) {
    return node;
  }
  const SetId copy = make(owner);
  nodes_[copy.index()] = nodes_[node.index()];
  nodes_[copy.index()].owner = owner;
  return copy;
}

std::uint32_t SharedTries::merged(std::uint32_t held, std::uint32_t element, Side side) {
  if (entries_ == nullptr) {
    return element;
  }
  return side == Side::kRight ? entries_->merge(held, element) : entries_->merge(element, held);
}

SharedTries::SetId SharedTries::put(SetId node, unsigned shift, Owner owner, std::uint32_t element,
                                    Side side) {
  const unsigned slot = slot_of(element, shift);
  const Node& before = nodes_[node.index()];
  const std::uint32_t held = before.slots[slot];
  const bool is_free = !before.is_used(slot);
  if (is_free || (!before.has_child(slot) && key(held) == key(element))) {
    const SetId after = own(node, owner);
    const std::uint32_t kept = is_free ? element : merged(held, element, side);
    nodes_[after.index()].set_element(slot, kept);
    return after;
  }
  SetId child{held};
  if (before.has_child(slot)) {
    child = put(child, shift + kBitsPerLevel, owner, element, side);
    if (child.value == held) {
      return node;
    }
  } else {
    child = make(owner);
    child = put(child, shift + kBitsPerLevel, owner, held, side);
    child = put(child, shift + kBitsPerLevel, owner, element, side);
  }
  const SetId after = own(node, owner);
  nodes_[after.index()].set_child(slot, child);
  return after;
}

/// A set united with itself is merged in full, too. That makes new nodes, which all unions share.
SharedTries::SetId SharedTries::merge(SetId a, SetId b, unsigned shift) {
  const SetId into = make(kEverybody);
  for (std::uint32_t rest = nodes_[a.index()].used | nodes_[b.index()].used; rest != 0;
       rest &= rest - 1) {
    merge_slot(into, a, b, static_cast<unsigned>(std::countr_zero(rest)), shift);
  }
  return into;
}

void SharedTries::absorb(SetId a, SetId b) {
  nodes_[a.index()].owner = kEverybody;
  for (std::uint32_t rest = nodes_[b.index()].used; rest != 0; rest &= rest - 1) {
    merge_slot(a, a, b, static_cast<unsigned>(std::countr_zero(rest)), 0);
  }
}

void SharedTries::merge_slot(SetId into, SetId a, SetId b, unsigned slot, unsigned shift) {
  const Node& in_a = nodes_[a.index()];
  const Node& in_b = nodes_[b.index()];
  if (!in_a.is_used(slot) || !in_b.is_used(slot)) {
    copy_slot(in_a.is_used(slot) ? a : b, slot, into);
  } else if (!in_b.has_child(slot)) {
    const std::uint32_t element = in_b.slots[slot];
    copy_slot(a, slot, into);
    put(into, shift, kEverybody, element, Side::kRight);
  } else if (!in_a.has_child(slot)) {
    const std::uint32_t element = in_a.slots[slot];
    copy_slot(b, slot, into);
    put(into, shift, kEverybody, element, Side::kLeft);
  } else {
    const SetId child =
        merge(SetId{in_a.slots[slot]}, SetId{in_b.slots[slot]}, shift + kBitsPerLevel);
    nodes_[into.index()].set_child(slot, child);
  }
}

/// Elements are copied, nodes shared.
void SharedTries::copy_slot(SetId from, unsigned slot, SetId into) {
  const Node& source = nodes_[from.index()];
  if (source.has_child(slot)) {
    nodes_[into.index()].set_child(slot, SetId{source.slots[slot]});
  } else {
    nodes_[into.index()].set_element(slot, source.slots[slot]);
  }
}

bool SharedTries::alike(SetId a, SetId b) const {
  if (a == b) {
    return true;
  }
  const Node& left = nodes_[a.index()];
  const Node& right = nodes_[b.index()];
  if (left.used != right.used || left.children != right.children) {
    return false;
  }
  for (std::uint32_t rest = left.used; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint32_t held = left.slots[slot];
    if (left.has_child(slot) ? !alike(SetId{held}, SetId{right.slots[slot]})
                             : held != right.slots[slot]) {
      return false;
    }
  }
  return true;
}

}  // namespace elapid::elle
