#include "harness/sketch/tiny_history.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "engine/ir/integer_text.h"

namespace elapid {

namespace {

constexpr std::string_view kMarks = ">+-?";  // by EventType

std::invalid_argument refuse(std::string_view what, std::string_view text) {
  return std::invalid_argument(std::string(what) + " in `" + std::string(text) + "`");
}

std::int64_t parse_number(std::string_view text) {
  const std::optional<std::int64_t> number = integer_of(text);
  if (!number) {
    throw refuse("no number", text);
  }
  return *number;
}

/// `12` stands for 1 and 2; with commas, `10,2` and `10,` stand for numbers.
std::vector<std::int64_t> parse_elements(std::string_view text) {
  std::vector<std::int64_t> elements;
  const bool has_commas = text.find(',') != std::string_view::npos;
  while (!text.empty()) {
    const std::size_t length = has_commas ? std::min(text.find(','), text.size()) : 1;
    elements.push_back(parse_number(text.substr(0, length)));
    text.remove_prefix(std::min(length + (has_commas ? 1 : 0), text.size()));
  }
  return elements;
}

TinyMop parse_mop(Workload model, std::string_view word) {
  if (word.size() < 2) {
    throw refuse("no operation", word);
  }
  TinyMop mop{.kind = OpKind::kRead, .key = word[1]};
  const std::string_view value = word.substr(2);
  switch (word[0]) {
    case 'a':
      mop.kind = OpKind::kAppend;
      break;
    case 'w':
      mop.kind = OpKind::kWrite;
      break;
    case 'r':
      if (value == "_") {
        return mop;
      }
      mop.kind = model == Workload::kListAppend ? OpKind::kReadList : OpKind::kRead;
      break;
    default:
      throw refuse("no operation", word);
  }
  mop.values = mop.kind == OpKind::kReadList ? parse_elements(value)
                                             : std::vector<std::int64_t>{parse_number(value)};
  return mop;
}

class Parser {
 public:
  explicit Parser(Workload model) { history_.model = model; }

  TinyHistory parse(std::string_view text) {
    std::istringstream stream{std::string(text)};
    for (std::string part; std::getline(stream, part, ';');) {
      add(part);
    }
    return std::move(history_);
  }

 private:
  void add(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) {
      return;
    }
    TinyEvent event{.type = EventType::kOk};
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits > 0) {
      event.process = parse_number(text.substr(0, digits));
      text.remove_prefix(digits);
    } else {
      event.process = next_process_;
    }
    next_process_ = std::max(next_process_, event.process + 1);
    if (const std::size_t mark = text.empty() ? kMarks.npos : kMarks.find(text[0]);
        mark != kMarks.npos) {
      event.type = static_cast<EventType>(mark);
      text.remove_prefix(1);
    }
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
      event.mops.push_back(parse_mop(history_.model, word));
    }
    add(std::move(event));
  }

  void add(TinyEvent event) {
    if (event.type == EventType::kInvoke) {
      open_.insert(event.process);
    } else if (open_.erase(event.process) == 0) {
      history_.events.push_back({EventType::kInvoke, event.process, as_invoked(event.mops)});
    }
    history_.events.push_back(std::move(event));
  }

  TinyHistory history_;
  std::set<std::int64_t> open_;
  std::int64_t next_process_ = 0;
};

std::string to_text(const TinyMop& mop) {
  const bool is_list = mop.kind == OpKind::kReadList;
  std::string out = mop.is_read() ? "r" : mop.kind == OpKind::kAppend ? "a" : "w";
  out += mop.key;
  if (mop.values.empty()) {
    return out + (is_list ? "" : "_");
  }
  const bool has_commas = is_list && *std::max_element(mop.values.begin(), mop.values.end()) > 9;
  for (const std::int64_t value : mop.values) {
    out += std::to_string(value) + (has_commas ? "," : "");
  }
  return out;
}

/// Whether the event is an invocation that its completion implies.
bool goes_without_saying(const TinyHistory& history, std::size_t at) {
  const TinyEvent& event = history.events[at];
  if (event.type != EventType::kInvoke || at + 1 == history.events.size()) {
    return false;
  }
  const TinyEvent& next = history.events[at + 1];
  return next.type != EventType::kInvoke && next.process == event.process &&
         event.mops == as_invoked(next.mops);
}

/// The words of EDN or JSON for the parts of an event.
struct Notation {
  std::string_view event_begin;  // up to the index
  std::string_view type;         // up to the type's name
  std::string_view process;
  std::string_view mops;
  std::string_view separator;  // between operations, and between their parts
  std::string_view function_begin;
  std::string_view function_end;
  std::string_view key_begin;
  std::string_view key_end;
  std::string_view nil;
  std::string_view event_end;
};

constexpr Notation kEdn = {
    "{:index ", ", :type :", ", :process ", ", :f :txn, :value [", " ", ":", "", ":",
    "",         "nil",       "]}"};
