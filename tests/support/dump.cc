#include "tests/support/dump.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/integer_text.h"

namespace elapid {

namespace {

constexpr std::string_view kHeader = "elapid-history 1";
constexpr std::array<std::string_view, 4> kEventNames = {"invoke", "ok", "fail", "info"};

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case ' ':
        out += "\\s";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    switch (text[++i]) {
      case 't':
        out += '\t';
        break;
      case 'n':
        out += '\n';
        break;
      case 's':
        out += ' ';
        break;
      default:
        out += text[i];
    }
  }
  return out;
}

std::vector<std::string_view> split(std::string_view line, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t end = line.find(separator); end != std::string_view::npos;
       end = line.find(separator, begin)) {
    parts.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(line.substr(begin));
  return parts;
}

std::string_view op_name(OpKind kind) {
  switch (kind) {
    case OpKind::kRead:
      return "read";
    case OpKind::kReadList:
      return "list";
    case OpKind::kWrite:
      return "write";
    case OpKind::kAppend:
      return "append";
    case OpKind::kOther:
      return "other";
    case OpKind::kRow:
      return "row";
  }
  return "other";
}

std::optional<OpKind> find_op(std::string_view name) {
  for (const OpKind kind :
       {OpKind::kRead, OpKind::kReadList, OpKind::kWrite, OpKind::kAppend, OpKind::kOther}) {
    if (op_name(kind) == name) {
      return kind;
    }
  }
  return std::nullopt;
}

/// One event of the history to write.
struct EventLine {
  Event event;
  TxnId txn;
  EventKind kind;
};

class Writer {
 public:
  explicit Writer(const History& history) : history_(history) {}

  std::string write() {
    out_ += kHeader;
    out_ += "\nformat\t" + escape(history_.info().format);
    for (const std::string& file : history_.info().files) {
      out_ += "\nfile\t" + escape(file);
    }
    out_ += '\n';
    std::uint32_t next = 0;
    for (const EventLine& line : events_in_order()) {
      for (; next < line.event.id.value; ++next) {
        write_skip({next});
      }
      write_event(line);
      ++next;
    }
    for (; next < history_.info().event_count; ++next) {
      write_skip({next});
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::vector<EventLine> events_in_order() const {
    std::vector<EventLine> lines;
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
        const Event event = history_.event({t}, kind);
        if (!event.id.is_none()) {
          lines.push_back({event, {t}, kind});
        }
      }
    }
    std::sort(lines.begin(), lines.end(),
              [](const EventLine& a, const EventLine& b) { return a.event.id < b.event.id; });
    return lines;
  }

  void write_skip(EventId id) {
    out_ += "skip\t-\t" + std::to_string(history_.event_index(id)) + "\t-\t0:0\n";
  }

  void write_event(const EventLine& line) {
    const bool invocation = line.kind == EventKind::kInvocation;
    const std::size_t completion_name = 1 + static_cast<std::size_t>(history_.status(line.txn));
    out_ += kEventNames[invocation ? 0 : completion_name];
    out_ += '\t' + (history_.info().has_process
                        ? std::to_string(history_.session_name(history_.session(line.txn)))
                        : std::string("-"));
    out_ += '\t' + std::to_string(line.event.index);
    out_ += '\t' + (line.event.time ? std::to_string(*line.event.time) : std::string("-"));
    out_ += '\t' + std::to_string(line.event.position.file) + ':' +
            std::to_string(line.event.position.offset);
    const auto differing = history_.differing_invocation(line.txn);
    for (const Op op : invocation&& differing ? *differing : history_.ops(line.txn)) {
      write_op(op, invocation && !differing && history_.has_completion(line.txn));
    }
    out_ += '\n';
  }

  void write_op(Op op, bool result_unknown) {
    const bool hide = op.is_read() && result_unknown;
    out_ += '\t';
    out_ += op_name(hide ? OpKind::kRead : op.kind());
    out_ += ' ' + escape(history_.key_text(op.key()));
    if (hide) {
      out_ += " nil";
    } else if (op.kind() == OpKind::kReadList) {
      for (const ValueId element : history_.elements(op)) {
        out_ += ' ' + escape(history_.text(element));
      }
    } else {
      out_ += ' ' + escape(history_.text(op.value()));
    }
  }

