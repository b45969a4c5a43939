#include "engine/certify/operations/shown_elements.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "tests/unit/engine/certify/history_sketch.h"

namespace elapid {
namespace {

using Places = std::vector<int>;  // of elements 1 to 5; -1: nowhere

TEST_CASE("certify: where lists show elements first, of prefixes of the longest and of others") {
  HistorySketch sketch(SketchKind::kLists);
  for (const char* read : {"rx1234", "rx12", "rx", "rx3434", "rx34", "rx1251", "ry5", "rx12"}) {
    sketch.ok(0, read);
  }
  const History history = sketch.build();
  certify::ShownElements shown(history);
  std::vector<Places> all;
  for (const Op read : history.all_ops()) {
    Places& places = all.emplace_back();
    for (std::int64_t element = 1; element <= 5; ++element) {
      const auto place = shown.place(read, v(element));
      places.push_back(place ? static_cast<int>(*place) : -1);
    }
  }
  CHECK(all == std::vector<Places>{{0, 1, 2, 3, -1},
                                   {0, 1, -1, -1, -1},
                                   {-1, -1, -1, -1, -1},
                                   {-1, -1, 0, 1, -1},
                                   {-1, -1, 0, 1, -1},
                                   {0, 1, -1, -1, 2},
                                   {-1, -1, -1, -1, 0},
                                   {0, 1, -1, -1, -1}});
}

}  // namespace
}  // namespace elapid
