// Streams over HTTP: the same violations as of `elapid watch`, each told exactly once, whatever is
// killed meanwhile.
#include <httplib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/generate/random.h"
#include "tests/support/sample_size.h"
#include "tests/support/served.h"
#include "tests/support/wait_until.h"
#include "tests/watch/random_stream.h"
#include "tests/watch/told.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& lines, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) {
    text += lines[i];
  }
  return text;
}

/// What stands behind `"name":` in a document; a string with its quotes.
std::string value_of(const std::string& json, const std::string& name) {
  const std::string key = "\"" + name + "\":";
  const std::size_t at = json.find(key);
  return at == std::string::npos
             ? ""
             : json.substr(at + key.size(), json.find_first_of(",}", at) - at - key.size());
}

std::string begin_stream(httplib::Client& client, const std::string& query) {
  const auto made = client.Post(("/v1/streams?" + query).c_str());
  REQUIRE(made);
  INFO(made->body);
  REQUIRE(made->status == 201);
  return made->get_header_value("Location");
}

bool has_state(httplib::Client& client, const std::string& stream, const std::string& state) {
  const auto shown = client.Get(stream.c_str());
  return shown && shown->status == 200 && value_of(shown->body, "state") == "\"" + state + "\"";
}

/// One who listens, goes away, and comes back with the id of the last event.
class Listener {
 public:
  explicit Listener(std::string stream) : stream_(std::move(stream)) {}

  /// Hears what there is.
  void listen(httplib::Client& client) {
    httplib::Headers headers;
    if (!last_id_.empty()) {
      headers.emplace("Last-Event-ID", last_id_);
    }
    const auto heard = client.Get((stream_ + "/events?follow=false").c_str(), headers);
    if (!heard || heard->status != 200) {
      return;
    }
    CHECK(heard->get_header_value("Content-Type") == "text/event-stream");
    std::istringstream lines(heard->body);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("id: ")) {
        last_id_ = line.substr(4);
      } else if (line.starts_with("data: ")) {
        events_ += line.substr(6) + "\n";
      }
    }
  }

  [[nodiscard]] const std::string& events() const { return events_; }

 private:
  std::string stream_;
  std::string last_id_ = {};
  std::string events_ = {};
};

/// What `elapid watch` finds in the lines.
std::map<std::string, std::string> reference(const std::vector<std::string>& lines,
                                             const std::vector<std::string>& options) {
  const TemporaryFolder folder;
  const std::string path = folder.write("lines.jsonl", joined(lines, 0, lines.size()));
  std::vector<std::string> arguments = {"watch", "--to-end"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(path);
  CHECK(run_program(arguments, folder / "told") <= 2);
  Told told;
  CHECK(told.hear(read_text(folder / "told")).empty());
  return told.violations();
}

/// The processes of checks that the program has started.
std::vector<pid_t> watch_processes(const std::string& state) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");
    const std::string line((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    if (line.find("watch") != std::string::npos && line.find(state) != std::string::npos) {
      found.push_back(std::stoi(entry.path().filename().string()));
    }
  }
  return found;
}

TEST_CASE("a stream finds what elapid watch finds, each once, through kills of server and check") {
  Random random(20261126);
  const std::size_t rounds = round_count(2, 8);
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::vector<std::string> lines = random_stream(
        {.txns = 600, .is_recorder = round % 2 == 1, .is_list = round % 4 >= 2}, round + 1);
    Served served;
    std::string stream;
    {
      httplib::Client client = served.client();
      stream = begin_stream(client, "deadline=100ms&checkpoint=4K");
    }
    Listener listener(stream);
    std::size_t sent = 0;
    while (sent < lines.size()) {
      const std::size_t to = std::min(lines.size(), sent + 1 + random.below(120));
      httplib::Client client = served.client();
      const auto answer =
          client.Post((stream + "/transactions").c_str(), joined(lines, sent, to), "text/plain");
      REQUIRE(answer);
      REQUIRE(answer->status == 202);
      sent = to;
      listener.listen(client);
      std::this_thread::sleep_for(std::chrono::milliseconds(random.below(60)));
      if (random.below(4) == 0) {
        served.kill();
        served.start();
      } else if (random.below(6) == 0) {
        for (const pid_t process : watch_processes(served.folder() / "state")) {
          ::kill(process, SIGKILL);
        }
      }
    }
    httplib::Client client = served.client();
    REQUIRE(client.Post((stream + "/end").c_str())->status == 202);
    REQUIRE(wait_until([&] { return has_state(client, stream, "ended"); }));
    for (std::string before = "-"; before != listener.events();) {
      before = listener.events();
      listener.listen(client);
    }
    Told told;
    CHECK(told.hear(listener.events()).empty());
    CHECK(told.violations() == reference(lines, {}));
    const std::string verdict = value_of(client.Get(stream.c_str())->body, "verdict");
    CHECK(verdict == (told.violations().empty() ? "\"unknown\"" : "\"invalid\""));
    CHECK(client.Get((stream + "/transactions").c_str())->body == joined(lines, 0, lines.size()));
    CHECK(served.stop() == 0);
  }
}

