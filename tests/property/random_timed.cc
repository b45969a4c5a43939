#include "tests/property/random_timed.h"
#include "tests/support/sample_size.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>
#include <vector>

namespace elapid {

TimedHistory RandomTimed::make() {
  TimedHistory history = {.model = variety_.model};
  if (variety_.has_two_names) {
    history.initial = 1;
  }
  const std::size_t count = 2 + random_.below(6);
  for (std::size_t t = 0; t < count; ++t) {
    history.txns.push_back(txn());
  }
  const bool serial = random_.percent(40);
  for (std::size_t t = 0; t < count; ++t) {
    fill_in_reads(history, t, serial);
  }
  return history;
}

std::int64_t RandomTimed::time() {
  return static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(variety_.times)));
}

TimedTxn RandomTimed::txn() {
  TimedTxn txn = {.session = static_cast<std::int64_t>(random_.below(3))};
  const auto [early, late] = std::minmax({time(), time()});
  const bool backwards = random_.percent(3);
  txn.start = backwards ? late : early;
  txn.commit = backwards ? early : late;
  if (variety_.has_gaps) {
    txn.status = random_.percent(15)   ? TxnStatus::kAborted
                 : random_.percent(15) ? TxnStatus::kIndeterminate
                                       : TxnStatus::kCommitted;
    txn.start = random_.percent(10) ? std::nullopt : txn.start;
    txn.commit = random_.percent(20) ? std::nullopt : txn.commit;
  }
  if (variety_.has_real_time) {
    const std::int64_t asked = real_time_[static_cast<std::size_t>(txn.session)] + 1 + time();
    txn.real_time = {asked, asked + 1 + time()};
    real_time_[static_cast<std::size_t>(txn.session)] = txn.real_time->second;
  }
  for (std::size_t mops = 1 + random_.below(4); mops > 0; --mops) {
    txn.mops.push_back(mop());
  }
  return txn;
}

TinyMop RandomTimed::mop() {
  const bool is_list = variety_.model == Workload::kListAppend;
  TinyMop mop = {.key = "xyz"[random_.below(3)]};
  if (random_.percent(50)) {
    mop.kind = is_list ? OpKind::kReadList : OpKind::kRead;
  } else {
    mop.kind = is_list ? OpKind::kAppend : OpKind::kWrite;
    const bool repeats = next_value_ > 1 && random_.percent(is_list ? variety_.repeats : 20);
    mop.values = {repeats ? 1 + static_cast<std::int64_t>(random_.below(3)) : next_value_++};
  }
  return mop;
}

/// Reads are mostly right.
void RandomTimed::fill_in_reads(TimedHistory& history, std::size_t t, bool serial) {
  TimedTxn& txn = history.txns[t];
  for (std::size_t m = 0; m < txn.mops.size(); ++m) {
    TinyMop& read = txn.mops[m];
    if (!read.is_read()) {
      continue;
    }
    if (txn.status != TxnStatus::kCommitted) {
      read = {OpKind::kRead, read.key, {}};  // unknown
    } else if (random_.percent(variety_.careless)) {
      read.values = anything();
    } else {
      read.values = right_contents(history, t, m, serial);
      if (variety_.has_two_names && random_.percent(50) && is_initial(history, read.values)) {
        read.values = random_.percent(50) ? Contents() : Contents{*history.initial};
      }
    }
  }
}

Contents RandomTimed::anything() {
  Contents contents;
  const std::size_t length =
      variety_.model == Workload::kListAppend ? random_.below(4) : random_.below(2);
  while (contents.size() < length) {
    contents.push_back(1 + static_cast<std::int64_t>(random_.below(12)));
  }
  return contents;
}

Contents RandomTimed::right_contents(const TimedHistory& history, std::size_t t, std::size_t m,
                                     bool serial) {
  const TimedTxn& txn = history.txns[t];
  const bool is_placed = txn.start && txn.commit;
  const char key = txn.mops[m].key;
  Contents contents = is_placed
                          ? NaiveTimestamps(history, serial).expected(t, key).value_or(Contents())
                          : Contents();
  for (std::size_t e = 0; e < m; ++e) {
    if (txn.mops[e].key != key) {
      continue;
    }
    if (txn.mops[e].kind == OpKind::kAppend) {
      contents.push_back(txn.mops[e].values.front());
    } else {
      contents = txn.mops[e].values;
    }
  }
  return contents;
}

namespace {

const std::vector<TimedVariety> kVarieties = {
    {},
    {.model = Workload::kListAppend},
    {.has_gaps = true},
    {.model = Workload::kListAppend, .has_gaps = true},
    {.has_real_time = true},
    {.times = 4},
    {.model = Workload::kListAppend, .times = 4, .careless = 5},
    {.has_gaps = true, .has_real_time = true, .times = 6},
    {.times = 40, .careless = 2},
    {.model = Workload::kListAppend, .times = 40, .careless = 2},
    {.model = Workload::kListAppend, .repeats = 40},
    {.model = Workload::kListAppend, .has_gaps = true, .times = 6, .repeats = 20},
    {.has_two_names = true},
    {.has_gaps = true, .times = 6, .has_two_names = true},
};

}  // namespace

void for_all_timed(std::uint64_t by_default, const TimedProperty& property) {
  const std::uint64_t first_seed = first_seed_of_cases();
  std::size_t failures = 0;
  for (std::size_t v = 0; v < kVarieties.size(); ++v) {
    for (std::uint64_t i = 0; i < case_count(by_default) && failures < 3; ++i) {
      const std::uint64_t seed = first_seed + i * kVarieties.size() + v;
      const TimedHistory history = RandomTimed(kVarieties[v], seed).make();
      const std::string wrong = property(history, seed);
      if (!wrong.empty()) {
        ++failures;
        FAIL_CHECK("seed " << seed << ": " << to_text(history) << "\n" << wrong);
      }
    }
  }
}

}  // namespace elapid
