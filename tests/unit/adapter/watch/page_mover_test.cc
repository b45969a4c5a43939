#include "adapter/watch/page_mover.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <future>
#include <new>
#include <string>

#include "tests/support/memory_page_store.h"
#include "tests/unit/engine/online/timeline_walk.h"

namespace elapid {
namespace {

const PageOwner kOwner = {PageOwner::Kind::kKey, Atom::nil()};

/// Fails at the first page that it is given.
class FailingStore final : public PageStore {
 public:
  void save(PageOwner /*owner*/, Moment /*begin*/, std::string_view /*bytes*/) override {
    status_ = Error{.kind = ErrorKind::kUnreadable, .message = "full"};
  }

  std::optional<StoredPage> last_up_to(PageOwner /*owner*/, Moment /*moment*/) override {
    return std::nullopt;
  }

  std::optional<StoredPage> first_after(PageOwner /*owner*/, Moment /*moment*/) override {
    return std::nullopt;
  }

  [[nodiscard]] Status status() const override { return status_; }

 private:
  Status status_;
};

TEST_CASE("page mover: a timeline is the same whatever part of it is on its way") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    MemoryPageStore store;
    PageMover mover(store);
    TimelineWalk(mover, seed).run(150);
  }
}

TEST_CASE("page mover: whoever asks finds what was moved last") {
  MemoryPageStore store;
  PageMover mover(store);
  std::promise<void> asked;
  mover.move(kOwner, Moment::first(), [&] {
    asked.get_future().wait();
    return std::string("old");
  });
  mover.move(kOwner, Moment::first(), [] { return std::string("moved"); });
  asked.set_value();
  CHECK(mover.last_up_to(kOwner, Moment::last())->bytes == "moved");
  mover.move(kOwner, Moment::first(), [] { return std::string("moved again"); });
  mover.save(kOwner, Moment::first(), "saved");
  CHECK(mover.last_up_to(kOwner, Moment::last())->bytes == "saved");
  mover.move(kOwner, Moment::last(), [] { return std::string("behind"); });
  CHECK(mover.first_after(kOwner, Moment::first())->bytes == "behind");
  mover.move(kOwner, Moment::last(), [] { return std::string("at the end"); });
  mover.finish();
  CHECK(store.last_up_to(kOwner, Moment::last())->bytes == "at the end");
}

TEST_CASE(
    "page mover: a task finds what was moved before it, and nothing of what was moved behind") {
  MemoryPageStore store;
  PageMover mover(store);
  std::promise<void> asked;
  std::string found;
  mover.move(kOwner, Moment::first(), [] { return std::string("before"); });
  CHECK(mover.has_run());
  mover.run_behind([&] {
    asked.get_future().wait();
    found = store.last_up_to(kOwner, Moment::last())->bytes;
    return Status();
  });
  mover.move(kOwner, Moment::first(), [] { return std::string("behind"); });
  CHECK_FALSE(mover.has_run());
  asked.set_value();
  CHECK(mover.last_up_to(kOwner, Moment::last())->bytes == "behind");
  CHECK(found == "before");
  CHECK(mover.has_run());
}

TEST_CASE("page mover: pages that gather are there when they are asked for, and before a task") {
  MemoryPageStore store;
  PageMover mover(store);
  mover.gather();
  mover.move(kOwner, Moment::first(), [] { return std::string("gathered"); });
  CHECK(mover.last_up_to(kOwner, Moment::last())->bytes == "gathered");
  mover.gather();
  mover.move(kOwner, Moment::first(), [] { return std::string("before"); });
  std::promise<std::string> found;
  mover.run_behind([&] {
    found.set_value(store.last_up_to(kOwner, Moment::last())->bytes);
    return Status();
  });
  CHECK(found.get_future().get() == "before");
}

TEST_CASE("page mover: the first error of a task or of the store stays") {
  FailingStore store;
  PageMover mover(store);
  mover.run_behind(
      [] { return Status(Error{.kind = ErrorKind::kUnreadable, .message = "not committed"}); });
  mover.move(kOwner, Moment::first(), [] { return std::string("page"); });
  mover.finish();
  REQUIRE_FALSE(mover.status().ok());
  CHECK(mover.status().error().message == "not committed");
}

TEST_CASE("page mover: what is thrown is an error, and nothing is committed after it") {
  MemoryPageStore store;
  PageMover mover(store);
  bool is_committed = false;
  mover.move(kOwner, Moment::first(), []() -> std::string { throw std::bad_alloc(); });
  mover.run_behind([&] {
    is_committed = true;
    return Status();
  });
  mover.finish();
  CHECK(mover.has_run());
  CHECK_FALSE(is_committed);
  REQUIRE_FALSE(mover.status().ok());
  CHECK(mover.status().error().message == "memory ran out");
}

TEST_CASE("page mover: an error of the store is told by what comes after") {
  FailingStore store;
  PageMover mover(store);
  CHECK(mover.status().ok());
  mover.move(kOwner, Moment::first(), [] { return std::string("page"); });
  mover.finish();
  REQUIRE_FALSE(mover.status().ok());
  CHECK(mover.status().error().message == "full");
}

}  // namespace
}  // namespace elapid
