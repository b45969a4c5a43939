// One operation map of a Jepsen history: `{:type :ok, :process 0, :value [[:r :x 1]], ...}`.
//
// Keys come in any order, so the meaning of :value may be known only after it was read. It is read
// as micro-operations at once. If it is none, that is remembered as a problem, and becomes an error
// only if the operation turns out to be a client's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/call.h"
#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/edn/scanner.h"
#include "parsers/jepsen/known_lists.h"
#include "parsers/options.h"

namespace elapid {

/// An error that few operations have: without one it takes a pointer, and no time to clear.
class RareError {
 public:
  RareError& operator=(Error error) {
    error_ = std::make_unique<Error>(std::move(error));
    return *this;
  }

  [[nodiscard]] explicit operator bool() const { return error_ != nullptr; }

  [[nodiscard]] Error& operator*() const { return *error_; }

  [[nodiscard]] Error* operator->() const { return error_.get(); }

 private:
  std::unique_ptr<Error> error_;
};

/// A :value that is not made of micro-operations, as one value.
struct WholeValue {
  bool is_collection = false;               ///< a vector, list, map or set
  std::string text = {};                    ///< canonical
  RareError problem = {};                   ///< why there is no text
  std::vector<std::uint64_t> offsets = {};  ///< of a collection's elements, where they are known

  /// Makes it as new, keeping the text's memory.
  void clear() {
    is_collection = false;
    text.clear();
    problem = RareError();
    offsets.clear();
  }

  /// Starts the text of a vector or list.
  void open() { text = '['; }

  /// Before an element is appended to the text.
  void separate() {
    if (text.back() != '[') {
      text += ' ';
    }
  }
};

/// What :process is.
enum class ProcessKind : std::uint8_t {
  kAbsent,  ///< not there, or nil
  kClient,  ///< an integer
  kNamed,   ///< a keyword, string or symbol such as :nemesis
  kOdd,     ///< anything else
};

/// What an operation map says of itself, without what is in its :value.
struct OpFields {
  std::uint64_t offset = 0;  ///< of the map, or of the tag before it
  bool is_plain = false;     ///< read_plain() has read it
  std::optional<EventType> type = {};
  ProcessKind process_kind = ProcessKind::kAbsent;
  std::int64_t process = 0;  ///< of kClient
  std::optional<std::int64_t> index = {};
  std::optional<std::int64_t> time = {};
  std::optional<std::int64_t> start_timestamp = {};   ///< of the database
  std::optional<std::int64_t> commit_timestamp = {};  ///< of the database
  std::optional<std::int64_t> invoked = {};    ///< ns; with it, the map is a whole transaction
  std::optional<std::int64_t> completed = {};  ///< ns; the same
  ValueId level = ValueId::nil();              ///< :isolation, as a keyword; nil if it is absent
  ValueId f = ValueId::nil();                  ///< :f; none() if it is neither a keyword nor nil
  bool has_odd_time = false;                   ///< :time is neither an integer nor nil
  bool has_extras = false;                     ///< there are further keys, as :error
  bool has_validity = false;                   ///< there is a :valid?, as in a file of results
  bool has_value = false;                      ///< :value is there and not nil
  RareError not_mops = {};                     ///< why :value is not a sequence of micro-operations
  bool may_be_tuple = false;  ///< :value begins with something else than a vector or list
  bool begins_mops = false;   ///< :value begins with what looks like a micro-operation: a vector or
                              ///< list with a name in front
  std::uint64_t first_append = kNoPlace;  ///< where the function of the first one stands
  std::uint64_t first_write = kNoPlace;   ///< likewise
  std::uint64_t first_other = kNoPlace;   ///< of a function that is none of find_mop_kind()
  RareError not_list = {};  ///< a list-append read of something other than a list or nil
  RareError twice = {};     ///< a key that is there twice, where the syntax allows it
  ValueId tuple_key = ValueId::none();  ///< of a tuple that was taken apart

  static constexpr std::uint64_t kNoPlace = 0xffffffffffffffffU;

  /// Notes where the function of a micro-operation stands.
  void note_mop(OpKind kind, std::uint64_t place) {
    if (kind != OpKind::kRead) {
      std::uint64_t& first = kind == OpKind::kAppend  ? first_append
                             : kind == OpKind::kWrite ? first_write
                                                      : first_other;
      first = std::min(first, place);
    }
  }

  /// Where the first function stands that is one of registers in lists, or the reverse.
  [[nodiscard]] std::uint64_t first_foreign(Workload workload) const {
    return workload.has_lists() ? first_write : first_append;
  }
};

/// A whole operation map. Reused from map to map, so that its buffers keep their memory.
struct OpMap : OpFields {
  WholeValue whole = {};  ///< :value if it is not made of micro-operations, or in a history of
                          ///< rows
  /// Of ProcessKind::kNamed, without colon or quotes; and of a client whose session has a name.
  std::string process_name = {};
  /// Keys among WorkloadType::fields, with their colon, and their values as canonical EDN.
  std::vector<std::pair<std::string, std::string>> fields = {};
  GrowingVector<MopInput> mops = {};     ///< in `key`, the name of the key: see key_name()
  GrowingVector<ValueId> elements = {};  ///< what list reads refer to

