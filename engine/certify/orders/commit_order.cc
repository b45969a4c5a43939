#include "engine/certify/orders/commit_order.h"

#include <span>

#include "engine/certify/flaw.h"
#include "engine/certify/operations/external_reads.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/orders/commit_places.h"
#include "engine/certify/orders/visible_writes.h"
#include "engine/certify/patience.h"

namespace elapid {

namespace certify {

namespace {

/// Whose write each read saw, checked against the values.
class Sources {
 public:
  Sources(const History& history, OrderLevel level, const CommitPlaces& places,
          std::span<const ReadFrom> claims)
      : history_(history),
        level_(level),
        places_(places),
        claims_(claims),
        lists_(history, places) {}

  /// Fills `out`.
  Flaw check(SeenWrites& out) {
    out.begin.assign(1, 0);
    out.reads.reserve(claims_.size());
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (Flaw flaw = places_.has({t}) ? check_reads({t}, out) : Flaw()) {
        return flaw;
      }
      out.begin.push_back(static_cast<std::uint32_t>(out.reads.size()));
    }
    return next_ == claims_.size() ? Flaw() : "something is said of reads that there are not";
  }

 private:
  static constexpr std::size_t kAhead = 32;

  Flaw check_reads(TxnId txn, SeenWrites& out) {
    const auto reads = external_reads(history_, txn, level_);
    if (!reads) {
      return txn_text(history_, txn) + " contradicts itself";
    }
    for (const KeyRead& read : *reads) {
      if (next_ == claims_.size() || claims_[next_].reader != txn ||
          claims_[next_].key != read.op.key()) {
        return "it is not said what " + txn_text(history_, txn) + " read of key " +
               history_.shown_key(read.op.key());
      }
      prefetch_writer(next_ + kAhead);
      const TxnId writer = claims_[next_++].writer;
      if (!is_source(txn, read, writer)) {
        return txn_text(history_, txn) + " does not read what it is said to read";
      }
      out.reads.push_back({read.op.key(), writer});
    }
    return {};
  }

  /// Writers lie anywhere in the history: their operations are asked for before they are needed.
  void prefetch_writer(std::size_t claim) const {
    if (claim < claims_.size() && claims_[claim].writer.value < history_.txn_count()) {
      __builtin_prefetch(history_.ops(claims_[claim].writer).data());
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
  std::size_t next_ = 0;  // of claims_
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
