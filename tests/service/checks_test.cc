// What /v1/checks answers.
#include <sys/resource.h>
#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "tests/service/service.h"
#include "tests/support/temporary_folder.h"

using namespace elapid;

TEST_CASE("service: a history that is posted has a verdict, a result, a report and files") {
  const TemporaryFolder folder;
  const Service service(folder / "state");
  httplib::Client client = service.client();
  const auto id = post(client, small_history(false), "?levels=serializable&name=lost");
  REQUIRE(id);
  const std::string answer = await_answer(client, *id);
  CHECK(field(answer, "state") == "done");
  CHECK(field(answer, "verdict") == "invalid");
  CHECK(field(answer, "serializable") == "invalid");
  CHECK(field(answer, "name") == "lost");
  CHECK(field(answer, "transactions") == "4");
  CHECK(answer.find("\"lost-update\"") != std::string::npos);
  const httplib::Result edn = client.Get("/v1/checks/" + *id, {{"Accept", "application/edn"}});
  CHECK(edn->body.find(":result {:valid? false") != std::string::npos);
  CHECK(client.Get("/v1/checks/" + *id, {{"Accept", "text/plain"}})->status == 406);
  CHECK(client.Get("/v1/checks/" + *id + "/history")->body == small_history(false));
  CHECK(client.Get("/v1/checks/" + *id + "/order.html")->status == 404);
  const httplib::Result report = client.Get("/v1/checks/" + *id + "/report");
  CHECK(report->body.starts_with("<!doctype html>"));
  CHECK(report->get_header_value("Content-Security-Policy").starts_with("sandbox "));
  CHECK(client.Get("/v1/checks/" + *id + "/evidence")->body.find("findings/1.svg") !=
        std::string::npos);
  CHECK(client.Get("/v1/checks/" + *id + "/evidence/summary.txt")->status == 200);
  CHECK(client.Delete("/v1/checks/" + *id)->status == 204);
  CHECK(client.Get("/v1/checks/" + *id)->status == 404);
}

TEST_CASE("service: the report of single operations leads to their order, and back") {
  const TemporaryFolder folder;
  const Service service(folder / "state");
  httplib::Client client = service.client();
  const auto id = post(client,
                       "{:type :invoke, :process 0, :f :write, :value 1}\n"
                       "{:type :ok, :process 0, :f :write, :value 1}\n"
                       "{:type :invoke, :process 0, :f :cas, :value [1 2]}\n"
                       "{:type :ok, :process 0, :f :cas, :value [1 2]}\n",
                       "");
  REQUIRE(id);
  (void)await_answer(client, *id);
  const std::string address = "/v1/checks/" + *id;
  CHECK(client.Get(address + "/report")->body.find("href=\"order.html\"") != std::string::npos);
  const httplib::Result moved = client.Get(address + "/order.html");
  CHECK(moved->status == 303);
  CHECK(moved->get_header_value("Location") == address + "/evidence/order.html");
  const httplib::Result order = client.Get(moved->get_header_value("Location"));
  CHECK(order->body.find("href=\"report.html\"") != std::string::npos);
  CHECK(client.Get(address + "/evidence/report.html")->status == 200);
}

TEST_CASE("service: the same bytes with the same options are one check") {
  const TemporaryFolder folder;
  const Service service(folder / "state");
  httplib::Client client = service.client();
  const auto first = post(client, small_history(true), "?levels=serializable");
  REQUIRE(first);
  (void)await_answer(client, *first);
  CHECK(post(client, small_history(true), "?consistency-models=serializable") == first);
  CHECK(post(client, small_history(true), "?levels=causal") != first);
  CHECK(post(client, small_history(false), "?levels=serializable") != first);
  const std::string metrics = client.Get("/metrics")->body;
  CHECK(metrics.find("elapid_accepted_total{job=\"new\"} 3") != std::string::npos);
  CHECK(metrics.find("elapid_accepted_total{job=\"known\"} 1") != std::string::npos);
}

