#include <re2/re2.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ir/history_builder.h"
#include "engine/ir/kv_workload.h"
#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/bytes/window.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"
#include "parsers/jepsen/op_assembler.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/porcupine/kv_stream.h"
#include "parsers/porcupine/porcupine_format.h"
#include "parsers/read_progress.h"
#include "parsers/traces/other_line.h"
#include "parsers/traces/trace_reader.h"

namespace elapid {

namespace {

// A line of Jepsen's log as ahorn's checker and Porcupine read them.

using edn::TokenKind;

using re2::StringPiece;

std::string_view view(StringPiece text) {
  return {text.data(), text.size()};
}

/// The fields of a line.
struct Fields {
  StringPiece process;
  StringPiece type;
  StringPiece f;
  StringPiece value;
};

bool split(std::string_view line, Fields& fields) {
  static const re2::RE2 pattern(
      R"(INFO\s+jepsen\.util\s+-\s+(\d+|:[\w-]+)\s+:(\w+)\s+(:[^\s]+)\s+(.*?)\s*)");
  return re2::RE2::FullMatch(StringPiece(line.data(), line.size()), pattern, &fields.process,
                             &fields.type, &fields.f, &fields.value);
}

/// Reads the process of a client; false for a nemesis.
bool read_process(StringPiece text, OpMap& op) {
  if (text.starts_with(":")) {
    op.process_kind = ProcessKind::kNamed;
    return true;
  }
  op.process_kind = ProcessKind::kClient;
  static const re2::RE2 number(R"((\d+))");
  return re2::RE2::FullMatch(text, number, &op.process);
}

/// Reads the form of the scanner's current token as text, a vector in pieces.
Status read_form(edn::Scanner& scanner, WholeValue& whole) {
  if (!is_sequential(scanner.token().kind)) {
    return append_form(scanner, edn::TextStyle::kCanonical, whole.text);
  }
  whole.is_collection = true;
  whole.open();
  while (!is_close(scanner.next())) {
    whole.separate();
    ELAPID_RETURN_IF_ERROR(append_form(scanner, edn::TextStyle::kCanonical, whole.text));
  }
  whole.text += ']';
  return {};
}

/// Reads the value. Behind it an error message may follow.
Status read_value(std::string_view text, std::uint64_t offset, OpMap& op) {
  constexpr std::size_t kWindowBytes = 1024;
  const auto source = memory_source({}, std::string(text));
  edn::Scanner scanner(*source, offset, kWindowBytes);
  op.has_value = scanner.next() != TokenKind::kNil;
  op.is_nil = !op.has_value;
  if (!op.has_value) {
    return {};
  }
  op.not_mops = malformed_at(offset, "expected a value that stands alone");
  return read_form(scanner, op.whole);
}

/// Whether the line is that of an operation: `INFO  jepsen.util - ...`.
bool is_etcd_line(std::string_view line) {
  static const re2::RE2 pattern(R"(^INFO\s+jepsen\.util\b)");
  return re2::RE2::PartialMatch(StringPiece(line.data(), line.size()), pattern);
}

/// Reads `INFO  jepsen.util - 0 :invoke :cas [4 2]`, which is at byte `offset`, as an operation of
/// a history of registers. Error kMalformed with a byte offset: a line of another shape, an unknown
/// type, a value that is not EDN.
Status read_etcd_line(std::string_view line, std::uint64_t offset, ValuePool& values, OpMap& op) {
  op.clear();
  op.offset = offset;
  Fields fields;
  if (!split(line, fields)) {
    return malformed_at(offset,
                        "expected `INFO jepsen.util - PROCESS :TYPE :F VALUE`, found another line");
  }
  op.type = find_event_type(view(fields.type));
  if (!op.type) {
    return malformed_at(offset, "expected :invoke, :ok, :fail or :info, found " +
                                    edn::in_quotes(':' + std::string(view(fields.type))));
  }
  if (!read_process(fields.process, op)) {
    return malformed_at(offset, "expected a process number of 64 bits, found " +
                                    edn::in_quotes(view(fields.process)));
  }
  op.f = values.intern(view(fields.f));
  const auto at = static_cast<std::uint64_t>(fields.value.data() - line.data());
  return read_value(view(fields.value), offset + at, op);
}

constexpr FormatRules kKvRules = {.initial = "the empty string",
                                  .reads = "by the value read",
                                  .aborted = ":fail",
                                  .indeterminate = ":info, or never completed"};

/// The remark about a break in the input, under ReadOptions::salvage.
std::string salvaged(const Error& error) {
  return error.message + "; kept the operations before that";
}

bool is_salvaged(const Status& status, const ReadOptions& options) {
  return !status.ok() && options.salvage && status.error().kind == ErrorKind::kMalformed;
}

/// Reads Jepsen's log.
class EtcdReader {
 public:
  EtcdReader(ByteSource& source, const ReadOptions& options)
      : window_(source),
        progress_(source, options),
        options_(options),
        assembler_(options, Workload::kCasRegister) {}

