#include "engine/online/atom.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace elapid {

TEST_CASE("stable list: entries stay where they are while others are added") {
  StableList<std::string> list;
  std::vector<const std::string*> places;
  for (int i = 0; i < 1000; ++i) {
    list.push_back(std::to_string(i));
    places.push_back(&list[static_cast<std::size_t>(i)]);
  }
  CHECK(list.size() == 1000);
  for (std::size_t i = 0; i < list.size(); ++i) {
    CHECK(&list[i] == places[i]);
    CHECK(list[i] == std::to_string(i));
  }
}

}  // namespace elapid
