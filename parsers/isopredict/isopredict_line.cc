#include "parsers/isopredict/isopredict_line.h"

#include <array>
#include <limits>

#include "parsers/traces/is_utf8.h"
#include "parsers/traces/line_cursor.h"

namespace elapid {

namespace {

/// The parts of an event behind its opening and its key.
struct Form {
  std::string_view opening;
  std::string_view to_set = {};  // empty: the key is not of a set
  bool is_read = false;
  bool from_comes_first = false;
};

constexpr std::array kOperations = {
    Form{.opening = "READ KEY[", .is_read = true}, Form{.opening = "WRITE KEY["},
    Form{.opening = "INSERT[", .to_set = "] to Set["},
    Form{.opening = "DELETE[", .to_set = "] from Set["},
    Form{.opening = "CONTAINS[", .to_set = "] in Set[", .is_read = true, .from_comes_first = true}};

/// The form whose opening comes first in the line, and its place.
const Form* find_form(std::string_view line, std::size_t& at) {
  const Form* first = nullptr;
  at = std::string_view::npos;
  for (const Form& form : kOperations) {
    if (const std::size_t found = line.find(form.opening); found < at) {
      at = found;
      first = &form;
    }
  }
  return first;
}

/// Takes the parts of an event from left to right. After a missing part it takes nothing.
class EventParser {
 public:
  explicit EventParser(LineCursor cursor) : cursor_(cursor) {}

  void literal(std::string_view text) {
    if (status_.ok() && !cursor_.take(text)) {
      status_ = cursor_.expected('`' + std::string(text) + '`');
    }
  }

  /// A key, or the name of a set: the text before the next bracket.
  std::string name() {
    const std::optional<std::string_view> text =
        status_.ok() ? cursor_.until(']') : std::optional<std::string_view>("");
    if (!text || !is_utf8(*text)) {
      status_ = cursor_.expected(text ? "a name in UTF-8" : "a name and `]`");
    }
    return std::string(text.value_or(""));
  }

  /// A transaction's name, as `Txn(1, 0)`.
  TxnName txn(std::string_view opening) {
    TxnName name;
    literal(opening);
    number(name.session, "a session, a natural number below 2^63");
    literal(", ");
    number(name.index, "a transaction, a natural number below 2^63");
    literal(")");
    return name;
  }

  [[nodiscard]] Status& status() { return status_; }

 private:
  void number(std::int64_t& n, std::string_view what) {
    if (!status_.ok()) {
      return;
    }
    const LineCursor begin = cursor_;
    const std::optional<std::uint64_t> taken = cursor_.natural();
    if (!taken || *taken > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
      status_ = begin.expected(what);
      return;
    }
    n = static_cast<std::int64_t>(*taken);
  }

  LineCursor cursor_;
  Status status_;
};

IsopredictEvent parse(EventParser& parser, const Form& form) {
  IsopredictEvent event;
  parser.literal(form.opening);
  event.key = parser.name();
  if (!form.to_set.empty()) {
    parser.literal(form.to_set);
    event.key = "Set(" + parser.name() + ':' + event.key + ')';
  }
  parser.literal("] ");
  if (form.from_comes_first) {
    event.from = parser.txn("From(");
    parser.literal(" ");
  }
  event.txn = parser.txn("Txn(");
  if (form.is_read && !form.from_comes_first) {
    parser.literal(" ");
    event.from = parser.txn("From(");
  }
  return event;
}

}  // namespace

Result<std::optional<IsopredictEvent>> parse_isopredict_line(std::string_view line,
                                                             std::uint64_t offset) {
  std::size_t at = 0;
  const Form* const form = find_form(line, at);
  if (form == nullptr) {
    return std::optional<IsopredictEvent>();
  }
  EventParser parser(LineCursor(line.substr(at), offset + at));
  IsopredictEvent event = parse(parser, *form);
  if (!parser.status().ok()) {
    return std::move(parser.status().error());
  }
  event.offset = offset + at;
  return std::optional(std::move(event));
}

}  // namespace elapid
