#include "adapter/source/contention.h"

#include <catch2/catch.hpp>

#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

TEST_CASE("contention: transactions that overlap another session's are counted, each once") {
  // 0 overlaps 1 and 2; 1 and 2 follow one another; 3 is alone.
  const Contention found =
      contention(register_history("0> wx1; 1> wx2; 1+ wx2; 2> rx2; 2+ rx2; 0+ wx1; 3 rx2"));
  CHECK(found.overlapping == 3);
  CHECK(found.committed == 4);
}

TEST_CASE("contention: what was aborted overlaps nothing") {
  CHECK(contention(register_history("0> wx1; 1> wx2; 1- wx2; 0+ wx1")).overlapping == 0);
}

TEST_CASE("contention: keys of several writers, whether these committed or may have") {
  const Contention found =
      contention(register_history("0 wx1; 1? wx2; 0 wy1; 0 wy2; 1- wy3; 2 wz1"));
  CHECK(found.keys_of_many_writers == 1);
  CHECK(found.written_keys == 3);
}

TEST_CASE("contention: reads of one's own writes and of the initial state are no reads of others") {
  const Contention found = contention(register_history("0 wx1; 0 rx1; 1 rx1; 1 ry_"));
  CHECK(found.reads_of_others == 1);
  CHECK(found.reads == 3);
}

TEST_CASE("contention: a value that both wrote may be one's own") {
  CHECK(contention(register_history("0 wx1; 1 wx1; 0 rx1; 2 rx1")).reads_of_others == 1);
}

TEST_CASE("contention: a list shows its last element's writer") {
  const Contention found = contention(list_history("0 ax1; 1 ax2; 0 rx12; 1 rx12; 1 rx"));
  CHECK(found.reads_of_others == 1);
  CHECK(found.reads == 3);
}

TEST_CASE("contention: each figure that is too small is named, with what was demanded") {
  const Contention alone = contention(register_history("0 wx1; 0 rx1"));
  CHECK(
      why_vacuous(alone, {}) ==
      "no transaction overlaps another session's; no key has several writers; no read saw another "
      "session's write");
  CHECK(why_vacuous(alone, {.overlapping = 0, .keys_of_many_writers = 0, .reads_of_others = 0})
            .empty());
  const Contention some = contention(register_history("0> wx1; 1> wx2; 1+ wx2; 0+ wx1; 2 rx1"));
  CHECK(why_vacuous(some, {}).empty());
  CHECK(why_vacuous(some, {.overlapping = 3}) ==
        "2 of 3 transactions overlap others (at least 3 are demanded)");
}

TEST_CASE("contention: how many transactions committed, aborted, or may have done either") {
  const Contention found = contention(register_history("0 wx1; 1- wx2; 1- wx3; 2? wx4"));
  CHECK(fates_text(found) == "50.0 % aborted, 25.0 % indeterminate");
  const LeastContention half = {
      .overlapping = 0, .keys_of_many_writers = 0, .reads_of_others = 0, .committed_percent = 50};
  CHECK(why_vacuous(found, half) == "1 of 4 transactions committed (at least 50 % are demanded)");
}

TEST_CASE("contention: as one line") {
  CHECK(contention_text(contention(register_history("0> wx1; 1> wx2; 1+ wx2; 0+ wx1; 2 rx1"))) ==
        "2 of 3 transactions overlap others, 1 of 1 keys have several writers, 1 of 1 reads saw "
        "others' writes");
}

}  // namespace
}  // namespace elapid
