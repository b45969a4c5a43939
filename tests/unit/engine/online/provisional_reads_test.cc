#include "engine/online/provisional_reads.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

namespace elapid {
namespace {

Atom provisional_atom(std::int64_t number) {
  return AtomTable().integer(number);
}

Pending wrong_read(std::int64_t time, std::int64_t reader, std::uint32_t mop = 0) {
  const Moment at = {time, 0, Moment::kStart};
  return {.due = at,
          .at = at,
          .owner = provisional_atom(7),
          .txn = provisional_atom(reader),
          .mop = mop};
}

void remove(ProvisionalReads& reads, const Pending& read) {
  reads.remove(read.owner, read.txn, read.mop);
}

/// The readers that are taken out.
std::multiset<Atom> taken(ProvisionalReads& reads, std::int64_t watermark) {
  std::multiset<Atom> readers;
  reads.take_due({watermark, 0}, [&](const Pending& read) { readers.insert(read.txn); });
  return readers;
}

TEST_CASE("provisional reads: those whose time is final are taken, once") {
  ProvisionalReads reads;
  reads.add(wrong_read(10, 1));
  reads.add(wrong_read(20, 2));
  reads.add(wrong_read(1000, 3));
  CHECK(taken(reads, 9).empty());
  CHECK(taken(reads, 20) == std::multiset{provisional_atom(1), provisional_atom(2)});
  CHECK(taken(reads, 999).empty());
  CHECK(taken(reads, 1000) == std::multiset{provisional_atom(3)});
  CHECK(taken(reads, 2000).empty());
}

TEST_CASE("provisional reads: none that is wrong is ever left out, whatever its hash") {
  ProvisionalReads reads;
  constexpr std::int64_t kMany = 200'000;  // more than the table has slots
  for (std::int64_t reader = 0; reader < kMany; ++reader) {
    reads.add(wrong_read(100 + reader, reader));
  }
  for (std::int64_t reader = 0; reader < kMany; ++reader) {
    if (reader % 1000 != 0) {
      remove(reads, wrong_read(100 + reader, reader));
    }
  }
  // Wrong once more: it is there twice.
  remove(reads, wrong_read(100, 0));
  reads.add(wrong_read(100, 0));
  const std::multiset<Atom> all = taken(reads, 100 + kMany);
  CHECK(all.count(provisional_atom(0)) >= 1);
  for (std::int64_t reader = 0; reader < kMany; reader += 1000) {
    CHECK(all.contains(provisional_atom(reader)));
  }
  CHECK(all.size() < 2000);  // and of the others next to none
}

TEST_CASE("provisional reads: more of one hash than are counted are never forgotten") {
  ProvisionalReads reads;
  const Pending read = wrong_read(10, 1);
  for (int i = 0; i < 70'000; ++i) {
    reads.add(read);
  }
  for (int i = 0; i < 69'999; ++i) {
    remove(reads, read);
  }
  CHECK_FALSE(taken(reads, 10).empty());
}

TEST_CASE("provisional reads: what was restored is removed like what was added") {
  ProvisionalReads reads;
  reads.add(wrong_read(10, 1));
  reads.add(wrong_read(10, 2));
  ProvisionalReads again;
  again.restore(reads.encode());
  remove(again, wrong_read(10, 1));
  again.add(wrong_read(10, 3));
  CHECK(taken(again, 10) == std::multiset{provisional_atom(3)});
  CHECK(ProvisionalReads().encode().empty());
}

}  // namespace
}  // namespace elapid
