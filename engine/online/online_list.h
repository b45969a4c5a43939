// A list under an online check: its appends and the reads that must show them, compared in full.
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

/// Takes appends and reads in any order. All of a list's elements and reads stay in memory, since
/// whatever is appended shifts all later reads: O(log n) an append in order, and the later reads
/// affected for others; 32 bytes an element and 56 a read that is a prefix of the longest one,
/// 8 an element more for other reads. Writers are paged as those of registers.
class OnlineList {
 public:
  OnlineList(Atom name, bool is_stored, Paging& paging)
      : name_(name), pages_({PageOwner::Kind::kKey, name}, is_stored, paging) {}

  /// `shown` without what the reader had appended itself.
  void add_read(const ReadName& read, std::span<const Atom> shown, const KeyContext& context);

  /// A transaction's appends, in its order.
  void add_version(const OnlineVersion& version, std::span<const Atom> appended,
                   const KeyContext& context);

  void rejudge_all(const KeyContext& context) { rejudge_from(Moment::first(), context); }

  /// Drops the reads up to a time, which nothing changes any more.
  void forget_reads(Timestamp time);

  [[nodiscard]] ReadState state(const ReadName& read) const;

  /// What others wrote of the list read.
  [[nodiscard]] std::span<const Atom> shown(const ReadName& read) const;

  /// What they should have written.
  [[nodiscard]] std::vector<Atom> expected(const ReadName& read) const;

  /// The transaction that appended the last element of that; none() for the empty list.
  [[nodiscard]] Atom expected_writer(const ReadName& read) const;

  /// When they were appended; the first moment if it is the empty list.
  [[nodiscard]] Moment expected_at(const ReadName& read) const;

  /// The list that a transaction that reads then saw, without its own appends; absent if it read
  /// none.
  [[nodiscard]] std::optional<std::span<const Atom>> seen_by(Atom reader, Moment at) const;

  /// The last element that a transaction that writes then appended; none() if there is none.
  [[nodiscard]] Atom left_by(Atom writer, Moment at) const;

  /// The key that the reader read next; behind its last one, the first.
  void set_next(const ReadName& read, Atom next);
  [[nodiscard]] Atom next(Atom reader, Moment at) const;

  /// As find_origins() tells, which see. O(elements).
  [[nodiscard]] OnlineOrigin origin(const ReadName& read, const KeyContext& context) const;

  /// Whether the list may have been current, clocks being what they are: as mark_skewed() tells.
  /// O(elements log elements).
  [[nodiscard]] bool may_be_skew(const ReadName& read, const ClockSkew& skew) const;

  [[nodiscard]] KeyPages& pages() { return pages_; }

  /// Bytes beside the pages.
  [[nodiscard]] std::size_t memory() const;

  /// Everything but the pages.
  [[nodiscard]] std::string encode() const;
  void restore(std::string_view bytes);

 private:
  struct Element {
    Moment at = {};
    Timestamp start = {};
    Atom writer = {};
    Atom value = {};
  };

  /// A list as read: the beginning of the longest one, or a list of its own.
  struct ListRead {
    Moment at = {};
    Atom reader = {};
    std::uint32_t mop = 0;
    std::uint32_t length = 0;
    std::int32_t literal = -1;  ///< in literals_; -1: a beginning of trunk_
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
  std::vector<Atom> trunk_;        // the longest list read that the ones before are beginnings of
  std::size_t agreeing_ = 0;       // elements at the beginning that are those of the trunk
  std::vector<std::vector<Atom>> literals_;
  std::size_t literal_elements_ = 0;
  Moment first_tie_ = Moment::last();  // when two writers first appended at one moment
};

}  // namespace elapid
