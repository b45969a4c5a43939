#include "parsers/lines/socket_lines.h"

#include <netdb.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

using namespace std::chrono_literals;

/// For threads, in which Catch cannot assert.
void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// A client of a source, by the source's name.
class TestClient {
 public:
  explicit TestClient(const std::string& address) {
    if (address.starts_with("unix:")) {
      sockaddr_un un = {};
      un.sun_family = AF_UNIX;
      address.copy(&un.sun_path[0], sizeof(un.sun_path) - 1, 5);
      connect(AF_UNIX, reinterpret_cast<const sockaddr*>(&un), sizeof(un));
      return;
    }
    const std::size_t colon = address.rfind(':');
    addrinfo* found = nullptr;
    require(::getaddrinfo(address.substr(4, colon - 4).c_str(), address.substr(colon + 1).c_str(),
                          nullptr, &found) == 0);
    connect(found->ai_family, found->ai_addr, found->ai_addrlen);
    ::freeaddrinfo(found);
  }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t count = ::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL);
      require(count > 0);
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }

 private:
  void connect(int family, const sockaddr* address, socklen_t size) {
    fd_ = FileDescriptor(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    require(::connect(fd_.get(), address, size) == 0);
  }

  FileDescriptor fd_;
};

/// What comes within a while, up to `wanted`.
std::string read(LineSource& source, const std::string& wanted) {
  std::string text;
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (text.size() < wanted.size() && std::chrono::steady_clock::now() < end) {
    const Lines lines = source.next(100ms).value();
    CHECK(lines.offset >= text.size());
    CHECK((lines.text.empty() || lines.text.back() == '\n'));
    text += lines.text;
  }
  return text;
}

TEST_CASE("the lines of a client come through") {
  const TemporaryFolder folder;
  for (const std::string& where : {std::string("tcp:0"), std::string("tcp:127.0.0.1:0"),
                                   "unix:" + (folder.path() / "socket").string()}) {
    const auto source = std::move(open_line_source(where)).value();
    CHECK(source->next(10ms).value().text.empty());
    const TestClient client(source->name());
    client.write("a\nb");
    CHECK(read(*source, "a\n") == "a\n");
    client.write("c\nd\n");
    const Lines lines = source->next(10s).value();
    CHECK(lines.text == "bc\nd\n");
    CHECK(lines.first_line == 2);
    CHECK(lines.offset == 2);
    CHECK_FALSE(lines.has_ended);
  }
}

TEST_CASE("loopback is the default, and the port that was got is told") {
  const auto source = std::move(open_line_source("tcp:0")).value();
  CHECK(source->name().starts_with("tcp:127.0.0.1:"));
  CHECK_FALSE(source->name().ends_with(":0"));
  CHECK(open_line_source(source->name()).error().kind == ErrorKind::kUnreadable);
}

TEST_CASE("lines of clients are never mixed up") {
  constexpr int kClients = 8;
  constexpr int kLines = 3000;
  const auto source = std::move(open_line_source("tcp:0")).value();
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([c, &source] {
      std::string text;
      for (int i = 0; i < kLines; ++i) {
        text += std::to_string(c) + " " + std::to_string(i) + " " +
                std::string(static_cast<std::size_t>(i % 300), 'x') + "\n";
      }
      const TestClient client(source->name());
      for (std::size_t at = 0; at < text.size(); at += 1000) {
        client.write(std::string_view(text).substr(at, 1000));
      }
    });
  }
  std::map<int, int> next;
  int count = 0;
  std::uint64_t line = 1;
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (count < kClients * kLines && std::chrono::steady_clock::now() < end) {
    const Lines lines = source->next(1s).value();
    CHECK(lines.first_line == line);
    std::istringstream text{std::string(lines.text)};
    int client = 0;
    int i = 0;
    std::string rest;
    for (std::string one; std::getline(text, one); ++count, ++line) {
      std::istringstream words(one);
      words >> client >> i;
      words >> rest;
      REQUIRE(i == next[client]++);
      REQUIRE(one.size() >= static_cast<std::size_t>(i % 300));
    }
  }
  CHECK(count == kClients * kLines);
  for (std::thread& client : clients) {
    client.join();
  }
}

TEST_CASE("an unfinished line of a client that goes is handed out") {
  const auto source = std::move(open_line_source("tcp:0")).value();
  {
    const TestClient client(source->name());
    client.write("a\nb");
  }
  CHECK(read(*source, "a\nb\n") == "a\nb\n");
}

