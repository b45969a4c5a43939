#include "adapter/watch/parsed_lines.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <new>

#include "adapter/watch/intake.h"

namespace elapid {
namespace {

/// One line, and then no memory.
class ThrowingSource final : public LineSource {
 public:
  ThrowingSource() : LineSource("throwing") {}

  Result<Lines> next(std::chrono::milliseconds /*patience*/) override {
    if (has_begun_) {
      throw std::bad_alloc();
    }
    has_begun_ = true;
    return Lines{.text = "\n"};
  }

  void finish() override {}

 private:
  bool has_begun_ = false;
};

TEST_CASE("parsed lines: what is thrown while they are read is an error behind what came before") {
  constexpr std::chrono::seconds kPatience(60);
  ThrowingSource source;
  AtomTable atoms;
  Intake intake(atoms, {}, {});
  ParsedLines batches(source, intake, atoms, "", "");
  const LineBatch* const first = batches.next(kPatience);
  REQUIRE(first != nullptr);
  CHECK_FALSE(first->error);
  const LineBatch* const last = batches.next(kPatience);
  REQUIRE(last != nullptr);
  REQUIRE(last->error);
  CHECK(last->error->kind == ErrorKind::kInternal);
  CHECK(last->error->message == "memory ran out");
}

}  // namespace
}  // namespace elapid