constexpr Notation kJson = {R"({"index": )",
                            R"(, "type": ")",
                            R"(", "process": )",
                            R"(, "f": "txn", "value": [)",
                            ", ",
                            "\"",
                            "\"",
                            "\"",
                            "\"",
                            "null",
                            "]}"};

std::string value_text(const TinyMop& mop, const Notation& in) {
  if (mop.kind != OpKind::kReadList) {
    return mop.values.empty() ? std::string(in.nil) : std::to_string(mop.values.front());
  }
  std::string out = "[";
  for (const std::int64_t value : mop.values) {
    out += out.size() == 1 ? "" : in.separator;
    out += std::to_string(value);
  }
  return out + "]";
}

std::string mop_text(const TinyMop& mop, const Notation& in) {
  std::ostringstream out;
  out << '[' << in.function_begin
      << (mop.is_read()                 ? "r"
          : mop.kind == OpKind::kAppend ? "append"
                                        : "w")
      << in.function_end << in.separator << in.key_begin << mop.key << in.key_end << in.separator
      << value_text(mop, in) << ']';
  return out.str();
}

std::string event_text(const TinyEvent& event, std::size_t index, const Notation& in) {
  constexpr std::array<std::string_view, 4> kTypes = {"invoke", "ok", "fail", "info"};
  std::ostringstream out;
  out << in.event_begin << index << in.type << kTypes.at(static_cast<std::size_t>(event.type))
      << in.process << event.process << in.mops;
  for (std::size_t i = 0; i < event.mops.size(); ++i) {
    out << (i == 0 ? "" : in.separator) << mop_text(event.mops[i], in);
  }
  out << in.event_end;
  return out.str();
}

/// How values of the history are made.
struct Values {
  ValueId initial = ValueId::nil();      // HistoryInfo::initial
  std::optional<std::int64_t> nil = {};  // the number that is nil instead

  [[nodiscard]] ValueId operator()(std::int64_t number, HistoryBuilder& builder) const {
    return number == nil ? ValueId::nil() : builder.values().integer(number);
  }
};

Status add_event(const TinyEvent& event, const Values& values, HistoryBuilder& builder) {
  std::vector<MopInput> mops;
  std::vector<ValueId> elements;
  for (const TinyMop& mop : event.mops) {
    MopInput input{.kind = mop.kind,
                   .key = builder.key(builder.values().intern(std::string{':', mop.key}))};
    if (mop.kind == OpKind::kReadList) {
      input.list_begin = static_cast<std::uint32_t>(elements.size());
      input.list_length = static_cast<std::uint32_t>(mop.values.size());
      for (const std::int64_t value : mop.values) {
        elements.push_back(values(value, builder));
      }
    } else if (!mop.values.empty()) {
      input.value = values(mop.values.front(), builder);
    }
    mops.push_back(input);
  }
  return builder.add_event(
      {.type = event.type, .process = event.process, .mops = mops, .elements = elements});
}

}  // namespace

std::vector<TinyMop> as_invoked(std::vector<TinyMop> mops) {
  for (TinyMop& mop : mops) {
    if (mop.is_read()) {
      mop = {OpKind::kRead, mop.key, {}};
    }
  }
  return mops;
}

TinyHistory parse_tiny(Workload model, std::string_view text) {
  return Parser(model).parse(text);
}

std::string to_text(const TinyHistory& history) {
  std::string out;
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    if (goes_without_saying(history, i)) {
      continue;
    }
    const TinyEvent& event = history.events[i];
    out += out.empty() ? "" : "; ";
    out += std::to_string(event.process) + kMarks[static_cast<std::size_t>(event.type)];
    for (const TinyMop& mop : event.mops) {
      out += ' ' + to_text(mop);
    }
  }
  return out;
}

std::string to_edn(const TinyHistory& history) {
  std::string out;
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    out += event_text(history.events[i], i, kEdn) + '\n';
  }
  return out;
}

std::string to_json(const TinyHistory& history) {
  std::string out;
  for (std::size_t i = 0; i < history.events.size(); ++i) {
    out += (i == 0 ? "[" : ",\n") + event_text(history.events[i], i, kJson);
  }
  return out + (history.events.empty() ? "[]\n" : "]\n");
}

namespace {

History build(const TinyHistory& history, const Values& values) {
  HistoryBuilder builder;
  for (const TinyEvent& event : history.events) {
    if (const Status status = add_event(event, values, builder); !status.ok()) {
      throw refuse(status.error().message, to_text(history));
    }
  }
  Result<History> built = std::move(builder).build(
      {.format = "tiny", .workload = history.model, .initial = values.initial});
  if (!built.ok()) {
    throw refuse(built.error().message, to_text(history));
  }
  return std::move(built).value();
}

}  // namespace

History build(const TinyHistory& history) {
  return build(history, Values());
}

History build_with_initial(const TinyHistory& history) {
  return build(history, Values{.initial = ValueId::integer(0)});
}

History build_with_odd_elements(const TinyHistory& history) {
  return build(history, Values{.initial = ValueId::integer(2), .nil = 1});
}

}  // namespace elapid