  const History& history_;
  std::string out_;
};

class Parser {
 public:
  Result<History> parse(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
      ++line_;
      if (line.empty()) {
        continue;
      }
      if (Status status = parse_line(line); !status.ok()) {
        status.error().line = line_;
        return status.error();
      }
    }
    return std::move(builder_).build(std::move(info_));
  }

 private:
  static Error expected(std::string what, std::string_view found) {
    return Error{.message = "expected " + std::move(what) + ", found `" + std::string(found) + "`"};
  }

  Status parse_line(std::string_view line) {
    if (line_ == 1) {
      return line == kHeader ? Status() : Status(expected("`" + std::string(kHeader) + "`", line));
    }
    const std::vector<std::string_view> fields = split(line, '\t');
    if (fields.size() == 2 && fields[0] == "format") {
      info_.format = unescape(fields[1]);
      return {};
    }
    if (fields.size() == 2 && fields[0] == "file") {
      info_.files.push_back(unescape(fields[1]));
      return {};
    }
    return parse_event(fields);
  }

  static bool parse_number(std::string_view text, std::optional<std::int64_t>& number) {
    if (text == "-") {
      number.reset();
      return true;
    }
    number = integer_of(text);
    return number.has_value();
  }

  static bool parse_position(std::string_view text, SourcePosition& position) {
    const std::size_t colon = text.find(':');
    std::optional<std::int64_t> file;
    std::optional<std::int64_t> offset;
    if (colon == std::string_view::npos || !parse_number(text.substr(0, colon), file) ||
        !parse_number(text.substr(colon + 1), offset) || !file || !offset) {
      return false;
    }
    position = {static_cast<std::uint16_t>(*file), static_cast<std::uint64_t>(*offset)};
    return true;
  }

  Status parse_event(const std::vector<std::string_view>& fields) {
    EventInput event;
    if (fields.size() < 5 || !parse_number(fields[1], event.process) ||
        !parse_number(fields[2], event.index) || !parse_number(fields[3], event.time) ||
        !parse_position(fields[4], event.position)) {
      return expected("type, process, index, time and file:offset", fields[0]);
    }
    if (fields[0] == "skip") {
      return builder_.skip_event({event.index, event.time, event.position});
    }
    const auto* const name = std::find(kEventNames.begin(), kEventNames.end(), fields[0]);
    if (name == kEventNames.end()) {
      return expected("invoke, ok, fail, info or skip", fields[0]);
    }
    event.type = static_cast<EventType>(name - kEventNames.begin());
    mops_.clear();
    elements_.clear();
    for (std::size_t i = 5; i < fields.size(); ++i) {
      if (Status status = parse_op(split(fields[i], ' ')); !status.ok()) {
        return status;
      }
    }
    event.mops = mops_;
    event.elements = elements_;
    return builder_.add_event(event);
  }

  Status parse_op(const std::vector<std::string_view>& words) {
    const std::optional<OpKind> kind = find_op(words[0]);
    if (!kind || words.size() < 2 || (*kind != OpKind::kReadList && words.size() != 3)) {
      return expected("an operation as `append KEY VALUE`", words[0]);
    }
    MopInput mop{.kind = *kind, .key = builder_.key(builder_.values().intern(unescape(words[1])))};
    if (*kind != OpKind::kReadList) {
      mop.value = builder_.values().intern(unescape(words[2]));
    } else {
      mop.list_begin = static_cast<std::uint32_t>(elements_.size());
      mop.list_length = static_cast<std::uint32_t>(words.size() - 2);
      for (std::size_t i = 2; i < words.size(); ++i) {
        elements_.push_back(builder_.values().intern(unescape(words[i])));
      }
    }
    mops_.push_back(mop);
    return {};
  }

  HistoryBuilder builder_;
  HistoryInfo info_;
  std::vector<MopInput> mops_;
  std::vector<ValueId> elements_;
  std::uint64_t line_ = 0;
};

}  // namespace

std::string dump(const History& history) {
  return Writer(history).write();
}

Result<History> parse_dump(std::string_view text) {
  return Parser().parse(text);
}

}  // namespace elapid