TEST_CASE("service: what is no history, or is asked wrongly, is told in one sentence") {
  const TemporaryFolder folder;
  const Service service(folder / "state", {"--max-body", "4K", "--timeout", "5m"});
  httplib::Client client = service.client();
  const auto id = post(client, "no history", "?format=edn");
  REQUIRE(id);
  const std::string answer = await_answer(client, *id);
  CHECK(field(answer, "verdict") == "malformed");
  CHECK(field(answer, "error").find(":1:1: ") != std::string::npos);
  CHECK(client.Get("/v1/checks/" + *id + "/report")->status == 404);
  const auto status_of = [&](const std::string& query, const std::string& body) {
    const httplib::Result refused = client.Post("/v1/checks" + query, body, "text/plain");
    REQUIRE(refused);
    CHECK(refused->get_header_value("Content-Type") == "application/problem+json");
    return refused->status;
  };
  for (const char* const query :
       {"?levels=serialisable", "?directory=%2Ftmp", "?output=text",
        "?transaction-order=%2Fetc%2Fpasswd", "?levels=causal&levels=pc", "?timeout=10m",
        "?timeout=-1", "?memory=1000T", "?salvage=maybe"}) {
    INFO(query);
    CHECK(status_of(query, "x") == 400);
  }
  CHECK(status_of("", std::string(5000, 'x')) == 413);
  for (const char* const path :
       {"/v1/checks/..%2F..%2Fjobs.sqlite", "/v1/checks/0/report",
        "/v1/checks/ABCDEFABCDEFABCDEFABCDEFABCDEFAB", "/v1/checks/%00", "/v2"}) {
    INFO(path);
    CHECK(client.Get(path)->status == 404);
  }
  CHECK(client.Get("/v1/checks/" + *id + "/evidence/..%2F..%2F..%2F..%2Fjobs.sqlite")->status ==
        404);
  CHECK(client.Put("/v1/checks", "", "text/plain")->status == 405);
}

TEST_CASE("service: a history comes as bytes, in a form, in pieces, and compressed") {
  const TemporaryFolder folder;
  const Service service(folder / "state");
  httplib::Client client = service.client();
  const std::string history = small_history(false, 7);
  const auto id = post(client, history);
  REQUIRE(id);
  const httplib::Result form =
      client.Post("/v1/checks", {{"file", history, "a.edn", "application/octet-stream"}});
  CHECK(field(form->body, "id") == *id);
  const httplib::Result pieces = client.Post(
      "/v1/checks",
      [&](std::size_t offset, httplib::DataSink& sink) {
        if (offset < history.size()) {
          sink.write(history.data() + offset, std::min<std::size_t>(100, history.size() - offset));
        } else {
          sink.done();
        }
        return true;
      },
      "text/plain");
  CHECK(field(pieces->body, "id") == *id);
  const std::string path = folder / "history.gz";
  const gzFile packed = gzopen(path.c_str(), "wb");
  gzwrite(packed, history.data(), static_cast<unsigned>(history.size()));
  gzclose(packed);
  const auto compressed = post(client, content_of(path));
  REQUIRE(compressed);
  CHECK(compressed != id);
  CHECK(field(await_answer(client, *compressed), "verdict") == "invalid");
}

TEST_CASE("service: the list comes in pages, newest first, and is filtered") {
  const TemporaryFolder folder;
  const Service service(folder / "state");
  httplib::Client client = service.client();
  for (int i = 0; i < 5; ++i) {
    const auto id = post(client, small_history(i % 2 == 0, i),
                         "?levels=serializable&name=run-" + std::to_string(i));
    REQUIRE(id);
    (void)await_answer(client, *id);
  }
  const auto names_of = [&](std::string address) {
    std::string names;
    while (!address.empty()) {
      const std::string page = client.Get(address)->body;
      for (std::size_t at = 0; (at = page.find("\"name\": \"run-", at)) != std::string::npos;
           ++at) {
        names += page[at + 13];
      }
      address = field(page, "next");
    }
    return names;
  };
  CHECK(names_of("/v1/checks?limit=2") == "43210");
  CHECK(names_of("/v1/checks?limit=1&verdict=invalid") == "31");
  CHECK(names_of("/v1/checks?level=serializable&verdict=valid") == "420");
  CHECK(names_of("/v1/checks?level=causal").empty());
  CHECK(names_of("/v1/checks?since=2001-01-01") == "43210");
  CHECK(names_of("/v1/checks?since=2901-01-01T00:00:00Z").empty());
  CHECK(names_of("/v1/checks?since=2024-02-29T12:00:00Z") == "43210");
  CHECK(client.Get("/v1/checks?since=2026-02-29")->status == 400);
}