  Result<History> read(const Sources& sources) {
    Status status = read_lines();
    if (is_salvaged(status, options_)) {
      assembler_.remark(Remark::Kind::kSalvaged, status.error().byte_offset.value_or(0),
                        salvaged(status.error()));
    } else {
      ELAPID_RETURN_IF_ERROR(status);
    }
    HistoryInfo info;
    info.format = kPorcupineFormat.name;
    info.files = sources.names();
    info.assumptions.emplace_back(
        "The lines are those of Jepsen's log; all operations are on one register.");
    if (others_ > 0) {
      info.assumptions.push_back(std::to_string(others_) +
                                 " lines that are no operations are passed over.");
    }
    info.source_bytes = window_.offset();
    info.workload = Workload::kCasRegister;
    info.failed_cas_shows = true;
    return std::move(assembler_).finish(std::move(info));
  }

 private:
  Status read_lines() {
    ELAPID_RETURN_IF_ERROR(each_line(
        window_, progress_,
        [this](std::string_view line, std::uint64_t offset) { return read_line(line, offset); }));
    if (window_.offset() > 0 && !window_.line_is_whole()) {
      assembler_.remark(Remark::Kind::kOther, window_.offset(),
                        "the last line has no newline: its last word may have been cut short");
    }
    return {};
  }

  /// Reads a line. An incomplete last line may be cut and is handled apart.
  Status read_line(std::string_view line, std::uint64_t offset) {
    if (line.empty()) {
      return {};
    }
    if (!is_etcd_line(line) && window_.line_is_whole()) {
      ++others_;
      return check_other_line(line, offset);
    }
    ELAPID_RETURN_IF_ERROR(read_etcd_line(line, offset, assembler_.values(), op_));
    return assembler_.add(op_);
  }

  Window window_;
  ReadProgress progress_;
  const ReadOptions& options_;
  OpAssembler assembler_;
  OpMap op_;
  std::size_t others_ = 0;
};

/// Reads strings by key.
class KvReader {
 public:
  KvReader(ByteSource& source, const ReadOptions& options)
      : stream_(source),
        progress_(source, options),
        options_(options),
        builder_({.tolerate_overlaps = options.for_lint}) {}

  Result<History> read(Sources& sources) {
    Status status = read_events();
    if (status.ok() && is_empty_) {
      return malformed_at(0, "expected operations, found none");
    }
    if (is_salvaged(status, options_)) {
      builder_.remark(Remark::Kind::kSalvaged,
                      {.file = 0, .offset = status.error().byte_offset.value_or(0)},
                      salvaged(status.error()));
    } else {
      ELAPID_RETURN_IF_ERROR(status);
    }
    const ValueId initial = builder_.values().intern(R"("")");
    return finish_trace(std::move(builder_), sources, options_,
                        {.format = &kPorcupineFormat,
                         .workload = kKvWorkload,
                         .rules = kKvRules,
                         .initial = initial,
                         .source_bytes = stream_.offset(),
                         .assumptions = {"The operations are :get, :put and :append on strings."}});
  }

 private:
  Status read_events() {
    while (stream_.next()) {
      is_empty_ = false;
      ELAPID_RETURN_IF_ERROR(add(stream_.op()));
      ELAPID_RETURN_IF_ERROR(progress_.report(stream_.offset()));
    }
    return stream_.status();
  }

