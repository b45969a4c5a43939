#include "adapter/cli/options/transaction_order.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

namespace elapid {
namespace {

using Catch::Matchers::Contains;

/// A file that goes away with the test.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& content)
      : path_(std::filesystem::temp_directory_path() /
              ("elapid-order-" + std::to_string(getpid()) + ".edn")) {
    std::ofstream(path_) << content;
  }

  ~ScratchFile() { std::filesystem::remove(path_); }

  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST_CASE("a transaction order is a map of integers") {
  const Result<TransactionOrder> order = read_transaction_order(" {3 4, 1 2}");
  REQUIRE(order);
  CHECK(order.value() == TransactionOrder{{1, 2}, {3, 4}});
  CHECK(read_transaction_order("{}").value().empty());
}

TEST_CASE("a transaction order may stand in a file") {
  const ScratchFile file("; by commit\n{1 10\n 3 -2}\n");
  CHECK(read_transaction_order(file.path()).value() == TransactionOrder{{1, 10}, {3, -2}});
}

TEST_CASE("what is wrong with a transaction order is said with its place") {
  const auto message = [](const std::string& text) {
    const Result<TransactionOrder> order = read_transaction_order(text);
    REQUIRE_FALSE(order);
    CHECK(order.error().kind == ErrorKind::kUsage);
    return order.error().to_string();
  };
  CHECK_THAT(message("{1 :a}"), Contains(":1:4: ") && Contains("number of a completion"));
  CHECK_THAT(message("{1}"), Contains("number of a completion"));
  CHECK_THAT(message("{1 2"), Contains(":1:"));
  CHECK_THAT(message("{1 2} 3"), Contains("behind the map"));
  CHECK_THAT(message("{1 2 1 3}"), Contains("twice"));
}

TEST_CASE("a file with something else is malformed, a missing one unreadable") {
  const ScratchFile file("[1 2]\n");
  CHECK(read_transaction_order(file.path()).error().kind == ErrorKind::kMalformed);
  CHECK(read_transaction_order("/nonexistent/order.edn").error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
