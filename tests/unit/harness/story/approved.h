// Output that people have looked at and found right, in files.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>

namespace elapid {

/// Compares with a file in the folder `approved` beside this one.
inline void check_approved(const std::string& shown, const std::string& name) {
  const std::ifstream file(ELAPID_STORY_APPROVED "/" + name);
  std::ostringstream approved;
  approved << file.rdbuf();
  INFO(name << ":\n" << shown);
  CHECK(shown == approved.str());
}

}  // namespace elapid
