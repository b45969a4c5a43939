// A register in an online check: its versions, and the reads that they must explain (EXT).
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/online/atom.h"
#include "engine/online/byte_codec.h"
#include "engine/online/key_observer.h"
#include "engine/online/key_versions.h"
#include "engine/online/origin_search.h"

namespace elapid {

// Writes without a place in time: those of aborted transactions, and of transactions with unknown
// times.

/// A read of a write that may have taken effect at any time, or never, is neither right nor wrong.
/// A read of an aborted write is wrong, for a known reason. About 80 bytes a write, kept for the
/// whole stream.
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

/// The inputs for judging keys.
struct KeyContext {
  Paging& paging;
  const UnplacedWrites& unplaced;
  KeyObserver& observer;
  Atom initial = Atom::nil();  ///< the value of registers before the first write
  ClockSkew clock_skew = {};
  bool forbids_conflicts = false;  ///< NOCONFLICT, demanded by snapshot isolation

  /// Whether a read of the value may show the state of a register before the first write. It has
  /// two names, nil and the initial value.
  [[nodiscard]] bool is_initial(Atom value) const { return value.is_nil() || value == initial; }
};

/// Takes versions and reads in any order, and reports at once what each changes. A version changes
/// only the reads between it and the next one (an idea of Aion, Li et al. 2025, IV, here without
/// copies of all keys): O(log n) for n versions and reads, and the reads affected.
class OnlineRegister {
 public:
  OnlineRegister(Atom name, bool is_stored, Paging& paging)
      : name_(name), pages_({PageOwner::Kind::kKey, name}, is_stored, paging) {}

  void add_read(const ReadName& read, Atom value, Atom next, const KeyContext& context);
  void add_version(const OnlineVersion& version, const KeyContext& context);

  /// Adds a value that the version at its moment overwrote.
  void add_passing(const PassingValue& passing, const KeyContext& context);

  /// Judges all reads of a value again.
  void rejudge_value(Atom value, const KeyContext& context);

  /// A read that was added before.
  [[nodiscard]] OnlineRead find(const ReadName& read, const KeyContext& context);

  /// The version that the read should have shown; absent: the initial value.
  [[nodiscard]] std::optional<OnlineVersion> expected(const ReadName& read,
                                                      const KeyContext& context);

  /// The read of the register by a transaction that reads at this moment; nothing if there is none.
  [[nodiscard]] std::optional<OnlineRead> read_of(Atom reader, Moment at,
                                                  const KeyContext& context);

  /// The value that a transaction left at this moment; none() if it left none.
  [[nodiscard]] Atom left_by(Atom writer, Moment at, const KeyContext& context);

  /// The origin of a wrong read, as find_origins() defines it. Goes back to the last version with
  /// the value; if there is none, looks at everything.
  [[nodiscard]] OnlineOrigin origin(const OnlineRead& read, const KeyContext& context);

  /// Whether the value of a wrong read may have been current, given the clocks' error, as
  /// mark_skewed() defines it.
  [[nodiscard]] bool may_be_skew(const OnlineRead& read, const KeyContext& context);

  [[nodiscard]] KeyPages& pages() { return pages_; }

 private:
  [[nodiscard]] ReadState judge(KeyPage::Current current, const OnlineRead& read,
                                const KeyContext& context) const;
  void rejudge_between(KeyPage& page, Moment from, Moment until, const KeyContext& context);
  void rejudge_from(KeyPage* page, Moment from, std::optional<Moment> next,
                    const KeyContext& context);
  void rejudge(KeyPage& page, OnlineRead& read, KeyPage::Current current,
               const KeyContext& context);
  void tell(const OnlineRead& read, KeyPage::Current current, ReadState before,
            const KeyContext& context) const;

  Atom name_;
  KeyPages pages_;
};

}  // namespace elapid
