// kill -9 at any moment: each accepted check is answered once after the next start.
#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <string>
#include <thread>

#include "harness/generate/random.h"
#include "tests/service/service.h"
#include "tests/support/sample_size.h"
#include "tests/support/temporary_folder.h"

using namespace elapid;

TEST_CASE("service: kill -9 at random moments loses no check that was accepted") {
  const TemporaryFolder folder;
  const std::string state = folder / "state";
  Random random(from_environment("ELAPID_PROPERTY_SEED", 1));
  std::map<std::string, bool> accepted;  // and whether it is valid
  int number = 0;
  // A check that was begun twenty times has failed, so fewer kills can meet one check.
  const std::size_t rounds = round_count(8, 18);
  for (std::size_t round = 0; round < rounds; ++round) {
    Service service(state, {"--jobs", "2"});
    const auto moment = std::chrono::milliseconds(random.below(250));
    std::thread killer([&] {
      std::this_thread::sleep_for(moment);
      service.kill();
    });
    httplib::Client client = service.client();
    for (bool is_there = true; is_there; ++number) {
      const bool is_valid = number % 2 == 0;
      const auto id = post(client, small_history(is_valid, number), "?levels=serializable");
      is_there = id.has_value();
      if (id) {
        accepted.emplace(*id, is_valid);
      }
    }
    killer.join();
  }
  Service service(state, {"--jobs", "2"});
  httplib::Client client = service.client();
  for (const auto& [id, is_valid] : accepted) {
    const std::string answer = await_answer(client, id);
    INFO(answer);
    CHECK(field(answer, "state") == "done");
    CHECK(field(answer, "verdict") == (is_valid ? "valid" : "invalid"));
    CHECK(client.Get("/v1/checks/" + id + "/report")->status == 200);
  }
  CHECK(service.stop() == 0);
}
