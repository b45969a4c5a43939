#include "adapter/watch/event_writer.h"

#include <catch2/catch.hpp>
#include <memory>
#include <new>
#include <string>

namespace elapid {
namespace {

TEST_CASE("event writer: what is thrown while it writes is told, and no checkpoint is begun") {
  const AtomTable atoms;
  EventWriter writer(atoms, {}, nullptr,
                     [](std::string_view) -> Status { throw std::bad_alloc(); });
  Telling telling = {.lines = "line\n"};
  CHECK(writer.tell(telling).ok());
  const Status status = writer.finish();
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().kind == ErrorKind::kInternal);
  CHECK(status.error().message == "memory ran out");
  telling.checkpoint = std::make_unique<BegunCheckpoint>();
  auto begun = telling.checkpoint->get_future();
  CHECK_FALSE(writer.tell(telling).ok());
  CHECK_FALSE(begun.get());
  CHECK(writer.finish().error().message == "memory ran out");
}

TEST_CASE("event writer: what is told comes in its order") {
  const AtomTable atoms;
  std::string written;
  EventWriter writer(atoms, {}, nullptr, [&](std::string_view text) {
    written += text;
    return Status();
  });
  for (int i = 0; i < 9; ++i) {
    Telling telling = {.lines = std::to_string(i)};
    CHECK(writer.tell(telling).ok());
  }
  CHECK(writer.finish().ok());
  CHECK(written == "012345678");
}

}  // namespace
}  // namespace elapid
