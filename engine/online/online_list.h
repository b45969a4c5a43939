// A list in an online check: its appends, and the reads that must show them, compared in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/online/byte_codec.h"
#include "engine/online/online_register.h"

namespace elapid {

/// Takes appends and reads in any order. All elements and reads of a list stay in memory, since
/// each append changes all later reads: O(log n) for an append in order, plus the later reads
/// affected for others. 32 bytes an element; 56 a read that is a prefix of the longest one, and 8
/// more for each element of other reads. Writers are paged as those of registers.
class OnlineList {
 public:
  OnlineList(Atom name, bool is_stored, Paging& paging)
      : name_(name), pages_({PageOwner::Kind::kKey, name}, is_stored, paging) {}

  /// `shown`: without the reader's own appends.
  void add_read(const ReadName& read, std::span<const Atom> shown, const KeyContext& context);

  /// A transaction's appends, in its order.
  void add_version(const OnlineVersion& version, std::span<const Atom> appended,
                   const KeyContext& context);

  void rejudge_all(const KeyContext& context) { rejudge_from(Moment::first(), context); }

  /// Drops the reads up to a time. They cannot change any more.
  void forget_reads(Timestamp time);

  [[nodiscard]] ReadState state(const ReadName& read) const;

  /// The elements of others in the list read.
  [[nodiscard]] std::span<const Atom> shown(const ReadName& read) const;

  /// The elements that the read should have shown.
  [[nodiscard]] std::vector<Atom> expected(const ReadName& read) const;

  /// The transaction that appended the last expected element; none() for the empty list.
  [[nodiscard]] Atom expected_writer(const ReadName& read) const;

  /// The moment of that append; the first moment for the empty list.
  [[nodiscard]] Moment expected_at(const ReadName& read) const;

  /// The list that a transaction with reads at this moment saw, without its own appends; absent if
  /// it did not read the list.
  [[nodiscard]] std::optional<std::span<const Atom>> seen_by(Atom reader, Moment at) const;

  /// The last element that a transaction appended at this moment; none() if there is none.
  [[nodiscard]] Atom left_by(Atom writer, Moment at) const;

  /// Sets the key of the reader's next read; after its last read, the key of its first one.
  void set_next(const ReadName& read, Atom next);
  [[nodiscard]] Atom next(Atom reader, Moment at) const;

  /// The origin of a wrong read, as in find_origins(). O(elements).
  [[nodiscard]] OnlineOrigin origin(const ReadName& read, const KeyContext& context) const;

  /// Whether the list may have been current, given the clocks' error, as in mark_skewed().
  /// O(elements log elements).
  [[nodiscard]] bool may_be_skew(const ReadName& read, const KeyContext& context) const;

  [[nodiscard]] KeyPages& pages() { return pages_; }

  /// Bytes beside the pages.
  [[nodiscard]] std::size_t memory() const;

  /// The state without the pages.
  [[nodiscard]] std::string encode() const;
  void restore(std::string_view bytes);

 private:
  struct Element {
    Moment at = {};
    Timestamp start = {};
    Atom writer = {};
    Atom value = {};
  };

  /// A list that was read: a prefix of the longest one, or a list of its own.
  struct ListRead {
    Moment at = {};
    Atom reader = {};
    std::uint32_t mop = 0;
    std::uint32_t length = 0;
    std::int32_t literal = -1;  ///< place in literals_; -1: a prefix of trunk_
    ReadState state = ReadState::kRight;
    Atom next = {};  ///< as OnlineRead::next
  };

  [[nodiscard]] static ReadName name_of(const ListRead& read) {
    return {read.at, read.reader, read.mop};
  }

  [[nodiscard]] const ListRead& find(const ReadName& read) const;
  [[nodiscard]] const ListRead* read_of(Atom reader, Moment at) const;
  [[nodiscard]] std::span<const Atom> elements(const ListRead& read) const;
  [[nodiscard]] std::size_t count_before(Moment moment) const;
  [[nodiscard]] bool is_list(const ListRead& read, std::size_t length) const;
  [[nodiscard]] bool explained_by_maybe(const ListRead& read, std::size_t length,
                                        const KeyContext& context) const;
  [[nodiscard]] ReadState judge(const ListRead& read, const KeyContext& context) const;
  [[nodiscard]] OnlineOrigin missing_origin(std::size_t length) const;
  void represent(ListRead& read, std::span<const Atom> shown);
  void note_tie(Moment at);
  void compare_with_trunk();
  void rejudge_from(Moment from, const KeyContext& context);

  Atom name_;
  KeyPages pages_;
  std::vector<Element> elements_;  // by moment and writer
  std::vector<ListRead> reads_;    // by ReadName
  std::vector<Atom> trunk_;        // the longest read list of which all earlier ones are prefixes
  std::size_t agreeing_ = 0;       // length of the common prefix of elements_ and the trunk
  std::vector<std::vector<Atom>> literals_;
  std::size_t literal_elements_ = 0;
  Moment first_tie_ = Moment::last();  // the first moment at which two writers appended
};

}  // namespace elapid