  /// Makes it as new.
  void clear() {
    static_cast<OpFields&>(*this) = {};
    whole.clear();
    process_name.clear();
    fields.clear();
    mops.clear();
    elements.clear();
  }
};

/// Whether the operation is of Jepsen's nemesis, the process whose operations are faults.
[[nodiscard]] inline bool is_nemesis(const OpMap& op) {
  return op.process_kind == ProcessKind::kNamed &&
         (op.process_name == "nemesis" || op.process_name == ":nemesis");
}

/// What an operation map says of a key is its name, see set_key_name().
inline ValueId key_name(const MopInput& mop) {
  return ValueId::from_bits(mop.key.value);
}

/// What `translated` returns for a value, small integers and nil aside, which stay.
template <class Translated>
ValueId replaced_value(ValueId value, Translated& translated) {
  const bool is_same = value.is_integer() || value.is_nil() || value.is_none();
  return is_same ? value : translated(value);
}

/// The same of all values of micro-operations, among them the names of keys.
template <class Translated>
void replace_values_of(std::span<MopInput> mops, std::span<ValueId> elements,
                       Translated& translated) {
  for (MopInput& mop : mops) {
    mop.value = replaced_value(mop.value, translated);
    set_key_name(mop, replaced_value(key_name(mop), translated));
  }
  for (ValueId& element : elements) {
    element = replaced_value(element, translated);
  }
}

/// The same of all values of the operation.
template <class Translated>
void replace_values(OpMap& op, Translated translated) {
  op.f = replaced_value(op.f, translated);
  op.level = replaced_value(op.level, translated);
  replace_values_of(op.mops, op.elements, translated);
}

/// The type of this name, which has no colon.
[[nodiscard]] std::optional<EventType> find_event_type(std::string_view name);

/// The kind of a micro-operation with this function, which has no colon: `r`, `w` or `append`, or
/// as Knossos writes them, `read` or `write`. The reading of a list is one of kRead here.
[[nodiscard]] inline std::optional<OpKind> find_mop_kind(std::string_view name) {
  const char first = name.empty() ? '\0' : name.front();
  switch (first) {
    case 'r':
      return name.size() == 1 || name == "read" ? std::optional(OpKind::kRead) : std::nullopt;
    case 'w':
      return name.size() == 1 || name == "write" ? std::optional(OpKind::kWrite) : std::nullopt;
    case 'a':
      // This comparison is inlined, which one of string views is not.
      return name.size() == 6 && std::memcmp(name.data(), "append", 6) == 0
                 ? std::optional(OpKind::kAppend)
                 : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// Reads operation maps.
class OpMapReader {
 public:
  /// Borrows both. Lists are read as such in list-append; elsewhere every value is one value.
  OpMapReader(edn::Scanner& scanner, ValuePool& values, Workload workload)
      : scanner_(scanner),
        values_(values),
        has_lists_(workload.has_lists()),
        fields_(workload.fields()),
        has_own_values_(workload.has_own_values()),
        has_rows_(workload == Workload::kRows),
        is_plain_(!has_own_values_ && !has_rows_ && fields_.empty()) {}

  /// From now on :value is a tuple `[key value]`; what is read of it is its value, and its key.
  void take_tuples_apart() {
    has_tuples_ = true;
    is_plain_ = false;
  }

  /// From now on read_plain() reads nothing.
  void take_no_short_cut() { is_plain_ = false; }

  /// Lists of which it knows the text.
  [[nodiscard]] KnownLists& known_lists() { return known_lists_; }

  /// Reads the map that the scanner's current token opens. False after an error, see the scanner's.
  bool read(OpMap& op);

  /// Reads the map that comes next, if it is of the shape in which nearly all come and if it is in
  /// memory, without a token each: only the six usual keys, each once; a client's process; plain
  /// integers; micro-operations `append`, `w` and `r` of integers and keywords. Else false, and the
  /// scanner has not moved; read() makes the same of that map. Operations of other shapes cost a
  /// look at their beginning more.
  bool read_plain(OpMap& op);

 private:
  friend class PlainOp;

  enum class Field : std::uint8_t {
    kIndex,
    kTime,
    kType,
    kProcess,
    kF,
    kValue,
    kIsolation,
    kExtra
  };

  static Field field_of(const edn::Token& key);
  bool read_entry(OpMap& op, unsigned& seen, bool has_namespace);
  bool read_field(OpMap& op, Field field);
  bool read_extra_key(OpMap& op);
  bool read_extra_value(OpMap& op);
  bool check_extra_keys();
  bool read_index(OpMap& op);
  bool read_time(OpMap& op);
  bool read_type(OpMap& op);
  bool read_process(OpMap& op);
  bool read_f(OpMap& op);
  bool read_isolation(OpMap& op);
  ValueId function(std::string_view text);
  bool read_tuple(OpMap& op);
  bool read_value(OpMap& op);
  bool read_mops(OpMap& op);
  bool read_mop(OpMap& op);
  bool read_known_mop(OpMap& op, OpKind kind);
  bool read_other_mop(OpMap& op);
  bool read_list(OpMap& op, MopInput& mop);
  bool read_scalar(OpMap& op, ValueId& value);
  bool read_whole(OpMap& op);
  void read_elements(OpMap& op, bool is_inner);
  bool append_elements(WholeValue& whole);
  bool give_up(OpMap& op, std::string_view expected);

  edn::Scanner& scanner_;
  ValuePool& values_;
  bool has_lists_;
  std::span<const std::string_view> fields_;
  bool has_own_values_;
  bool has_rows_;  // :value is kept as text, whatever it is
  bool has_tuples_ = false;
  bool is_plain_;  // read_plain() may be tried
  KnownLists known_lists_;
  std::string f_text_;      // the keyword that was :f last
  ValueId f_;               // and its id
  std::string text_;        // canonical text of a value
  std::string extra_text_;  // canonical texts of the map's further keys
  std::vector<std::pair<std::size_t, std::size_t>> extra_keys_;  // begin and length in extra_text_
};

}  // namespace elapid
