#include "engine/certify/orders/commit_order.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/certify/flaw.h"
#include "engine/certify/operations/external_reads.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/orders/commit_places.h"
#include "engine/certify/orders/visible_writes.h"
#include "engine/certify/patience.h"
#include "engine/ir/share_work.h"

namespace elapid {

namespace certify {

namespace {

/// The writer of what each read saw, checked against the values.
class Sources {
 public:
  Sources(const History& history, OrderLevel level, const CommitPlaces& places,
          std::span<const ReadFrom> claims)
      : history_(history),
        level_(level),
        places_(places),
        claims_(claims),
        lists_(history, places) {}

  Flaw check(SeenWrites& out) const {
    out.reads = claims_;
    out.begin.assign(history_.txn_count() + 1, 0);
    const std::vector<IndexRange> ranges = ranges_of_work(history_.txn_count());
    std::vector<char> is_good(ranges.size());
    share_work(ranges.size(), [&](std::size_t i) {
      std::size_t next = first_claim(ranges[i].begin);
      const bool is_first = i > 0 || next == 0;
      is_good[i] =
          is_first && !check_range(ranges[i], next, out) && next == first_claim(ranges[i].end);
    });
    if (std::ranges::count(is_good, true) == std::ssize(ranges)) {
      return {};
    }
    std::size_t next = 0;  // once more from the beginning, for the first flaw
    Flaw flaw = check_range({0, static_cast<std::uint32_t>(history_.txn_count())}, next, out);
    return flaw || next == claims_.size() ? flaw : "a claim names a read that does not exist";
  }

 private:
  static constexpr std::size_t kAhead = 32;

  /// The place of the reader's first claim, if claims are sorted. For the reader behind the last
  /// one: their number.
  [[nodiscard]] std::size_t first_claim(std::uint32_t reader) const {
    const auto is_before = [&](const ReadFrom& claim) { return claim.reader.value < reader; };
    return reader == history_.txn_count()
               ? claims_.size()
               : static_cast<std::size_t>(std::ranges::partition_point(claims_, is_before) -
                                          claims_.begin());
  }

  /// Checks these readers, whose claims begin with `next`. `next` becomes the first claim of a
  /// later reader.
  Flaw check_range(IndexRange txns, std::size_t& next, SeenWrites& out) const {
    ExternalReads external(history_, level_);
    for (std::uint32_t t = txns.begin; t < txns.end; ++t) {
      if (Flaw flaw = places_.has({t}) ? check_reads({t}, external, next) : Flaw()) {
        return flaw;
      }
      out.begin[t + 1] = static_cast<std::uint32_t>(next);
    }
    return {};
  }

  Flaw check_reads(TxnId txn, ExternalReads& external, std::size_t& next) const {
    const auto reads = external.of(txn);
    if (!reads) {
      return txn_text(history_, txn) + " contradicts itself";
    }
    for (const KeyRead& read : *reads) {
      if (next == claims_.size() || claims_[next].reader != txn ||
          claims_[next].key != read.op.key()) {
        return "no claim names the writer that " + txn_text(history_, txn) + " read key " +
               history_.shown_key(read.op.key());
      }
      prefetch_writer(next + kAhead);
      const TxnId writer = claims_[next].writer;
      if (!is_source(txn, read, writer)) {
        return txn_text(history_, txn) + " does not read from the writer that the claim names";
      }
      ++next;
    }
    return {};
  }

  /// Writers lie anywhere in the history: their operations are asked for before they are needed.
  void prefetch_writer(std::size_t claim) const {
    if (claim < claims_.size() && claims_[claim].writer.value < history_.txn_count()) {
      const std::span<const Op> ops = history_.ops(claims_[claim].writer);
      __builtin_prefetch(ops.data());
      __builtin_prefetch(ops.data() + ops.size());
    }
  }

  [[nodiscard]] bool is_source(TxnId reader, const KeyRead& read, TxnId writer) const {
    if (writer.is_none()) {
      return may_be_initial(history_, read);
    }
    return writer != reader && !read.is_unwritten && places_.has(writer) &&
           places_.of(writer) < places_.of(reader) &&
           final_value(history_, writer, read.op.key()) == read.seen && lists_.agrees(read, writer);
  }

  const History& history_;
  OrderLevel level_;
  const CommitPlaces& places_;
  std::span<const ReadFrom> claims_;
  ListVersionsInOrder lists_;
};

}  // namespace

}  // namespace certify

std::optional<std::string> check_commit_order(const History& history, OrderLevel level,
                                              const Witness& witness,
                                              const std::function<bool()>& keep_going) {
  certify::Patience patience(keep_going);
  certify::CommitPlaces places;
  if (certify::Flaw flaw = places.read(history, level, witness.order)) {
    return flaw;
  }
  for (const auto& read : certify::unexplained_reads(history, level)) {
    if (places.has(read.reader)) {
      return certify::txn_text(history, read.reader) + " read a value of key " +
             history.shown_key(read.key) + " that no write explains";
    }
  }
  certify::SeenWrites seen;
  if (certify::Flaw flaw = certify::Sources(history, level, places, witness.reads).check(seen)) {
    return flaw;
  }
  return certify::check_visible_writes(history, level, places, seen, patience);
}

}  // namespace elapid
