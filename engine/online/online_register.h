// A register under an online check: its versions and the reads that they must explain (EXT).
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

// Writes without a place in time: those of aborted transactions, and of transactions whose times
// are unknown.

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

/// What judging keys rests on.
struct KeyContext {
  Paging& paging;
  const UnplacedWrites& unplaced;
  KeyObserver& observer;
  Atom initial = Atom::nil();  ///< what registers hold before the first write
  ClockSkew clock_skew = {};
  bool forbids_conflicts = false;  ///< NOCONFLICT, which snapshot isolation demands
};

/// Takes versions and reads in any order, and says at once what each changes. A version changes the
/// reads between it and the next one only (the idea of Aion, Li et al. 2025, IV, without its copies
/// of all keys): O(log n) for n versions and reads, and the reads affected.
class OnlineRegister {
 public:
  OnlineRegister(Atom name, bool is_stored, Paging& paging)
      : name_(name), pages_({PageOwner::Kind::kKey, name}, is_stored, paging) {}

  void add_read(const ReadName& read, Atom value, Atom next, const KeyContext& context);
  void add_version(const OnlineVersion& version, const KeyContext& context);

  /// A value that the version at that moment overwrote.
  void add_passing(const PassingValue& passing, const KeyContext& context);

  /// Judges again all reads that show a value.
  void rejudge_value(Atom value, const KeyContext& context);

  /// A read that was added.
  [[nodiscard]] OnlineRead find(const ReadName& read, const KeyContext& context);

  /// What it should have shown; absent: the initial value.
  [[nodiscard]] std::optional<OnlineVersion> expected(const ReadName& read,
                                                      const KeyContext& context);

  /// What a transaction that reads then read of it, if it did.
  [[nodiscard]] std::optional<OnlineRead> read_of(Atom reader, Moment at,
                                                  const KeyContext& context);

  /// What a transaction that writes then left; none() if nothing.
  [[nodiscard]] Atom left_by(Atom writer, Moment at, const KeyContext& context);

  /// As find_origins() tells, which see. Goes back to the last version of the value, or through
  /// everything if there is none before.
  [[nodiscard]] OnlineOrigin origin(const OnlineRead& read, const KeyContext& context);

  /// Whether the value of a wrong read may have been current, clocks being what they are: as
  /// mark_skewed() tells, which see.
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
