// Writes without a place in time: those of aborted transactions, and of transactions whose times
// are unknown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/online/atom.h"
#include "engine/online/byte_codec.h"

namespace elapid {

/// Reads that show a write which may have taken effect at any time, or never, are neither right nor
/// wrong; those that show an aborted one are wrong, and it is known why. About 80 bytes a write,
/// kept for good.
class UnplacedWrites {
 public:
  void add_maybe(Atom key, Atom value) { writes_[{key, value}].is_maybe = true; }

  void add_aborted(Atom key, Atom value, Atom writer) {
    Atom& first = writes_[{key, value}].aborted;
    first = first.is_none() ? writer : std::min(first, writer);
  }

  [[nodiscard]] bool is_maybe(Atom key, Atom value) const {
    const Write* write = find(key, value);
    return write != nullptr && write->is_maybe;
  }

  /// The aborted transaction that wrote the value; none() if there is none.
  [[nodiscard]] Atom aborted_writer(Atom key, Atom value) const {
    const Write* write = find(key, value);
    return write == nullptr ? Atom::none() : write->aborted;
  }

  [[nodiscard]] bool empty() const { return writes_.empty(); }

  [[nodiscard]] std::string encode() const {
    ByteWriter out;
    for (const auto& [what, write] : writes_) {
      out.add_name(what.first);
      out.add_value(what.second);
      out.add(write.is_maybe ? 1U : 0U);
      out.add_value(write.aborted);
    }
    return std::move(out).take();
  }

  static UnplacedWrites decode(std::string_view bytes) {
    UnplacedWrites writes;
    ByteReader in(bytes);
    while (!in.is_at_end()) {
      const Atom key = in.name();
      Write& write = writes.writes_[{key, in.value()}];
      write.is_maybe = in.number() != 0;
      write.aborted = in.value();
    }
    return writes;
  }

  [[nodiscard]] std::size_t memory() const { return writes_.size() * kNode; }

 private:
  struct Write {
    bool is_maybe = false;
    Atom aborted = Atom::none();
  };

  static constexpr std::size_t kNode = 80;

  [[nodiscard]] const Write* find(Atom key, Atom value) const {
    if (writes_.empty()) {
      return nullptr;
    }
    const auto found = writes_.find({key, value});
    return found == writes_.end() ? nullptr : &found->second;
  }

  std::map<std::pair<Atom, Atom>, Write> writes_;
};

}  // namespace elapid
