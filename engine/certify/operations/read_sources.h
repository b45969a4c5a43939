// The writes that may have served each external read.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <vector>

#include "engine/certify/operations/effects.h"
#include "engine/ir/history.h"

namespace elapid::certify {

/// In every acceptable execution in which the reader took effect, exactly one source of an
/// external read was the last to write the key before the reader started. A source is another
/// transaction whose last write of the key was the value seen, or the initial state,
/// TxnId::none(), if the value allows it. Reads are numbered by reader, then key. About 40 bytes a
/// read and 12 a write.
class ReadSources {
 public:
  ReadSources(const History& history, const Effects& effects);

  struct Read {
    TxnId reader;
    KeyId key;
    std::uint32_t begin = 0;  // range of writers_
    std::uint32_t end = 0;
    bool may_be_initial = false;
  };

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(reads_.size()); }

  [[nodiscard]] const Read& operator[](std::uint32_t read) const { return reads_[read]; }

  /// The numbers of the reader's reads.
  [[nodiscard]] auto of(TxnId reader) const {
    return std::views::iota(read_begin_[reader.index()], read_begin_[reader.index() + 1]);
  }

  [[nodiscard]] std::optional<std::uint32_t> find(TxnId reader, KeyId key) const;

  [[nodiscard]] bool allows(std::uint32_t read, TxnId source) const;

  /// Calls `visit(TxnId)` for each source.
  template <class Visit>
  void visit_sources(std::uint32_t read, Visit visit) const {
    for (std::uint32_t i = reads_[read].begin; i < reads_[read].end; ++i) {
      if (writers_[i].txn != reads_[read].reader) {
        visit(writers_[i].txn);
      }
    }
    if (reads_[read].may_be_initial) {
      visit(TxnId::none());
    }
  }

  /// The reads that `writer` may have served; its own may be among them.
  [[nodiscard]] std::vector<std::uint32_t> served_by(TxnId writer) const;

 private:
  struct Writer {
    KeyId key;
    ValueId value = ValueId::none();
    TxnId txn;
    friend auto operator<=>(const Writer&, const Writer&) = default;
  };

  [[nodiscard]] std::span<const Writer> writers_of(KeyId key, ValueId value) const;
  [[nodiscard]] bool may_be_initial(const ExternalRead& read) const;
  void add(TxnId reader, const ExternalRead& read);

  const History& history_;
  const Effects& effects_;
  std::vector<Writer> writers_;  // sorted
  std::vector<Read> reads_;
  std::vector<std::uint32_t> read_begin_;
  std::vector<std::uint32_t> reads_by_range_;  // those with writers, sorted by Read::begin
};

}  // namespace elapid::certify
