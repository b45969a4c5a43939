#include "engine/certify/operations/read_sources.h"

#include <algorithm>
#include <utility>

namespace elapid::certify {

ReadSources::ReadSources(const History& history, const Effects& effects)
    : history_(history), effects_(effects), read_begin_{0} {
  const auto txn_count = static_cast<std::uint32_t>(history.txn_count());
  for (std::uint32_t t = 0; t < txn_count; ++t) {
    for (const FinalWrite& write : effects.writes(TxnId{t})) {
      writers_.push_back({write.key, write.value, TxnId{t}});
    }
  }
  std::ranges::sort(writers_);
  for (std::uint32_t t = 0; t < txn_count; ++t) {
    for (const ExternalRead& read : effects.reads(TxnId{t})) {
      add(TxnId{t}, read);
    }
    read_begin_.push_back(size());
  }
  for (const std::uint32_t read : std::views::iota(std::uint32_t{0}, size())) {
    if (reads_[read].begin < reads_[read].end) {
      reads_by_range_.push_back(read);
    }
  }
  std::ranges::stable_sort(reads_by_range_, {},
                           [this](std::uint32_t read) { return reads_[read].begin; });
}

std::span<const ReadSources::Writer> ReadSources::writers_of(KeyId key, ValueId value) const {
  return std::ranges::equal_range(writers_, std::pair(key, value), {}, [](const Writer& writer) {
    return std::pair(writer.key, writer.value);
  });
}

/// Whether the read may have seen a key before its first write.
bool ReadSources::may_be_initial(const ExternalRead& read) const {
  const TxnId initial_txn = history_.info().initial_txn;
  if (!initial_txn.is_none() && history_.committed(initial_txn) &&
      effects_.writes(initial_txn, read.key())) {
    return false;
  }
  const ValueId seen = effects_.seen(read);
  return effects_.has_lists() ? seen.is_none() : history_.is_initial(seen);
}

void ReadSources::add(TxnId reader, const ExternalRead& read) {
  std::span<const Writer> writers = writers_of(read.key(), effects_.seen(read));
  writers = writers.first(read.is_unwritten ? 0 : writers.size());
  const auto begin = static_cast<std::uint32_t>(writers.data() - writers_.data());
  reads_.push_back({.reader = reader,
                    .key = read.key(),
                    .begin = begin,
                    .end = begin + static_cast<std::uint32_t>(writers.size()),
                    .may_be_initial = may_be_initial(read)});
}

std::optional<std::uint32_t> ReadSources::find(TxnId reader, KeyId key) const {
  const auto candidates = of(reader);
  const auto found = std::ranges::lower_bound(
      candidates, key, {}, [this](std::uint32_t read) { return reads_[read].key; });
  const bool is_there = found != candidates.end() && reads_[*found].key == key;
  return is_there ? std::optional(*found) : std::nullopt;
}

bool ReadSources::allows(std::uint32_t read, TxnId source) const {
  const Read& what = reads_[read];
  if (source.is_none()) {
    return what.may_be_initial;
  }
  const auto writers = std::span(writers_).subspan(what.begin, what.end - what.begin);
  return source != what.reader && std::ranges::binary_search(writers, source, {}, &Writer::txn);
}

std::vector<std::uint32_t> ReadSources::served_by(TxnId writer) const {
  std::vector<std::uint32_t> served;
  for (const FinalWrite& write : effects_.writes(writer)) {
    const std::span<const Writer> writers = writers_of(write.key, write.value);
    const auto begin = static_cast<std::uint32_t>(writers.data() - writers_.data());
    const auto reads = std::ranges::equal_range(
        reads_by_range_, begin, {}, [this](std::uint32_t read) { return reads_[read].begin; });
    served.insert(served.end(), reads.begin(), reads.end());
  }
  return served;
}

}  // namespace elapid::certify
