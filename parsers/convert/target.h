// How a history is written in a format: the writer, and what the format can hold. One row a format
// and dialect; each stands in the folder of its format.
//
// Plans (parsers/convert/plan.h) go by these rows alone. A format that is peculiar in a new way
// gets a new field here, with the meaning of all others in its default.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/convert/plain_event_writer.h"

namespace elapid {

class OutputDirectory;
class OutputFile;
class Plan;
class Status;
struct Format;
struct Loss;

/// How a format says that a read saw the state before the first write.
enum class InitialForm : std::uint8_t {
  kNil,      ///< with nil, or with marks of its own
  kZero,     ///< with the value 0
  kWritten,  ///< not at all: a first transaction writes the initial values
};

/// Numbers that a format has room for; text if there are none.
struct NumberRange {
  std::int64_t min = 0;
  std::int64_t max = -1;

  [[nodiscard]] constexpr bool is_text() const { return max < min; }

  [[nodiscard]] constexpr bool holds(std::int64_t n) const { return n >= min && n <= max; }
};

inline constexpr NumberRange kNaturals = {0, std::numeric_limits<std::int64_t>::max()};
inline constexpr NumberRange kIntegers = {std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max()};
inline constexpr NumberRange kShortNaturals = {0, std::numeric_limits<std::int32_t>::max()};

struct Target {
  const Format* format = nullptr;   ///< whose row this is
  std::string_view dialect = {};    ///< empty where the format has none
  std::string_view extension = {};  ///< with its dot; of a directory as well
  bool extension_tells = false;     ///< what is named so surely is in this format
  // The writer of histories is one of two. Errors: kUsage where the format cannot hold the history,
  // kUnreadable where the output cannot be written.
  Status (*write_file)(const Plan& plan, OutputFile& out) = nullptr;
  Status (*write_directory)(const Plan& plan,
                            OutputDirectory& out) = nullptr;  ///< a file a session
  MakePlainEventWriter make_event_writer = nullptr;  ///< null: where one event is, depends on all
  bool single_operations = false;  ///< that writer takes operations with values of any shape
  bool registers = true;           ///< reads and writes of registers
  bool lists = false;              ///< appends and reads of lists
  bool rows = false;               ///< operations on rows of one table, predicates
  bool rows_are_values = false;    ///< these hold one value each; the column has no name
  bool contents_apart = false;     ///< what they hold at the beginning belongs to no session
  bool open_universe = false;      ///< says that rows may have existed that nothing tells of
  /// Of a format that can say only some of what rows are: adds what it loses. Error kUsage where it
  /// cannot hold the history.
  Status (*plan_rows)(const Plan& plan, std::vector<Loss>& losses) = nullptr;
  bool aborted = false;              ///< aborted transactions
  bool aborted_writes = false;       ///< of aborted transactions the writes only
  bool indeterminate = false;        ///< transactions that may or may not have happened
  bool invocations = false;          ///< when each transaction was invoked and completed
  bool whole_times = false;          ///< times of transactions without such events
  bool times_in_ms = false;          ///< times are whole milliseconds
  bool timestamps = false;           ///< the database's, at start and commit
  bool needs_timestamps = false;     ///< and a transaction cannot do without them
  bool copies_values = false;        ///< of single operations, whatever they mean
  bool keeps_extras = false;         ///< further fields of operations, as :error
  bool empty_transactions = false;   ///< transactions without operations
  bool has_key_names = false;        ///< keys may be words, where all are
  bool letter_keys = false;          ///< the first key is `a`, the second `b`
  bool json_types = false;           ///< names and values are of JSON's types
  bool drops_values = false;         ///< values are not written: something else tells them
  bool drops_own_reads = false;      ///< nor reads of what the transaction itself has written
  bool drops_sessions = false;       ///< each transaction is a session of its own
  bool repeats = false;              ///< one value written to one key more than once
  bool unique_everywhere = false;    ///< no value written twice, to whatever key
  bool by_session = false;           ///< a session's transactions stand together
  bool guesses_initial_txn = false;  ///< a first transaction may be taken for the initial state
  bool ids = false;                  ///< each transaction has an id of its own
  bool excuses_unwritten = false;    ///< a value that was never written is no violation
  bool aborted_ids = false;          ///< of aborted transactions the ids only
  bool one_register = false;         ///< single operations on one register, which has no name
  bool zero_is_initial = false;      ///< a read of 0 is one of the initial state as well
  bool writes_initial = false;    ///< what stands for the initial state may be written too: a read
                                  ///< of it does not tell which it saw
  bool declares_initial = false;  ///< says which value is initial
  InitialForm initial = InitialForm::kNil;
  std::string_view misread_aborted = {};  ///< what single operations that failed are taken for,
                                          ///< if for something else: the text of the loss
  std::span<const std::int64_t> reserved = {};  ///< numbers that cannot stand for values
  NumberRange keys = {};
  NumberRange values = {};
  std::int64_t first_session = 0;  ///< the smallest name of a session

  [[nodiscard]] constexpr bool is_directory() const { return write_directory != nullptr; }
};

/// As `polysi:text`; without a dialect where there is none.
[[nodiscard]] std::string text(const Target& target);

}  // namespace elapid
