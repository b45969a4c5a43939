#include "engine/online/provisional_reads.h"

#include <algorithm>
#include <utility>

#include "engine/online/byte_codec.h"

namespace elapid {

void ProvisionalReads::add(const Pending& read) {
  if (counts_.empty()) {
    counts_.resize(kSlots);
  }
  Count& count = counts_[slot_of(read.owner, read.txn, read.mop)];
  if (count < kMany) {
    ++count;
  }
  wait(read);
}

void ProvisionalReads::remove(Atom key, Atom reader, std::uint32_t mop) {
  Count& count = counts_[slot_of(key, reader, mop)];
  if (count < kMany) {
    --count;
  }
}

void ProvisionalReads::wait(const Pending& read) {
  first_ = std::min(first_, read.due.time());
  last_ = std::max(last_, read.due.time());
  waiting_.push_back(read);
}

std::string ProvisionalReads::encode() const {
  ByteWriter out;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0) {
      out.add(i);
      out.add(counts_[i]);
    }
  }
  return std::move(out).take();
}

void ProvisionalReads::restore(std::string_view bytes) {
  counts_.assign(kSlots, 0);
  ByteReader in(bytes);
  while (!in.is_at_end()) {
    const std::uint64_t slot = in.number() % kSlots;
    counts_[slot] = static_cast<Count>(in.number());
  }
}

}  // namespace elapid
