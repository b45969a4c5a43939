#include "adapter/elle/order_table.h"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

/// The table of everything that transactions' first operations read from :x.
std::string table(const History& history) {
  std::vector<KeyRead> reads;
  for (std::uint32_t txn = 0; txn < history.txn_count(); ++txn) {
    reads.push_back({{txn}, history.ops({txn}).front()});
  }
  return order_table(history, key_named(history, ":x"), reads);
}

TEST_CASE("rows are reads, differing cells are coloured") {
  const std::string page = table(TestHistory()
                                     .at(1500000000)
                                     .txn(0, "r :x 1,2")
                                     .txn(1, "r :x nil")
                                     .invoke(2, "r :x nil")
                                     .info(2, "r :x 1,3")
                                     .txn(3, "r :x 1,2,\"<&>\"")
                                     .build());
  CHECK(page.find("<title>All reads of :x</title>") != std::string::npos);
  CHECK(page.find("<tr><td>1</td><td>ok</td><td>1.500</td><td>0</td><td>1</td><td>2</td></tr>") !=
        std::string::npos);
  CHECK(page.find("<tr><td>3</td><td>ok</td><td>1.500</td><td>1</td></tr>") != std::string::npos);
  CHECK(page.find("<tr><td>5</td><td>info</td><td>1.500</td><td>2</td><td>1</td>"
                  "<td style=\"background: hsl(") != std::string::npos);
  CHECK(page.find("<td>\"&lt;&amp;&gt;\"</td>") != std::string::npos);
}

TEST_CASE("a long common beginning is left out") {
  const std::string page = table(TestHistory()
                                     .txn(0, "r :x 1,2,3,4,5,6,7,8")
                                     .txn(1, "r :x 1,2,3,4,5,6,7,9")
                                     .txn(2, "r :x 1,2,3")
                                     .build());
  CHECK(page.find("up to 3 elements are left out") != std::string::npos);
  CHECK(page.find("<td>…</td><td>4</td><td>5</td><td>6</td><td>7</td><td>8</td></tr>") !=
        std::string::npos);
  CHECK(page.find("<td>2</td><td>…</td></tr>") != std::string::npos);
}

TEST_CASE("a page has an end") {
  std::string list = "0";
  for (int n = 1; n < 1000; ++n) {
    list += "," + std::to_string(n);
  }
  TestHistory script;
  script.txn(0, "r :x 7");
  for (int n = 0; n < 2000; ++n) {
    script.txn(0, "r :x " + list);
  }
  const std::string page = table(script.build());
  CHECK(page.size() < (9U << 20));
  CHECK(page.find(" more reads are left out") != std::string::npos);
}

}  // namespace
}  // namespace elapid
