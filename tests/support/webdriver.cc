#include "tests/support/webdriver.h"

#include <fcntl.h>
#include <httplib.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "tests/support/wait_until.h"

namespace elapid {
namespace {

constexpr const char* kChromium = "/usr/bin/chromium";
constexpr const char* kDriver = "/usr/bin/chromedriver";

/// The element's place in answers, by the protocol.
constexpr const char* kElement = "element-6066-11e4-a52e-4f735466cecf";

std::string json_text(std::string_view text) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  return buffer.GetString();
}

/// The driver's process, in a group with the browser that it starts.
struct DriverProcess {
  pid_t pid = -1;
  int output = -1;

  /// Starts it on a port that it chooses.
  static DriverProcess start() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw std::runtime_error("no pipe");
    }
    const pid_t pid = fork();
    if (pid == 0) {
      setpgid(0, 0);
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      execl(kDriver, kDriver, "--port=0", static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    if (pid < 0) {
      throw std::runtime_error("the driver could not be started");
    }
    return {pid, ends[0]};
  }

  /// The port, which the driver prints once it listens.
  [[nodiscard]] int port() const {
    constexpr std::string_view kBefore = "started successfully on port ";
    std::string printed;
    std::array<char, 256> part{};
    for (;;) {
      const ssize_t count = read(output, part.data(), part.size());
      if (count <= 0) {
        throw std::runtime_error("the driver ended: " + printed);
      }
      printed.append(part.data(), static_cast<std::size_t>(count));
      const std::size_t at = printed.find(kBefore);
      if (at != std::string::npos && printed.find('.', at) != std::string::npos) {
        return std::atoi(printed.c_str() + at + kBefore.size());
      }
    }
  }

  void end() const {
    kill(-pid, SIGTERM);
    waitpid(pid, nullptr, 0);
    close(output);
  }
};

}  // namespace

struct Browser::State {
  DriverProcess driver = {};
  std::unique_ptr<httplib::Client> client = {};
  std::string session = {};
  std::filesystem::path profile = {};

  /// The `value` of the answer.
  rapidjson::Document ask(const std::string& method, const std::string& path,
                          const std::string& body = "{}") {
    const auto answer = method == "GET"      ? client->Get(path.c_str())
                        : method == "DELETE" ? client->Delete(path.c_str())
                                             : client->Post(path.c_str(), body, "application/json");
    if (!answer) {
      throw std::runtime_error("the driver does not answer to " + path);
    }
    rapidjson::Document document;
    document.Parse(answer->body.c_str());
    if (answer->status != 200 || !document.IsObject() || !document.HasMember("value")) {
      throw std::runtime_error(path + ": " + answer->body.substr(0, 500));
    }
    rapidjson::Document value;
    value.CopyFrom(document["value"], value.GetAllocator());
    return value;
  }

  rapidjson::Document tell(const std::string& command, const std::string& body = "{}") {
    return ask("POST", "/session/" + session + "/" + command, body);
  }

  rapidjson::Document run(std::string_view script) {
    return tell("execute/sync", "{\"script\":" + json_text(script) + ",\"args\":[]}");
  }

  std::string find(const std::string& selector) {
    const rapidjson::Document element =
        tell("element", "{\"using\":\"css selector\",\"value\":" + json_text(selector) + "}");
    return element[kElement].GetString();
  }

  /// Moves the mouse to the element's middle; `then`: further actions of it.
  void point_at(const std::string& selector, const std::string& then) {
    const std::string element = find(selector);
    run("document.querySelector(" + json_text(selector) +
        ").scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});");
    tell("actions",
         "{\"actions\":[{\"type\":\"pointer\",\"id\":\"mouse\",\"parameters\":{\"pointerType\":"
         "\"mouse\"},\"actions\":[{\"type\":\"pointerMove\",\"duration\":0,\"x\":0,\"y\":0,"
         "\"origin\":{\"" +
             std::string(kElement) + "\":" + json_text(element) + "}}" + then + "]}]}");
  }

  /// What was logged of a type since it was asked for last.
  rapidjson::Document log(const std::string& type) {
    return tell("se/log", "{\"type\":" + json_text(type) + "}");
  }

  void developer(const std::string& command, const std::string& parameters) {
    tell("goog/cdp/execute", "{\"cmd\":" + json_text(command) + ",\"params\":" + parameters + "}");
  }
};

bool Browser::is_installed() {
  return access(kChromium, X_OK) == 0 && access(kDriver, X_OK) == 0;
}