TEST_CASE("service: who has no token is refused") {
  const TemporaryFolder folder;
  const std::string token = "0123456789abcdef0123";
  const Service service(folder / "state", {"--token-file", folder.write("token", token + "\n")});
  httplib::Client client = service.client();
  CHECK(client.Get("/v1/checks")->status == 401);
  CHECK(client.Get("/metrics")->status == 401);
  CHECK(client.Get("/healthz")->status == 200);
  for (const std::string& wrong :
       {token.substr(1), token + "4", std::string(), "x" + token.substr(1)}) {
    client.set_default_headers({{"Authorization", "Bearer " + wrong}});
    CHECK(client.Get("/v1/checks")->status == 401);
  }
  client.set_default_headers({{"Authorization", "Bearer " + token}});
  CHECK(client.Get("/v1/checks")->status == 200);
}

TEST_CASE("service: pages of other sites may not ask, by whatever name") {
  const TemporaryFolder folder;
  const Service service(folder / "state");
  httplib::Client client = service.client();
  CHECK(client.Get("/v1/checks", {{"Host", "evil.example"}})->status == 403);
  CHECK(client.Post("/v1/checks", {{"Origin", "http://evil.example"}}, "x", "text/plain")->status ==
        403);
  const std::string own = "http://127.0.0.1:" + std::to_string(service.port());
  CHECK(client.Post("/v1/checks", {{"Origin", own}}, "x", "text/plain")->status == 202);
}

TEST_CASE("service: a client that asks too often, or holds too many connections, is refused") {
  const TemporaryFolder folder;
  const Service service(folder / "state", {"--rate", "5", "--client-connections", "3"});
  httplib::Client client = service.client();
  client.set_keep_alive(true);
  int refused = 0;
  for (int i = 0; i < 30; ++i) {
    const httplib::Result answer = client.Get("/healthz");
    refused += answer && answer->status == 429 ? 1 : 0;
  }
  CHECK(refused >= 15);
}

TEST_CASE("service: a bomb of zeros ends its check, not the service") {
  const TemporaryFolder folder;
  const Service service(folder / "state", {"--max-unpacked", "10M", "--memory", "256M"});
  httplib::Client client = service.client();
  const std::string path = folder / "bomb.gz";
  const gzFile packed = gzopen(path.c_str(), "wb");
  const std::string zeros(1 << 20, ' ');
  for (int i = 0; i < 100; ++i) {
    gzwrite(packed, zeros.data(), static_cast<unsigned>(zeros.size()));
  }
  gzclose(packed);
  const auto id = post(client, content_of(path), "?format=edn");
  REQUIRE(id);
  const std::string answer = await_answer(client, *id);
  INFO(answer);
  CHECK(field(answer, "verdict") != "valid");
  CHECK_FALSE(field(answer, "error").empty());
  CHECK(client.Get("/healthz")->status == 200);
}

TEST_CASE("service: a full disk refuses what it cannot keep, and keeps what it accepted") {
  const TemporaryFolder folder;
  rlimit before = {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small = {.rlim_cur = 200000, .rlim_max = before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);  // as full as a disk for a file that is larger
  const Service service(folder / "state");
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  httplib::Client client = service.client();
  const auto id = post(client, small_history(true));
  REQUIRE(id);
  const httplib::Result refused = client.Post("/v1/checks", std::string(300000, 'x'), "text/plain");
  REQUIRE(refused);
  CHECK(refused->status == 507);
  CHECK(field(await_answer(client, *id), "state") == "done");
}

TEST_CASE("service: TLS with a certificate") {
  const TemporaryFolder folder;
  const std::string make =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout " +
      folder / "key.pem" + " -out " + folder / "cert.pem" + " 2>/dev/null";
  if (std::system(make.c_str()) != 0) {
    WARN("SKIPPED: openssl is not installed");
    return;
  }
  const Service service(folder / "state",
                        {"--cert", folder / "cert.pem", "--key", folder / "key.pem"});
  httplib::SSLClient client("127.0.0.1", service.port());
  client.enable_server_certificate_verification(false);
  const httplib::Result answer = client.Get("/healthz");
  REQUIRE(answer);
  CHECK(answer->status == 200);
  httplib::Client plain = service.client();
  plain.set_read_timeout(std::chrono::seconds(2));
  CHECK_FALSE(plain.Get("/healthz"));
}