TEST_CASE("a source that is to be finished hands out what has come") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "socket").string();
  const auto source = std::move(open_line_source("unix:" + path)).value();
  const TestClient first(source->name());
  first.write("a\nb");
  CHECK(read(*source, "a\n") == "a\n");
  first.write("c");
  source->finish();
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK(read(*source, "bc\n") == "bc\n");
  const Lines last = source->next(10s).value();
  CHECK(last.has_ended);
  CHECK(last.first_line == 3);
}

TEST_CASE("a client's line that is too long is an error, and the others go on") {
  const auto source = std::move(open_line_source("tcp:0", 100)).value();
  const TestClient bad(source->name());
  const TestClient good(source->name());
  bad.write("x\n" + std::string(1000, 'y'));
  bool has_failed = false;
  std::string text;
  for (int i = 0; i < 100 && !has_failed; ++i) {
    const Result<Lines> lines = source->next(100ms);
    has_failed = !lines;
    text += lines ? lines.value().text : "";
    CHECK((lines.ok() || (lines.error().kind == ErrorKind::kMalformed && lines.error().line == 2)));
  }
  CHECK(has_failed);
  CHECK(text == "x\n");
  bad.write("yy\n");
  good.write("good\n");
  CHECK(read(*source, "good\n") == "good\n");
  bad.write("again\n");
  CHECK(read(*source, "again\n") == "again\n");
  good.write("z\n");
  const Lines lines = source->next(10s).value();
  CHECK(lines.first_line == 5);
}

/// Lets the process open so many files beside those it has, until it goes. No CHECK meanwhile: what
/// UBSan does to verify the type of Catch2's objects needs two files of its own.
class FewFiles {
 public:
  explicit FewFiles(rlim_t more) {
    const FileDescriptor next(::dup(STDERR_FILENO));
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    const rlimit few = {.rlim_cur = static_cast<rlim_t>(next.get()) + more,
                        .rlim_max = before_.rlim_max};
    has_few_ = ::setrlimit(RLIMIT_NOFILE, &few) == 0;
  }

  [[nodiscard]] bool has_few() const { return has_few_; }

  FewFiles(const FewFiles&) = delete;
  FewFiles& operator=(const FewFiles&) = delete;

  ~FewFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_ = {};
  bool has_few_ = false;
};

TEST_CASE("a socket tells that no more clients are accepted, and that they are again") {
  const TemporaryFolder folder;
  const std::string address = "unix:" + (folder.path() / "socket").string();
  auto source = open_line_source(address);
  REQUIRE(source.ok());
  CHECK(source.value()->has_several_writers());
  CHECK_FALSE(source.value()->take_notice());
  {
    const TestClient first(address);
    const TestClient second(address);
    bool is_read = false;
    std::optional<std::string> notice;
    std::optional<std::string> again;
    {
      const FewFiles few(1);
      is_read = few.has_few() && source.value()->next(0ms).ok();
      notice = source.value()->take_notice();
      again = source.value()->take_notice();
    }
    CHECK(is_read);
    CHECK(notice ==
          address + ": 1 clients are connected, and no more are accepted until one of them leaves");
    CHECK_FALSE(again);
  }
  // The second one takes the place of the first, and then leaves as well.
  while (!source.value()->take_notice()) {
    CHECK(source.value()->next(10ms).ok());
  }
  const TestClient third(address);
  third.write("heard\n");
  CHECK(read(*source.value(), "heard\n") == "heard\n");
}

TEST_CASE("a socket's file that is left over is replaced, one in use is not") {
  const TemporaryFolder folder;
  const std::string where = "unix:" + (folder.path() / "socket").string();
  {
    const FileDescriptor old(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un un = {};
    un.sun_family = AF_UNIX;
    where.copy(&un.sun_path[0], sizeof(un.sun_path) - 1, 5);
    REQUIRE(::bind(old.get(), reinterpret_cast<const sockaddr*>(&un), sizeof(un)) == 0);
  }
  const auto source = std::move(open_line_source(where)).value();
  CHECK(open_line_source(where).error().kind == ErrorKind::kUnreadable);
  const TestClient client(source->name());
  client.write("a\n");
  CHECK(read(*source, "a\n") == "a\n");
  const std::string file = folder.write("file", "precious");
  CHECK(open_line_source("unix:" + file).error().kind == ErrorKind::kUnreadable);
  CHECK(std::filesystem::file_size(file) == 8);
}

TEST_CASE("addresses that are none") {
  for (const std::string where :
       {"tcp:", "tcp:host:", "tcp::5", "tcp:x y:5", "tcp:nonsense", "unix:",
        "unix:/a/path/that/is/longer/than/the/one/hundred/and/eight/bytes/"
        "that/the/addresses/of/sockets/have/room/for/in/Linux"}) {
    CAPTURE(where);
    CHECK(open_line_source(where).error().kind == ErrorKind::kUsage);
  }
}

}  // namespace
}  // namespace elapid
