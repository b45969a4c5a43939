// The visible versions for a transaction: the store's choice within its policy.
#include <algorithm>
#include <bit>

#include "harness/generate/store/store.h"

namespace elapid {

/// A random moment, often the present one.
CommitId Store::past() {
  const std::uint64_t random = random_.bits();
  if (is_settled_ || (random & 1) != 0) {
    return now_;
  }
  const CommitId behind = (random >> 1) % (options_.staleness + 1);
  return now_ - std::min(now_, behind);
}

void Store::choose_view(StoreTxn& txn) {
  switch (txn.kind->view) {
    case View::kDirty:
    case View::kEachRead:
    case View::kEachReadAtomic:
      txn.view = {.base = oldest()};
      return;
    case View::kAnyCommits:
    case View::kCausal:
      return choose_commits(txn);
    case View::kPast:
      return choose_moment(txn, past());
    case View::kPastToRead:
      return choose_moment(txn, txn.only_reads ? past() : now_);
    case View::kReplica:
      return choose_moment(
          txn, txn.only_reads && !is_settled_ ? replicas_[random_.below(replicas_.size())] : now_);
    case View::kNow:
      return choose_moment(txn, now_);
  }
}

void Store::choose_moment(StoreTxn& txn, CommitId moment) {
  if (txn.kind->sessions) {
    moment = std::max(moment, txn.session->position);
  }
  txn.view = {.base = moment};
  if (moment < now_) {
    const std::int64_t time = moment == 0 ? 0 : commit_of(moment).time + 1;
    txn.timestamps.start = txn.kind->sessions ? std::max(time, txn.session->time) : time;
  }
}

/// Chooses some of the last commits, with the commits that each one needs.
void Store::choose_commits(StoreTxn& txn) {
  SeenSet& view = txn.view;
  view = {.base = oldest()};
  const auto window = static_cast<unsigned>(now_ - view.base);
  if (txn.kind->sessions) {
    view.bits |= txn.session->seen.bits_from(view.base);
  }
  std::uint64_t candidates = is_settled_ ? ~std::uint64_t{0} : random_.bits() | random_.bits();
  candidates &= window == 0 ? 0 : ~std::uint64_t{0} >> (SeenSet::kWindow - window);
  while (candidates != 0) {
    const auto place = static_cast<CommitId>(std::countr_zero(candidates));
    candidates &= candidates - 1;
    const CommitId commit = view.base + 1 + place;
    const std::uint64_t with_needs = commit_of(commit).needs.bits_from(view.base);
    const std::uint64_t itself = std::uint64_t{1} << place;
    if ((with_needs & ~(view.bits | itself)) == 0) {
      view.bits |= itself;
    }
  }
}

const StoredVersion* Store::visible(StoreTxn& txn, const StoredKey& key) {
  if (txn.kind->view == View::kEachRead || txn.kind->view == View::kEachReadAtomic) {
    const CommitId moment = past();
    return key.find([&](CommitId commit) {
      return commit <= moment || std::ranges::any_of(txn.reads, [&](const StoreTxn::Read& read) {
               return read.commit == commit;
             });
    });
  }
  return key.find([&](CommitId commit) { return txn.view.has(commit); });
}

}  // namespace elapid