std::unique_ptr<Browser> Browser::start() {
  auto state = std::make_unique<State>();
  std::string folder = (std::filesystem::temp_directory_path() / "elapid-browser-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    throw std::runtime_error("no temporary folder");
  }
  state->profile = folder;
  state->driver = DriverProcess::start();
  std::unique_ptr<Browser> browser(new Browser(std::move(state)));
  State& made = *browser->state_;
  made.client = std::make_unique<httplib::Client>("127.0.0.1", made.driver.port());
  made.client->set_read_timeout(std::chrono::seconds(120));
  std::string arguments;
  for (const std::string& argument :
       {std::string("--headless"), std::string("--no-sandbox"), std::string("--disable-gpu"),
        std::string("--disable-quic"), std::string("--no-first-run"),
        std::string("--disable-background-networking"), std::string("--disable-component-update"),
        std::string("--disable-sync"), std::string("--disable-dev-shm-usage"),
        std::string("--window-size=1400,1100"), "--user-data-dir=" + folder}) {
    arguments += (arguments.empty() ? "" : ",") + json_text(argument);
  }
  const rapidjson::Document session =
      made.ask("POST", "/session",
               "{\"capabilities\":{\"alwaysMatch\":{\"unhandledPromptBehavior\":\"ignore\","
               "\"goog:loggingPrefs\":{\"browser\":\"ALL\",\"performance\":\"ALL\"},\"goog:"
               "chromeOptions\":{\"binary\":" +
                   json_text(kChromium) + ",\"args\":[" + arguments + "]}}}}");
  made.session = session["sessionId"].GetString();
  return browser;
}

Browser::Browser(std::unique_ptr<State> state) : state_(std::move(state)) {}

Browser::~Browser() {
  if (!state_->session.empty()) {
    static_cast<void>(state_->client->Delete(("/session/" + state_->session).c_str()));
  }
  state_->driver.end();
  std::error_code ignored;
  std::filesystem::remove_all(state_->profile, ignored);
}

void Browser::open(const std::string& url) {
  state_->tell("url", "{\"url\":" + json_text(url) + "}");
}

std::string Browser::text(std::string_view expression) {
  const rapidjson::Document value = state_->run("return String(" + std::string(expression) + ");");
  return value.IsString() ? std::string(value.GetString(), value.GetStringLength()) : "";
}

bool Browser::holds(std::string_view expression) {
  // The answer itself takes milliseconds, so that this asks no more often than it has to.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  do {
    if (text("Boolean(" + std::string(expression) + ")") == "true") {
      return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

void Browser::hover(const std::string& selector) {
  state_->point_at(selector, "");
}

void Browser::click(const std::string& selector) {
  state_->point_at(
      selector, ",{\"type\":\"pointerDown\",\"button\":0},{\"type\":\"pointerUp\",\"button\":0}");
}

void Browser::type(const std::string& keys) {
  const rapidjson::Document active =
      state_->ask("GET", "/session/" + state_->session + "/element/active");
  state_->tell("element/" + std::string(active[kElement].GetString()) + "/value",
               "{\"text\":" + json_text(keys) + "}");
}

void Browser::choose(const std::string& selector, const std::string& path) {
  state_->tell("element/" + state_->find(selector) + "/value",
               "{\"text\":" + json_text(path) + "}");
}

void Browser::resize(int width, int height) {
  state_->developer("Emulation.setDeviceMetricsOverride",
                    "{\"width\":" + std::to_string(width) + ",\"height\":" +
                        std::to_string(height) + ",\"deviceScaleFactor\":1,\"mobile\":false}");
}

void Browser::prefer(const std::string& scheme) {
  state_->developer("Emulation.setEmulatedMedia",
                    R"({"features":[{"name":"prefers-reduced-motion","value":"reduce"},)"
                    R"({"name":"prefers-color-scheme","value":)" +
                        json_text(scheme) + "}]}");
}

std::vector<std::string> Browser::complaints() {
  std::vector<std::string> all;
  const rapidjson::Document entries = state_->log("browser");
  for (const auto& entry : entries.GetArray()) {
    all.emplace_back(entry["message"].GetString());
  }
  return all;
}

std::vector<std::string> Browser::requests() {
  std::vector<std::string> urls;
  const rapidjson::Document entries = state_->log("performance");
  for (const auto& entry : entries.GetArray()) {
    rapidjson::Document event;
    event.Parse(entry["message"].GetString());
    const rapidjson::Value& message = event["message"];
    if (std::string_view(message["method"].GetString()) == "Network.requestWillBeSent") {
      urls.emplace_back(message["params"]["request"]["url"].GetString());
    }
  }
  return urls;
}

void Browser::dismiss_dialog() {
  state_->tell("alert/dismiss");
}

bool Browser::has_dialog() {
  const auto answer = state_->client->Get(("/session/" + state_->session + "/alert/text").c_str());
  return answer && answer->status == 200;
}

}  // namespace elapid
