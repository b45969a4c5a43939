// The drivers by name: the built-in ones, and the plug-ins, which are searched for only when they
// are asked for.
//
// The places of a plug-in `libelapid-driver-NAME.so`: the folders in the variable ELAPID_DRIVERS
// (separated by colons), the folder of the program, and the installation's `../lib/elapid/drivers`
// from there.
#pragma once

#include <span>
#include <string_view>

#include "engine/ir/result.h"
#include "harness/drive/driver.h"

namespace elapid {

/// A driver in Elapid's source tree, whether or not this build has it.
struct KnownDriver {
  std::string_view name;
  std::string_view about;    ///< a description, for a driver that is not there to give its own
  std::string_view package;  ///< Debian's package for its build; empty: it is built in
};

[[nodiscard]] std::span<const KnownDriver> known_drivers();

/// Loads a driver; it stays loaded. Errors: kUsage for an unknown name, with similar names, and for
/// a driver that was not built, with the package that it needs; kUnreadable for a plug-in that
/// cannot be loaded or belongs to another build.
[[nodiscard]] Result<const Driver*> find_driver(std::string_view name);

/// A database's address, and the driver of its scheme.
struct Addressee {
  DatabaseUri uri = {};
  const Driver* driver = nullptr;
};

/// Errors: kUsage for a senseless address; those of find_driver().
[[nodiscard]] Result<Addressee> find_addressee(std::string_view address);

/// Whether the driver has the request's level, which may be empty, its parameters, and its kind of
/// data. Error: kUsage, with the known ones.
[[nodiscard]] Status check_database(const DriverInfo& info, const DatabaseRequest& request);

/// The same; then opens the database. An empty level is the driver's first one.
[[nodiscard]] Result<std::unique_ptr<Database>> open_database(const Driver& driver,
                                                              DatabaseRequest request);

}  // namespace elapid