constexpr const char* kStale =
    R"([{"tid":1,"sid":1,"sts":{"p":1,"l":0},"cts":{"p":2,"l":0},"ops":[{"t":"w","k":7,"v":1}]},
{"tid":2,"sid":2,"sts":{"p":3,"l":0},"cts":{"p":4,"l":0},"ops":[{"t":"w","k":7,"v":2}], "rtts": 4},
{"tid":3,"sid":3,"sts":{"p":5,"l":0},"cts":{"p":6,"l":0},"ops":[{"t":"r","k":7,"v":1}]}])";

TEST_CASE("what TimeKiller's clients post is judged in one stream, until that is ended") {
  const Served served;
  httplib::Client client = served.client();
  REQUIRE(client.Post("/check", kStale, "application/json")->status == 200);
  REQUIRE(client.Post("/check", kStale, "application/x-www-form-urlencoded")->status == 200);
  const std::string list = client.Get("/v1/streams")->body;
  CHECK(value_of(list, "name") == "\"aion\"");
  std::string stream = "/v1/streams/" + value_of(list, "id");
  std::erase(stream, '"');
  REQUIRE(client.Post((stream + "/end").c_str())->status == 202);
  REQUIRE(wait_until([&] { return has_state(client, stream, "ended"); }));
  const std::string ended = client.Get(stream.c_str())->body;
  CHECK(value_of(ended, "verdict") == "\"invalid\"");
  CHECK(value_of(ended, "transactions") == "3");
  CHECK(client.Post((stream + "/transactions").c_str(), kStale, "text/plain")->status == 409);
  REQUIRE(client.Post("/check", kStale, "application/json")->status == 200);
  CHECK(value_of(client.Get("/v1/streams")->body, "id") != value_of(list, "id"));
}

TEST_CASE("who listens hears events as they come, and that there are no more") {
  const Served served;
  httplib::Client client = served.client();
  const std::string stream = begin_stream(client, "deadline=50ms");
  std::string heard;
  std::thread listener([&] {
    httplib::Client other = served.client();
    other.Get((stream + "/events").c_str(), [&](const char* bytes, std::size_t size) {
      heard.append(bytes, size);
      return true;
    });
  });
  REQUIRE(client.Post((stream + "/transactions").c_str(), kStale, "text/plain")->status == 202);
  REQUIRE(client.Post((stream + "/end").c_str())->status == 202);
  listener.join();
  CHECK(heard.find("event: final\n") != std::string::npos);
  CHECK(heard.find("event: summary\n") != std::string::npos);
  const std::size_t last = heard.rfind("id: ") + 4;
  const std::string id = heard.substr(last, heard.find('\n', last) - last);
  CHECK(client.Get((stream + "/events").c_str(), {{"Last-Event-ID", id}})->status == 204);
}

TEST_CASE("requests that make no sense get one sentence, and change nothing") {
  const Served served;
  httplib::Client client = served.client();
  const auto status = [&](const char* query) {
    const auto answer = client.Post((std::string("/v1/streams?") + query).c_str());
    REQUIRE(answer);
    CHECK((answer->status == 201 || !value_of(answer->body, "title").empty() ||
           answer->body.find("\"detail\"") != std::string::npos));
    return answer->status;
  };
  CHECK(status("consistency-models=causal") == 400);
  CHECK(status("deadline=1s&watermark=5") == 400);
  CHECK(status("deadline=soon") == 400);
  CHECK(status("state=/tmp/x") == 400);
  CHECK(status("clock-skew=x") == 400);
  CHECK(client.Get("/v1/streams")->body.find("\"id\"") == std::string::npos);
  CHECK(fs::is_empty(served.folder() / "state/streams"));
  for (const char* id : {"x", "..", "%2e%2e", ".gone-x", "%00"}) {
    INFO(id);
    const std::string stream = std::string("/v1/streams/") + id;
    CHECK(client.Get(stream.c_str())->status == 404);
    CHECK(client.Delete(stream.c_str())->status == 404);
  }
  const std::string stream = begin_stream(client, "");
  CHECK(client.Post((stream + "/transactions").c_str(), "[{", "text/plain")->status == 400);
  CHECK(client.Get((stream + "/events").c_str(), {{"Last-Event-ID", "x"}})->status == 400);
  CHECK(client.Delete(stream.c_str())->status == 204);
  CHECK(client.Get(stream.c_str())->status == 404);
  CHECK(wait_until([&] { return fs::is_empty(served.folder() / "state/streams"); }));
}

TEST_CASE("a stream of something else fails by itself, and says why") {
  const Served served;
  httplib::Client client = served.client();
  const std::string stream = begin_stream(client, "");
  REQUIRE(client
              .Post((stream + "/transactions").c_str(),
                    "{:type :ok, :process 0, :f :txn, :value [[:append 1 1]]}\n", "text/plain")
              ->status == 202);
  REQUIRE(wait_until([&] { return has_state(client, stream, "failed"); }));
  const std::string shown = client.Get(stream.c_str())->body;
  CHECK(value_of(shown, "reason").size() > 10);
  CHECK(shown.find(served.folder().path().string()) == std::string::npos);
  CHECK(client.Post((stream + "/transactions").c_str(), kStale, "text/plain")->status == 409);
}

}  // namespace
}  // namespace elapid
