// Output that people have looked at and found right, in files.
#ifndef ELAPID_TESTS_UNIT_HARNESS_STORY_APPROVED_H_
#define ELAPID_TESTS_UNIT_HARNESS_STORY_APPROVED_H_

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

#endif  // ELAPID_TESTS_UNIT_HARNESS_STORY_APPROVED_H_
