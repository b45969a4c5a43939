// The drivers by name: those that are always there, and the plug-ins, which are looked for when
// they are asked for, and not before.
//
// A plug-in `libelapid-driver-NAME.so` is looked for in the folders that the variable
// ELAPID_DRIVERS names (with colons between them), beside the program, and where an installation
// has it: `../lib/elapid/drivers` from there.
#pragma once

#include <span>
#include <string_view>

#include "engine/ir/result.h"
#include "harness/drive/driver.h"

namespace elapid {

/// A driver that Elapid's tree has, whether this build does or not.
struct KnownDriver {
  std::string_view name;
  std::string_view about;    ///< for a driver that is not there to say itself
  std::string_view package;  ///< of Debian: what it takes to build it; empty: it is built in
};

[[nodiscard]] std::span<const KnownDriver> known_drivers();

/// A driver, loaded; it stays. Errors: kUsage for a name that there is not, with what it
/// resembles, and for one that was not built, with the package that it takes; kUnreadable for a
/// plug-in that cannot be loaded or is of another build.
[[nodiscard]] Result<const Driver*> find_driver(std::string_view name);

/// A database's address, and the driver of its scheme.
struct Addressee {
  DatabaseUri uri = {};
  const Driver* driver = nullptr;
};

/// Errors: kUsage where `address` makes no sense, and those of find_driver().
[[nodiscard]] Result<Addressee> find_addressee(std::string_view address);

/// Whether the driver has the level, which may be empty, and the parameters that a request names,
/// and holds what it needs. Error: kUsage, with what there is.
[[nodiscard]] Status check_database(const DriverInfo& info, const DatabaseRequest& request);

/// The same, and then opens the database; an empty level is the driver's first one.
[[nodiscard]] Result<std::unique_ptr<Database>> open_database(const Driver& driver,
                                                              DatabaseRequest request);

}  // namespace elapid
