#include "harness/drive/request_feed.h"

#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <thread>

#include "harness/generate/generate.h"

using namespace elapid;

namespace {

std::unique_ptr<RequestFeed> feed_of(std::string_view workload, const FeedLimits& limits,
                                     std::uint64_t seed = 1) {
  Result<std::unique_ptr<RequestSource>> source = make_requests({.workload = workload});
  REQUIRE(source.ok());
  return std::make_unique<RequestFeed>(std::move(source).value(), seed, limits);
}

/// A request as text.
std::string text_of(const Request& request) {
  std::string text;
  for (const RequestStep& step : request.steps) {
    text += std::to_string(static_cast<int>(step.kind)) + ' ' + std::to_string(step.key) + ' ' +
            std::to_string(step.value) + ';';
  }
  return text;
}

std::vector<std::string> all_of(RequestFeed& feed) {
  std::vector<std::string> texts;
  Request request;
  while (feed.next(request)) {
    texts.push_back(text_of(request));
  }
  return texts;
}

}  // namespace

TEST_CASE("The same seed gives the same requests") {
  const std::vector<std::string> first = all_of(*feed_of("list-append", {.transactions = 2'000}));
  CHECK(first.size() == 2'000);
  CHECK(first == all_of(*feed_of("list-append", {.transactions = 2'000})));
  CHECK(first != all_of(*feed_of("list-append", {.transactions = 2'000}, 2)));
}

TEST_CASE("Levels are drawn by their shares, and change nothing else of the requests") {
  const auto source = [] { return std::move(make_requests({.workload = "list-append"})).value(); };
  RequestFeed mixed(source(), 1, {.transactions = 3'000}, {1, 3, 6});
  std::array<std::size_t, 3> drawn = {};
  std::vector<std::string> texts;
  Request request;
  while (mixed.next(request)) {
    ++drawn.at(request.level);
    texts.push_back(text_of(request));
  }
  CHECK(texts == all_of(*feed_of("list-append", {.transactions = 3'000})));
  CHECK((drawn[0] > 200 && drawn[0] < 400));
  CHECK((drawn[1] > 750 && drawn[1] < 1'050));
}

TEST_CASE("Requests end when there were as many operations as wanted") {
  std::size_t operations = 0;
  std::size_t before_last = 0;
  for (const std::string& text : all_of(*feed_of("rw-register", {.operations = 500}))) {
    before_last = operations;
    operations += static_cast<std::size_t>(std::ranges::count(text, ';'));
  }
  CHECK(before_last < 500);
  CHECK(operations >= 500);
}

TEST_CASE("Several threads get each request once") {
  const std::unique_ptr<RequestFeed> feed = feed_of("list-append", {.transactions = 20'000});
  std::vector<std::vector<std::string>> taken(4);
  std::vector<std::thread> threads;
  for (std::vector<std::string>& mine : taken) {
    threads.emplace_back([&feed, &mine] { mine = all_of(*feed); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  std::multiset<std::string> together;
  for (const std::vector<std::string>& mine : taken) {
    together.insert(mine.begin(), mine.end());
  }
  const std::vector<std::string> alone = all_of(*feed_of("list-append", {.transactions = 20'000}));
  CHECK(together == std::multiset<std::string>(alone.begin(), alone.end()));
}

TEST_CASE("Keys that are not needed any more are used again, however long a run lasts") {
  const std::unique_ptr<RequestFeed> feed = feed_of("list-append", {.transactions = 50'000});
  Request request;
  std::uint32_t highest = 0;
  while (feed->next(request)) {
    for (const RequestStep& step : request.steps) {
      highest = std::max(highest, step.slot);
    }
  }
  CHECK(highest < 200);
}

TEST_CASE("A feed without limits goes on, and reads everything in the end") {
  const std::unique_ptr<RequestFeed> feed = feed_of("list-append", {});
  Request request;
  for (int n = 0; n < 1'000; ++n) {
    REQUIRE(feed->next(request));
  }
  std::size_t n = 0;
  for (; feed->final_read(n, request); ++n) {
    CHECK(request.steps.size() == 1);
    CHECK(request.only_reads);
  }
  CHECK(n == 10);
}
