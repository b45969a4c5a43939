#include "harness/drive/drivers.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/process/scratch_folder.h"

using namespace elapid;

namespace {

/// What the variable is, for as long as this lives.
class DriverFolders {
 public:
  explicit DriverFolders(const std::string& folders) {
    ::setenv("ELAPID_DRIVERS", folders.c_str(), 1);
  }

  ~DriverFolders() { ::unsetenv("ELAPID_DRIVERS"); }
};

constexpr std::array kLevels = {DriverLevel{"read-committed", ""}, DriverLevel{"serializable", ""}};
constexpr std::array kParameters = {DriverParameter{"journal", "delete, wal", ""},
                                    DriverParameter{"host", "", ""}};
constexpr DriverInfo kPaper = {.name = "paper",
                               .address = "paper:",
                               .about = "",
                               .levels = kLevels,
                               .parameters = kParameters,
                               .has_lists = false};

/// Opens nothing: its error names the requested level.
class PaperDriver : public Driver {
 public:
  [[nodiscard]] const DriverInfo& info() const override { return kPaper; }

  [[nodiscard]] Result<std::unique_ptr<Database>> open(
      const DatabaseRequest& request) const override {
    return usage_error("opened at " + request.level);
  }
};

std::string answer_to(const DatabaseRequest& request) {
  return open_database(PaperDriver(), request).error().message;
}

}  // namespace

TEST_CASE("A driver that there is not is answered with the nearest name") {
  CHECK(find_driver("rocksbd").error().message ==
        "there is no driver rocksbd; did you mean rocksdb?");
  CHECK(find_driver("oracle-of-delphi")
            .error()
            .message.starts_with("there is no driver oracle-of-delphi; known are "));
  CHECK(find_driver("oracle-of-delphi").error().kind == ErrorKind::kUsage);
}

TEST_CASE("A plug-in that is none is refused with its path") {
  const Result<ScratchFolder> folder = ScratchFolder::create();
  REQUIRE(folder.ok());
  const DriverFolders folders("/nowhere::" + folder.value().path());
  const std::string path = folder.value().path() + "/libelapid-driver-rocksdb.so";
  std::ofstream(path) << "not a shared object";
  const Result<const Driver*> broken = find_driver("rocksdb");
  REQUIRE(!broken.ok());
  CHECK(broken.error().kind == ErrorKind::kUnreadable);
  CHECK(broken.error().file == path);
  CHECK(broken.error().message.starts_with("the driver cannot be loaded: "));
}

TEST_CASE("A plug-in without the symbol, or of another build, is not used") {
  const Result<ScratchFolder> folder = ScratchFolder::create();
  REQUIRE(folder.ok());
  const DriverFolders folders(folder.value().path());
  const std::filesystem::path path = folder.value().path() + "/libelapid-driver-rocksdb.so";
  std::filesystem::copy_file(ELAPID_OTHER_OBJECT, path);
  CHECK(find_driver("rocksdb").error().message == "this is no driver of elapid");
  std::filesystem::remove(path);
  std::filesystem::copy_file(ELAPID_OLD_DRIVER, path);
  CHECK(find_driver("rocksdb").error().message.starts_with(
      "this driver was built for elapid 0.0, interface 0; this program is elapid "));
}

TEST_CASE("What a driver does not have is refused before it is asked") {
  DatabaseRequest request;
  CHECK(answer_to(request) == "opened at read-committed");
  request.level = "serializable";
  CHECK(answer_to(request) == "opened at serializable");
  request.level = "snapshot-isolation";
  CHECK(answer_to(request) ==
        "paper has no level snapshot-isolation; it has read-committed, serializable");
  request.level = "";
  request.uri.parameters = {{"host", "anything"}, {"journal", "wal"}};
  CHECK(answer_to(request) == "opened at read-committed");
  request.uri.parameters = {{"journal", "off"}};
  CHECK(answer_to(request) == "the parameter journal of paper is one of delete, wal, not off");
  request.uri.parameters = {{"jornal", "wal"}};
  CHECK(answer_to(request) == "paper has no parameter jornal");
  request.uri.parameters = {};
  request.has_lists = true;
  CHECK(answer_to(request) == "paper holds no lists");
}
