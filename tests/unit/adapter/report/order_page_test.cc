// The page of an order: which instants operations take effect at, in which lanes they stand, and
// what the page says where no order goes on.
#include "adapter/report/order/order_page.h"

#include <catch2/catch.hpp>
#include <string>

#include "adapter/cli/reports/report_folder.h"
#include "report_subject.h"

namespace elapid {
namespace {

struct Paged {
  OrderFound found = {};
  OrderPicture picture = {};
  std::string page = {};
};

Paged page_of(const std::string& content) {
  Result<LoadedHistory> loaded = read_history(memory_source("run.edn", content), {});
  REQUIRE(loaded.ok());
  const CheckOptions options = {.models = {Model::kLinearizable}};
  const Result<Verdict> verdict = check_loaded(loaded.value(), options);
  REQUIRE(verdict.ok());
  Paged paged = {.found = order_found(loaded.value().history(), verdict.value(), options)};
  paged.picture = order_picture(loaded.value().history(), paged.found, 100);
  paged.page = order_page(loaded.value(), paged.found,
                          report_of(loaded.value(), verdict.value(), {.path = "run.edn"}));
  return paged;
}

std::string event(const char* type, int process, const char* f, const char* value) {
  return std::string("{:type :") + type + ", :process " + std::to_string(process) + ", :f :" + f +
         ", :value " + value + "}\n";
}

}  // namespace

TEST_CASE("order page: each operation of an order takes effect while it is open") {
  const Paged paged = page_of(event("invoke", 0, "write", "1") + event("invoke", 1, "read", "nil") +
                              event("invoke", 2, "write", "2") + event("ok", 1, "read", "1") +
                              event("ok", 0, "write", "1") + event("info", 2, "write", "2") +
                              event("invoke", 7, "read", "nil") + event("ok", 7, "read", "1"));
  REQUIRE(paged.picture.bars.size() == 4);
  CHECK(paged.picture.lanes.size() == 3);  // process 7 has that of a process that ended
  CHECK(paged.picture.bars[3].lane == paged.picture.bars[1].lane);
  for (const OrderPicture::Bar& bar : paged.picture.bars) {
    CHECK((bar.number != 0 || !bar.returned));
    CHECK((bar.number == 0 || (bar.begin * 1000 < bar.instant && bar.instant < bar.end * 1000)));
  }
  CHECK(paged.found.stops_at.is_none());
  CHECK(paged.page.find("\"stop\":-1") != std::string::npos);
}

TEST_CASE("order page: where no order goes on, there is one of all before") {
  const Paged paged = page_of(event("invoke", 0, "write", "1") + event("ok", 0, "write", "1") +
                              event("invoke", 0, "write", "2") + event("ok", 0, "write", "2") +
                              event("invoke", 1, "read", "nil") + event("ok", 1, "read", "1") +
                              event("invoke", 1, "read", "nil") + event("ok", 1, "read", "2"));
  CHECK(paged.found.order.size() == 2);
  CHECK(paged.found.stops_at == TxnId{2});
  CHECK(paged.page.find("2 operations have an order") != std::string::npos);
  CHECK(paged.page.find(":read 1") != std::string::npos);
}

TEST_CASE("order page: the text of a history ends no element of the page") {
  const Paged paged = page_of(event("invoke", 0, "write", "\"</script>\"") +
                              event("ok", 0, "write", "\"</script>\""));
  CHECK(paged.page.find("\\u003c/script>") != std::string::npos);
  CHECK(paged.page.find("\"</script>") == std::string::npos);
}

TEST_CASE("order page: transactions have none") {
  Result<LoadedHistory> loaded =
      read_history(memory_source("run.edn", report_test::kLostUpdate), {});
  REQUIRE(loaded.ok());
  const Result<Verdict> verdict = check_loaded(loaded.value(), {.models = {Model::kPl3}});
  REQUIRE(verdict.ok());
  CHECK(order_found(loaded.value().history(), verdict.value(), {}).stops_at.is_none());
  CHECK(order_page(loaded.value(), {}, {}).empty());
}

}  // namespace elapid
