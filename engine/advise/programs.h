// Programs with parameters, and the transactions that stand for all their instances.
//
//   program WriteCheck(c)     R savings(c), U checking(c)
//
// A key is a relation with parameters. Different parameters of a program that stand in the same
// place of keys have different values, so that no instance meets a key twice.
//
// How many values suffice: T1 of a split has its own, at most q of each type, where q is the most
// that a program has. In any other transaction a value that T1 has not may be renamed as long as
// the key by which it conflicts with the next one is renamed there too, and that has room for it
// among q further values. So 2q values of each type are as good as any number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/advise/application.h"

namespace elapid::advise {

struct Relation {
  std::string name = {};
  std::size_t arity = 0;
  /// Those that are named somewhere; what has no name is one more, behind them.
  std::vector<std::string> attributes = {};
};

/// An operation on one key.
struct ProgramOperation {
  std::size_t relation = 0;
  std::vector<std::size_t> arguments = {};  ///< numbers of parameters
  // Numbers of attributes, ascending; the relation's number of attributes is the one more.
  std::vector<std::size_t> reads = {};
  std::vector<std::size_t> writes = {};
  std::uint64_t line = 0;  ///< in the file
};

struct Program {
  std::string name = {};
  std::vector<std::string> parameters = {};
  std::vector<ProgramOperation> operations = {};
};

struct ProgramSet {
  std::vector<Relation> relations = {};
  std::vector<Program> programs = {};
};

/// More operations of instances are not looked at.
inline constexpr std::size_t kMostInstanceOperations = 4'000'000;

/// All instances over 2q values of each type. Operations on relations that no program writes order
/// nothing, and are left out. Nothing if they would have more than `most` operations.
[[nodiscard]] std::optional<Application> instances_of(const ProgramSet& set,
                                                      std::size_t most = kMostInstanceOperations);

/// An operation as programs have it: `U checking(c)`, `R district(w, d) {tax}`.
[[nodiscard]] std::string operation_text(const ProgramSet& set, const Program& program,
                                         const ProgramOperation& operation);

/// `WriteCheck(c)`.
[[nodiscard]] std::string program_text(const Program& program);

}  // namespace elapid::advise
