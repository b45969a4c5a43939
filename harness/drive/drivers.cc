#include "harness/drive/drivers.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "engine/ir/similar_names.h"
#include "harness/drive/exec_driver.h"
#include "harness/drive/plugin.h"

namespace elapid {

namespace {

constexpr std::array kKnownDrivers = {
    KnownDriver{"exec", "A program of your own", ""},
    KnownDriver{"mysql", "MariaDB or MySQL", "libmariadb-dev"},
    KnownDriver{"postgres", "PostgreSQL", "libpq-dev"},
    KnownDriver{"redis", "Redis", "libhiredis-dev"},
    KnownDriver{"rocksdb", "RocksDB in this process", "librocksdb-dev"},
    KnownDriver{"sqlite", "SQLite in this process", "libsqlite3-dev"},
};

std::string folder_of_program() {
  std::array<char, 4096> path = {};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string_view program(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  return std::string(program.substr(0, program.rfind('/')));
}

/// The folders of plug-ins, in order of preference.
std::vector<std::string> driver_folders() {
  std::vector<std::string> folders;
  const char* const variable = std::getenv("ELAPID_DRIVERS");
  for (std::string_view rest = variable != nullptr ? variable : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) {
      folders.emplace_back(rest.substr(0, end));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const std::string beside = folder_of_program();
  folders.push_back(beside);
  folders.push_back(beside + "/../lib/elapid/drivers");
  return folders;
}

Error not_loaded(const std::string& path, std::string why) {
  return {.kind = ErrorKind::kUnreadable, .message = std::move(why), .file = path};
}

/// Unloads a library that is no driver of this build.
Error refused(void* library, const std::string& path, const std::string& why) {
  ::dlclose(library);
  return not_loaded(path, why);
}

/// The plug-in stays loaded, since its objects may live as long as the program.
Result<const Driver*> load_plugin(const std::string& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = ::dlerror();
    return not_loaded(path, "the driver cannot be loaded: " +
                                std::string(why != nullptr ? why : "no reason is known"));
  }
  const auto* const plugin =
      static_cast<const DriverPlugin*>(::dlsym(library, kDriverPluginSymbol));
  if (plugin == nullptr) {
    return refused(library, path, "this is no driver of elapid");
  }
  if (std::strcmp(plugin->built_for, ELAPID_DRIVER_BUILD) != 0) {
    return refused(library, path,
                   "this driver was built for " + std::string(plugin->built_for) +
                       "; this program is " + ELAPID_DRIVER_BUILD);
  }
  return &plugin->driver();
}

Error unknown_driver(std::string_view name) {
  std::vector<std::string_view> names;
  for (const KnownDriver& known : kKnownDrivers) {
    names.push_back(known.name);
  }
  std::string message = "there is no driver " + std::string(name);
  const std::vector<std::string> similar = similar_names(name, names, 1);
  if (!similar.empty()) {
    return usage_error(message + "; did you mean " + similar.front() + '?');
  }
  message += "; known are";
  for (const std::string_view known : names) {
    message += (known == names.front() ? " " : ", ") + std::string(known);
  }
  return usage_error(message);
}

/// Whether `value` is in the list `values`, which commas separate.
bool is_listed(std::string_view value, std::string_view values) {
  while (!values.empty()) {
    const std::size_t end = std::min(values.find(", "), values.size());
    if (values.substr(0, end) == value) {
      return true;
    }
    values.remove_prefix(std::min(end + 2, values.size()));
  }
  return false;
}

Status check_level(const DriverInfo& info, std::string_view level) {
  if (std::ranges::find(info.levels, level, &DriverLevel::name) != info.levels.end()) {
    return {};
  }
  std::string message = std::string(info.name) + " has no level " + std::string(level) + "; it has";
  for (const DriverLevel& known : info.levels) {
    message += (&known == info.levels.data() ? " " : ", ") + std::string(known.name);
  }
  return usage_error(message);
}

Status check_parameters(const DriverInfo& info, const DatabaseUri& uri) {
  for (const auto& [name, value] : uri.parameters) {
    const auto known = std::ranges::find(info.parameters, name, &DriverParameter::name);
    if (known == info.parameters.end()) {
      return usage_error(std::string(info.name) + " has no parameter " + name);
    }
    if (!known->values.empty() && !is_listed(value, known->values)) {
      return usage_error("the parameter " + name + " of " + std::string(info.name) + " is one of " +
                         std::string(known->values) + ", not " + value);
    }
  }
  return {};
}

}  // namespace

std::span<const KnownDriver> known_drivers() {
  return kKnownDrivers;
}

Result<const Driver*> find_driver(std::string_view name) {
  if (name == "mariadb") {
    name = "mysql";  // one driver serves both databases
  }
  const auto* const known = std::ranges::find(kKnownDrivers, name, &KnownDriver::name);
  if (known == kKnownDrivers.end()) {
    return unknown_driver(name);
  }
  if (known->package.empty()) {
    return &exec_driver();
  }
  for (const std::string& folder : driver_folders()) {
    const std::string path = folder + "/libelapid-driver-" + std::string(name) + ".so";
    if (::access(path.c_str(), F_OK) == 0) {
      return load_plugin(path);
    }
  }
  return usage_error("the driver " + std::string(name) +
                     " is not there: install elapid-drivers, or " + std::string(known->package) +
                     " before Elapid is built from source");
}

Result<Addressee> find_addressee(std::string_view address) {
  ELAPID_ASSIGN_OR_RETURN(DatabaseUri uri, parse_database_uri(address));
  ELAPID_ASSIGN_OR_RETURN(const Driver* const driver, find_driver(uri.scheme));
  return Addressee{.uri = std::move(uri), .driver = driver};
}

Status check_database(const DriverInfo& info, const DatabaseRequest& request) {
  if (request.has_rows && !info.has_rows) {
    return usage_error(std::string(info.name) + " holds no rows of tables");
  }
  if (request.has_lists ? !info.has_lists : !info.has_registers) {
    return usage_error(std::string(info.name) + " holds no " +
                       (request.has_lists ? "lists" : "registers"));
  }
  if (request.depends_on_reads && !info.is_interactive) {
    return usage_error(
        std::string(info.name) +
        " is told whole transactions: what they write cannot depend on what they read");
  }
  if (!request.mix.empty() && !info.has_level_by_txn) {
    return usage_error(std::string(info.name) +
                       " takes one level for a run, not one by transaction");
  }
  for (const std::string& level : request.mix) {
    ELAPID_RETURN_IF_ERROR(check_level(info, level));
  }
  Status status = request.level.empty() ? Status() : check_level(info, request.level);
  return status.ok() ? check_parameters(info, request.uri) : status;
}

Result<std::unique_ptr<Database>> open_database(const Driver& driver, DatabaseRequest request) {
  ELAPID_RETURN_IF_ERROR(check_database(driver.info(), request));
  if (request.level.empty()) {
    request.level = driver.info().levels.front().name;
  }
  return driver.open(request);
}

}  // namespace elapid