  /// Adds an operation. An :info has no result of its own: the invocation may have happened. All
  /// values are strings; another one, or none, shows that this is a history of Jepsen's.
  Status add(const KvOp& op) {
    const bool shows_value = *op.kind != OpKind::kRead || op.type == EventType::kOk;
    if (shows_value && op.type != EventType::kInfo && !op.value.starts_with('"')) {
      return malformed_at(op.offset, "expected a string as the :value of this operation");
    }
    const MopInput mop{.kind = *op.kind,
                       .key = builder_.key(builder_.values().intern(*op.key)),
                       .value = shows_value ? builder_.values().intern(op.value) : ValueId::nil()};
    EventInput event{.type = *op.type, .process = op.process, .position = {.offset = op.offset}};
    if (op.type != EventType::kInfo) {
      event.mops = {&mop, 1};
    }
    return builder_.add_event(event);
  }

  KvStream stream_;
  ReadProgress progress_;
  const ReadOptions& options_;
  HistoryBuilder builder_;
  bool is_empty_ = true;
};

/// Whether the input begins with a bracket, as EDN does, rather than with a word.
Result<bool> is_kv(ByteSource& source) {
  Window window(source);
  const std::string_view head = window.ahead(Window::kDefaultBytes);
  if (window.error()) {
    return *window.error();
  }
  const std::size_t first = head.find_first_not_of(" \t\r\n,\xef\xbb\xbf");
  const bool has_bracket = first != std::string_view::npos &&
                           std::string_view("{[(;#").find(head[first]) != std::string_view::npos;
  ELAPID_RETURN_IF_ERROR(source.rewind());
  return has_bracket;
}

Result<History> read(Sources& sources, ByteSource& source, const std::string& dialect,
                     const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(const bool kv,
                          dialect.empty() ? is_kv(source) : Result<bool>(dialect == "kv"));
  return kv ? KvReader(source, options).read(sources) : EtcdReader(source, options).read(sources);
}

}  // namespace

Result<History> read_porcupine(Sources& sources, const std::string& dialect,
                               const ReadOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(ByteSource * source, sources.open(0));
  ELAPID_RETURN_IF_ERROR(source->rewind());
  Result<History> parsed = read(sources, *source, dialect, options);
  return parsed ? std::move(parsed) : sources.located(0, std::move(parsed.error()));
}

namespace {

constexpr std::array<std::string_view, 2> kPorcupineDialects = {"etcd", "kv"};
constexpr std::string_view kEtcd = kPorcupineDialects[0];
constexpr std::string_view kKv = kPorcupineDialects[1];

std::vector<Sign> looks_like_porcupine(const FileLook& file) {
  static const Pattern log(R"(^INFO\s+jepsen\.util)", "I");
  static const Pattern kv(R"(:f :(get|put|append), :key ")", "", {", :key \""});
  if (log.is_in(file.first_line)) {
    return {{Strength::kStrong, "it begins with a line of Jepsen's log", kEtcd}};
  }
  const FirstForm& form = file.form;
  const std::string_view line = form.inside.substr(0, form.inside.find('\n'));
  if (form.opening == '{' && form.first == ':' && kv.is_in(line)) {
    return {{Strength::kStrong, "its first operation has a :key beside its value", kKv}};
  }
  return {};
}

constexpr std::array kPorcupineTargets = {
    Target{.format = &kPorcupineFormat,
           .dialect = kEtcd,
           .extension = ".log",
           .write_file = write_etcd_log,
           .aborted = true,
           .indeterminate = true,
           .invocations = true,
           .repeats = true,
           .one_register = true,
           .misread_aborted =
               "aborted transactions that Porcupine takes for writes that may have happened, or "
               "for compare-and-sets that saw another value",
           .values = kNaturals}};

}  // namespace

constinit const Format kPorcupineFormat = {.name = "porcupine",
                                           .tools = "Porcupine",
                                           .dialects = kPorcupineDialects,
                                           .looks_at_file = looks_like_porcupine,
                                           .read = read_porcupine,
                                           .targets = kPorcupineTargets};

}  // namespace elapid
