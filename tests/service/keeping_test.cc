// What is kept for how long, and runs that are checked by themselves.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "adapter/http/checks/job_queue.h"
#include "tests/service/service.h"
#include "tests/support/temporary_folder.h"

using namespace elapid;

namespace {

std::size_t entries_of(const std::string& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// How often the text is in the answer to a request.
std::size_t count_in(httplib::Client& client, const std::string& path, const std::string& text) {
  const httplib::Result answer = client.Get(path);
  REQUIRE(answer);
  std::size_t count = 0;
  for (std::size_t at = 0; (at = answer->body.find(text, at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("service: of what has ended the newest is kept, if so many are to be kept") {
  const TemporaryFolder folder;
  const std::string state = folder / "state";
  std::vector<std::string> ids;
  {
    Service service(state);
    httplib::Client client = service.client();
    for (int i = 0; i < 4; ++i) {
      ids.push_back(post(client, small_history(true, i)).value_or(""));
      CHECK(field(await_answer(client, ids.back()), "state") == "done");
    }
    for (int i = 0; i < 3; ++i) {
      const std::string stream = client.Post("/v1/streams")->get_header_value("Location");
      if (i < 2) {
        client.Post(stream + "/end");
        CHECK(wait_until(
            [&] { return client.Get(stream)->body.find("\"ended\"") != std::string::npos; }));
      }
    }
    CHECK(service.stop() == 0);
  }
  Service service(state, {"--keep-count", "1"});
  httplib::Client client = service.client();
  CHECK(wait_until([&] { return count_in(client, "/v1/streams", "\"state\":") == 2; }));
  CHECK(count_in(client, "/v1/streams", "\"open\"") == 1);
  CHECK(count_in(client, "/v1/checks", "\"state\"") == 1);
  CHECK(client.Get("/v1/checks/" + ids[3] + "/report")->status == 200);
  CHECK(client.Get("/v1/checks/" + ids[2])->status == 404);
  CHECK(entries_of(state + "/jobs") == 1);
  CHECK(service.stop() == 0);
}

TEST_CASE("job queue: what ended long ago goes, and what has not ended stays") {
  const TemporaryFolder folder;
  auto opened = http::JobQueue::open(std::move(http::open_sqlite(folder / "jobs").value()));
  REQUIRE(opened);
  http::JobQueue& queue = *opened.value();
  for (const char* const name : {"a", "b", "c", "d"}) {
    REQUIRE(queue.add({.digest = name}, name));
  }
  for (int i = 0; i < 3; ++i) {
    const auto job = queue.take("worker");
    REQUIRE(job);
    REQUIRE(queue.finish(*job.value(), "worker", {.verdict = i == 1 ? "" : "valid"}));
  }
  const http::Retention for_a_day = {.age = std::chrono::hours(24)};
  CHECK(queue.remove_ended(for_a_day).value().empty());
  for (const char* const name : {"a", "b", "d"}) {
    REQUIRE(queue.database().run(
        "UPDATE elapid_jobs SET created = created - 90000000, finished = finished - 90000000"
        " WHERE folder = $1",
        {std::string(name)}));
  }
  CHECK(queue.remove_ended(for_a_day).value() == std::vector<std::string>{"a", "b"});
  CHECK(queue.folders().value() == std::vector<std::string>{"c", "d"});
  CHECK(queue.remove_ended({.count = 0}).value() == std::vector<std::string>{"c"});
  CHECK(queue.remove_ended({.count = 0}).value().empty());
}

TEST_CASE("service: runs of a store are checked by themselves, each once, as they end or change") {
  const TemporaryFolder folder;
  const TemporaryFolder store;
  const std::string run = "20261126T180011.000Z";
  store.write("a.edn", small_history(true, 1));
  store.write(run + "/history.edn", small_history(false, 2));
  store.write(run + "/test.jepsen", "");
  const std::string state = folder / "state";
  const std::string done = "\"state\": \"done\"";
  {
    Service service(state, {"--check-runs", store.path().string()});
    httplib::Client client = service.client();
    CHECK(wait_until([&] { return count_in(client, "/v1/checks", done) >= 1; }));
    CHECK(client.Delete("/v1/checks/" + field(client.Get("/v1/checks")->body, "id"))->status ==
          204);
    CHECK(service.stop() == 0);
  }
  store.write(run + "/results.edn", "{:valid? true}\n");
  store.write("b.edn", small_history(true, 3));
  Service service(state, {"--check-runs", store.path().string()});
  httplib::Client client = service.client();
  // Removed runs are not checked again; new and ended runs are.
  CHECK(wait_until([&] { return count_in(client, "/v1/checks", done) == 2; }));
  CHECK(count_in(client, "/v1/checks?verdict=invalid", done) == 1);
  CHECK(count_in(client, "/metrics", "elapid_checks_total{verdict=\"valid\"} 1") == 1);
  CHECK(service.stop() == 0);
}
