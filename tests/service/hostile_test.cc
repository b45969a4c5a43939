// Clients and disks that mean no good: the service answers, and goes on.
#include <arpa/inet.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/bytes/file_descriptor.h"
#include "tests/service/service.h"
#include "tests/support/temporary_folder.h"

using namespace elapid;

namespace {

/// A connection on which these bytes were sent.
FileDescriptor connection_with(int port, std::string_view bytes) {
  FileDescriptor fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience = {.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  REQUIRE(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  CHECK(::send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
        static_cast<ssize_t>(bytes.size()));
  return fd;
}

/// The status of the answer to such bytes; 0 if the connection ends without one.
int status_of(int port, std::string_view bytes) {
  const FileDescriptor fd = connection_with(port, bytes);
  std::string answer(64, '\0');
  const ssize_t size = ::recv(fd.get(), answer.data(), answer.size(), MSG_WAITALL);
  return size > 12 ? std::stoi(answer.substr(9, 3)) : 0;
}

/// A disk of a few megabytes, which is there as long as this.
class SmallDisk {
 public:
  SmallDisk() : is_there_(::mount("tmpfs", path().c_str(), "tmpfs", 0, "size=3m") == 0) {}

  ~SmallDisk() {
    if (is_there_) {
      ::umount2(path().c_str(), MNT_DETACH);
    }
  }

  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  [[nodiscard]] bool is_there() const { return is_there_; }

  [[nodiscard]] std::string path() const { return folder_.path().string(); }

 private:
  TemporaryFolder folder_ = {};
  bool is_there_;
};

}  // namespace

TEST_CASE("service: clients that stall or vanish hold nothing that others need") {
  const TemporaryFolder folder;
  Service service(folder / "state");
  const std::string head =
      "POST /v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n";
  std::vector<FileDescriptor> stalled;
  for (int i = 0; i < 20; ++i) {
    for (const std::string& beginning : {std::string(), std::string("POST /v1/ch"), head + "{"}) {
      stalled.push_back(connection_with(service.port(), beginning));
    }
  }
  for (int i = 0; i < 60; ++i) {
    connection_with(service.port(), head + std::string(1000, 'x'));  // and is gone
  }
  httplib::Client client = service.client();
  const auto id = post(client, small_history(false), "?levels=serializable");
  REQUIRE(id);
  CHECK(field(await_answer(client, *id), "verdict") == "invalid");
  CHECK(client.Get("/v1/checks?state=failed")->body.find("\"id\"") == std::string::npos);
  // What has come of bodies that did not come to their end is gone, or goes with its connection.
  stalled.clear();
  CHECK(wait_until([&] { return std::filesystem::is_empty(folder / "state/work"); }));
  CHECK(service.stop() == 0);
}

TEST_CASE("service: requests that contradict themselves are refused") {
  const TemporaryFolder folder;
  Service service(folder / "state");
  const std::string post = "POST /v1/checks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  const auto status = [&](const std::string& rest) {
    return status_of(service.port(), post + rest);
  };
  CHECK(status("\r\n") == 411);
  CHECK(status("Content-Length: -1\r\n\r\n") == 400);
  CHECK(status("Content-Length: 1x\r\n\r\nx") == 400);
  CHECK(status("Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx") == 411);
  CHECK(status("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n") ==
        400);
  CHECK(status("Transfer-Encoding: chunked\r\n\r\nzz\r\n") == 400);
  CHECK(status("Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nxxxx") == 415);
  CHECK(status_of(service.port(), "GET /" + std::string(5000, 'a') + " HTTP/1.1\r\n\r\n") == 414);
  CHECK(status_of(service.port(), "GET /healthz HTTP/1.1\r\n\r\n") == 403);  // no Host
  CHECK(status_of(service.port(), std::string("\x16\x03\x01\x02\0\x01\r\n\r\n", 10)) == 400);
  httplib::Client client = service.client();
  CHECK(client.Get("/v1/checks")->body.find("\"id\"") == std::string::npos);
  CHECK(service.stop() == 0);
}

TEST_CASE("service: a name is text, whatever is in it") {
  const TemporaryFolder folder;
  Service service(folder / "state");
  httplib::Client client = service.client();
  int number = 0;
  for (const char* const name : {"..%2F..%2Fetc%2Fpasswd", "%3Cscript%3Ealert(1)%3C%2Fscript%3E",
                                 "%00%0A%1B%5B31m", "-d", "-", "evidence", "%FF%FE", "%22%7D"}) {
    INFO(name);
    const auto id = post(client, small_history(false, ++number),
                         std::string("?levels=serializable&name=") + name);
    REQUIRE(id);
    const std::string answer = await_answer(client, *id);
    CHECK(field(answer, "verdict") == "invalid");
    CHECK(answer.find('\x1b') == std::string::npos);
    const std::string report = client.Get("/v1/checks/" + *id + "/report")->body;
    CHECK(report.find("<script>alert") == std::string::npos);
    CHECK(client.Get("/v1/checks/" + *id + "/history")->status == 200);
  }
  CHECK(post(client, small_history(true), "?name=" + std::string(201, 'x')) == std::nullopt);
  CHECK(service.stop() == 0);
}

TEST_CASE("service: a disk that is full refuses, and what it could not keep is checked again") {
  const SmallDisk disk;
  if (!disk.is_there()) {
    WARN("SKIPPED: a disk can be mounted by root alone");
    return;
  }
  Service service(disk.path() + "/state");
  httplib::Client client = service.client();
  const auto first = post(client, small_history(false, 1), "?levels=serializable");
  REQUIRE(first);
  CHECK(field(await_answer(client, *first), "verdict") == "invalid");
  int status = 202;
  for (int i = 0; i < 100 && status == 202; ++i) {
    const httplib::Result answer =
        client.Post("/v1/checks?format=edn", std::string(200000, 'x') + std::to_string(i), "x/x");
    REQUIRE(answer);
    status = answer->status;
    CHECK(answer->body.find("SQL") == std::string::npos);
  }
  CHECK(status == 507);
  CHECK(client.Get("/healthz")->status == 200);
  CHECK(client.Get("/v1/checks/" + *first)->status == 200);
  // With room again everything goes on.
  std::string page = client.Get("/v1/checks?limit=500")->body;
  for (std::string id = field(page, "id"); !id.empty(); id = field(page, "id")) {
    REQUIRE(client.Delete("/v1/checks/" + id)->status == 204);
    page = client.Get("/v1/checks?limit=500")->body;
  }
  const auto again = post(client, small_history(false, 1), "?levels=serializable");
  REQUIRE(again);
  CHECK(field(await_answer(client, *again), "verdict") == "invalid");
  CHECK(service.stop() == 0);
}
