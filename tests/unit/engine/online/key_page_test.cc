#include "engine/online/key_page.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

namespace elapid {
namespace {

Atom numbered(std::int64_t number) {
  return AtomTable().integer(number);
}

Moment commit(std::int64_t time) {
  return Moment::of({time, 0}, Moment::kCommit);
}

Moment start(std::int64_t time) {
  return Moment::of({time, 0}, Moment::kStart);
}

OnlineVersion version(std::int64_t time, std::int64_t writer) {
  return {.at = commit(time),
          .start = {time - 1, 7},
          .writer = numbered(writer),
          .value = numbered(-writer)};
}

OnlineRead read_of(std::int64_t time, std::int64_t reader, ReadState state = ReadState::kRight) {
  return {.at = start(time),
          .reader = numbered(reader),
          .value = numbered(5),
          .mop = 3,
          .state = state};
}

TEST_CASE("a page as bytes") {
  KeyPage page;
  page.begin = commit(-100);
  page.floor = version(-101, 1);
  page.is_floor_tied = true;
  page.versions = {version(-100, 2), version(-100, 3), version(1'000'000'000'000, 4)};
  page.versions[0].value = Atom::nil();
  page.versions[1].at.logical = 4'000'000'000;
  page.reads = {read_of(-99, 5), read_of(7, 6, ReadState::kWrong), read_of(7, 7, ReadState::kTied),
                read_of(8, 1, ReadState::kMaybe)};
  page.passing_values = {{.at = commit(7), .writer = numbered(9), .value = numbered(10)}};
  const std::string bytes = page.encode();
  const KeyPage again = KeyPage::decode(page.begin, bytes);
  CHECK(again.begin == page.begin);
  CHECK_FALSE(again.is_dirty);
  CHECK(again.is_floor_tied);
  REQUIRE(again.floor);
  CHECK(again.floor->writer == numbered(1));
  CHECK(again.longest == 1);
  REQUIRE(again.versions.size() == 3);
  CHECK(again.versions[0].value.is_nil());
  CHECK(again.versions[1].at.logical == 4'000'000'000);
  CHECK(again.versions[2].start == Timestamp{999'999'999'999, 7});
  REQUIRE(again.reads.size() == 4);
  CHECK(again.reads[1].state == ReadState::kWrong);
  CHECK(again.reads[3].state == ReadState::kMaybe);
  CHECK(again.reads[3].mop == 3);
  REQUIRE(again.passing_values.size() == 1);
  CHECK(again.passing_values[0].value == numbered(10));
  CHECK(again.encode() == bytes);
  CHECK(KeyPage::decode(commit(1), KeyPage().encode()).size() == 0);
}

TEST_CASE("damaged bytes of a page are no danger") {
  KeyPage page;
  page.floor = version(1, 1);
  page.versions = {version(2, 2), version(3, 3)};
  page.reads = {read_of(2, 4)};
  const std::string bytes = page.encode();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK(KeyPage::decode(commit(1), bytes.substr(0, size)).size() <= page.size());
    std::string other = bytes;
    other[size] = '\xFF';
    CHECK(KeyPage::decode(commit(1), other).size() <= 2 * bytes.size());
  }
}

TEST_CASE("what is current is the last version before a moment") {
  KeyPage page;
  CHECK(page.current(start(1)).version == nullptr);
  page.floor = version(1, 1);
  page.versions = {version(3, 2), version(5, 3), version(5, 4)};
  CHECK(page.current(start(2)).version->writer == numbered(1));
  CHECK(page.current(commit(3)).version->writer == numbered(1));
  CHECK(page.current(start(3)).version->writer == numbered(2));
  CHECK_FALSE(page.current(start(4)).is_tied);
  CHECK(page.current(start(5)).is_tied);
  CHECK(page.current_for(commit(5), numbered(3)).is_tied);
  CHECK(page.current_for(commit(3), numbered(3)).is_tied);
  CHECK_FALSE(page.current_for(commit(3), numbered(2)).is_tied);
  CHECK_FALSE(page.current_for(start(3), numbered(9)).is_tied);
  CHECK(page.current_for(start(3), numbered(9)).version->writer == numbered(2));
}

TEST_CASE("a page is split between moments, so that ties stay together") {
  KeyPage page;
  page.versions = {version(1, 1), version(4, 2), version(4, 3), version(4, 4), version(4, 5)};
  page.versions.back().start = {0, 7};
  CHECK(page.cut(false) == commit(4));
  KeyPage rest = page.split(commit(4));
  CHECK(page.versions.size() == 1);
  CHECK(rest.versions.size() == 4);
  CHECK(rest.begin == commit(4));
  CHECK(rest.floor->writer == numbered(1));
  CHECK(rest.longest == 4);
  CHECK(page.longest == 1);
  CHECK_FALSE(rest.cut(false));
  CHECK_FALSE(rest.cut(true));
  rest.reads = {read_of(6, 7), read_of(8, 8)};
  KeyPage last = rest.split(start(6));
  CHECK(last.is_floor_tied);
  CHECK(last.current(start(6)).is_tied);
  CHECK(last.reads.size() == 2);
  CHECK(rest.reads.empty());
}

TEST_CASE("the last page is cut at its end, others in the middle") {
  KeyPage page;
  for (std::int64_t time = 1; time <= 9; ++time) {
    page.versions.push_back(version(time, time));
  }
  CHECK(page.cut(true) == commit(9));
  CHECK(page.cut(false) == commit(5));
  page.reads = {read_of(20, 1)};
  CHECK(page.cut(true) == start(20));
  CHECK(page.has_entries_before(commit(2)));
  CHECK_FALSE(page.has_entries_before(commit(1)));
  CHECK(page.is_before(commit(21)));
  CHECK_FALSE(page.is_before(commit(20)));
}

}  // namespace
}  // namespace elapid
