// Services and workers that share a PostgreSQL: users see exactly one answer to each check, even if
// some of these processes die.
#include <signal.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/generate/random.h"
#include "harness/servers/private_server.h"
#include "tests/service/service.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"

using namespace elapid;

namespace {

/// Nothing if PostgreSQL is not installed.
std::optional<PrivateServer> start_postgres() {
  Result<PrivateServer> server = PrivateServer::start(postgres_server(), {});
  if (!server) {
    WARN("SKIPPED: " << server.error().to_string());
    return std::nullopt;
  }
  return std::move(server).value();
}

/// Two services that only accept, as they have one worker each that is busy with others' checks as
/// well, and four workers.
struct Cluster {
  TemporaryFolder folder = {};
  std::string queue;
  std::vector<std::string> shared;  ///< further options of all
  std::vector<std::unique_ptr<Service>> services = {};
  std::vector<std::unique_ptr<Child>> workers = {};

  [[nodiscard]] std::vector<std::string> options() const {
    std::vector<std::string> options = {"--queue", queue, "--jobs",      "1",
                                        "--rate",  "0",   "--take-over", "2s"};
    options.insert(options.end(), shared.begin(), shared.end());
    return options;
  }

  void start_worker(std::size_t i) {
    std::vector<std::string> words = {"serve", "--worker", "--state",
                                      folder / ("worker-" + std::to_string(i))};
    const std::vector<std::string> more = options();
    words.insert(words.end(), more.begin(), more.end());
    workers[i] = std::make_unique<Child>(words, folder / "workers.out");
  }

  void start() {
    for (int i = 0; i < 2; ++i) {
      services.push_back(
          std::make_unique<Service>(folder / ("service-" + std::to_string(i)), options()));
    }
    workers.resize(4);
    for (std::size_t i = 0; i < workers.size(); ++i) {
      start_worker(i);
    }
  }
};

/// Posts checks to both services while workers are killed, and asks the other service for each.
void check_each_answered_once(Cluster& cluster, std::size_t count, std::size_t kills) {
  Random random(from_environment("ELAPID_PROPERTY_SEED", 1));
  cluster.start();
  std::map<std::string, bool> accepted;
  std::vector<httplib::Client> clients;
  clients.push_back(cluster.services[0]->client());
  clients.push_back(cluster.services[1]->client());
  std::thread killer([&] {
    for (std::size_t i = 0; i < kills; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50 + random.below(300)));
      const std::size_t victim = random.below(cluster.workers.size());
      cluster.workers[victim]->signal(SIGKILL);
      cluster.workers[victim]->wait();
      cluster.start_worker(victim);
    }
  });
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_valid = i % 2 == 0;
    const auto id =
        post(clients[i % 2], small_history(is_valid, static_cast<int>(i)), "?levels=serializable");
    CHECK(id);
    if (id) {
      accepted.emplace(*id, is_valid);
    }
  }
  killer.join();
  CHECK(accepted.size() == count);
  std::map<std::string, std::string> finished;
  for (const auto& [id, is_valid] : accepted) {
    const std::string answer = await_answer(clients[0], id);
    INFO(answer);
    CHECK(field(answer, "verdict") == (is_valid ? "valid" : "invalid"));
    finished[id] = field(answer, "finished");
    CHECK(clients[1].Get("/v1/checks/" + id + "/evidence/summary.txt")->status == 200);
    CHECK(clients[1].Get("/v1/checks/" + id + "/history")->status == 200);
  }
  for (const auto& [id, when] : finished) {  // none was answered again meanwhile
    const std::string answer = clients[1].Get("/v1/checks/" + id)->body;
    CHECK(field(answer, "state") == "done");
    CHECK(field(answer, "finished") == when);
  }
}

}  // namespace

TEST_CASE(
    "service queue: two services and four workers, killed at random, with files in PostgreSQL") {
  auto postgres = start_postgres();
  if (postgres) {
    Cluster cluster = {.queue = postgres->uri(), .shared = {}};
    check_each_answered_once(cluster, round_count(20, 400), round_count(4, 60));
  }
}

TEST_CASE(
    "service queue: files in a folder that all see, and a PostgreSQL that goes and comes back") {
  auto postgres = start_postgres();
  if (!postgres) {
    return;
  }
  const TemporaryFolder histories;
  Cluster cluster = {.queue = postgres->uri(), .shared = {"--histories", histories / "shared"}};
  check_each_answered_once(cluster, round_count(10, 200), round_count(2, 30));
  httplib::Client client = cluster.services[0]->client();
  std::vector<std::string> under_way;
  for (int i = 0; i < 12; ++i) {
    under_way.push_back(post(client, small_history(false, 2000 + i)).value_or(""));
  }
  postgres->kill();
  const httplib::Result refused =
      client.Post("/v1/checks", small_history(true, 1000), "text/plain");
  CHECK(refused->status == 503);
  CHECK(refused->body.find("postgres") == std::string::npos);
  REQUIRE(postgres->restart().ok());
  const auto id = post(client, small_history(true, 1001), "?levels=serializable");
  REQUIRE(id);
  CHECK(field(await_answer(client, *id), "verdict") == "valid");
  for (const std::string& accepted : under_way) {
    CHECK(field(await_answer(client, accepted), "verdict") == "invalid");
  }
}

TEST_CASE("service queue: 10,000 checks over four workers, one of them killed twice a second",
          "[.nightly]") {
  auto postgres = start_postgres();
  if (postgres) {
    const TemporaryFolder histories;
    Cluster cluster = {.queue = postgres->uri(), .shared = {"--histories", histories / "shared"}};
    check_each_answered_once(cluster, 10000, 400);
  }
}
