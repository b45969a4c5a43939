#include "adapter/http/streams/stream_routes.h"

#include <fmt/format.h>
#include <httplib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "adapter/http/checks/job_files.h"
#include "adapter/http/checks/upload.h"
#include "adapter/watch/appended_file.h"
#include "parsers/bytes/byte_source.h"

namespace elapid::http {
namespace {

// Options of `elapid watch` as query parameters, under the same names.

/// The options that a stream may have. Watch checks their values.
const std::vector<Parameter>& stream_parameters() {
  static const std::vector<Parameter> parameters = {
      {.name = "consistency-models",
       .help = "snapshot-isolation or serializable, each also with strong-session-.",
       .example = "snapshot-isolation"},
      {.name = "model",
       .help = "The workload: list-append or rw-register.",
       .example = "rw-register"},
      {.name = "initial", .help = "What registers hold at first.", .example = "0"},
      {.name = "clock-skew",
       .type = "integer",
       .help = "By how much clocks may differ, in timestamps."},
      {.name = "deadline",
       .help = "How long a verdict may change; what comes later is late.",
       .example = "2s"},
      {.name = "watermark",
       .type = "integer",
       .help = "Instead of deadline: how far to stay behind the greatest commit."},
      {.name = "final-only",
       .type = "boolean",
       .help = "Tells of no violation that may be retracted."},
      {.name = "memory",
       .help = "Memory for transactions; the oldest go to disk.",
       .example = "64M"},
      {.name = "checkpoint",
       .help = "How much a restart reads again at most, about.",
       .example = "1M"},
      {.name = "max-line", .help = "The longest line that is read.", .example = "1M"},
      {.name = "stop-on-error",
       .type = "boolean",
       .help = "Fails at the first line that is not understood."}};
  return parameters;
}

/// The command line's words for the given parameters of stream_parameters().
std::vector<std::string> stream_options(const Call& call) {
  std::vector<std::string> words;
  for (const Parameter& parameter : stream_parameters()) {
    const std::optional<std::string> value = call.query(parameter.name);
    if (!value || (parameter.type == "boolean" && *value == "false")) {
      continue;
    }
    words.push_back("--" + parameter.name +
                    (parameter.type == "boolean" ? std::string() : "=" + *value));
  }
  return words;
}

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kEvents = "text/event-stream";
constexpr std::string_view kLines = "application/x-ndjson";
constexpr std::string_view kCheckedStream = "aion";  // the name of the stream of POST /check

constexpr const char* kStreamSchema = R"({"type": "object", "additionalProperties": false,
  "required": ["id", "name", "state", "verdict", "level", "options", "bytes", "progress", "reason", "created", "links"],
  "properties": {"id": {"type": "string"}, "name": {"type": "string"},
    "state": {"enum": ["open", "stalled", "ending", "ended", "failed"]},
    "verdict": {"enum": ["valid", "invalid", "unknown", null]},
    "level": {"type": "array", "items": {"type": "string"}},
    "options": {"type": "array", "items": {"type": "string"}},
    "bytes": {"type": "integer", "minimum": 0},
    "progress": {"type": ["object", "null"]},
    "reason": {"type": ["string", "null"]},
    "created": {"type": "string", "format": "date-time"},
    "links": {"type": "object", "additionalProperties": {"type": "string"}}}})";

constexpr const char* kStreamsSchema = R"({"type": "object", "additionalProperties": false,
  "required": ["streams", "next"],
  "properties": {"streams": {"type": "array", "items": {"$ref": "#/components/schemas/Stream"}},
    "next": {"type": ["string", "null"]}}})";

constexpr const char* kReceivedSchema = R"({"type": "object", "additionalProperties": false,
  "required": ["lines", "bytes"],
  "properties": {"lines": {"type": "integer", "minimum": 0},
    "bytes": {"type": "integer", "minimum": 0}}})";

void answer_json(httplib::Response& response, int status, const std::string& json) {
  response.status = status;
  response.set_content(json + "\n", std::string(kJson).c_str());
}

/// Removes a file when this object ends.
class PassingFile {
 public:
  explicit PassingFile(std::string path) : path_(std::move(path)) {}

  PassingFile(const PassingFile&) = delete;
  PassingFile& operator=(const PassingFile&) = delete;

  ~PassingFile() { ::unlink(path_.c_str()); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The lines in the body of a request.
std::variant<StreamLines, Problem> lines_of(const Call& call, const StreamSettings& settings) {
  const PassingFile body(settings.folder + "/.gone-body-" + random_name());
  auto received = receive(call, body.path(), {.bytes = settings.most_body});
  if (const auto* problem = std::get_if<Problem>(&received)) {
    return *problem;
  }
  auto source = open_source(body.path());
  auto lines = source ? cut_into_lines(*source.value(), settings.most_body)
                      : Result<StreamLines>(source.error());
  if (lines) {
    return std::move(lines).value();
  }
  Error error = std::move(lines.error());
  error.file.clear();
  if (error.kind == ErrorKind::kUsage) {
    return Problem{413, error.message};
  }
  Problem problem = problem_of(error);
  if (problem.status == 400) {
    problem.detail = fmt::format("Line {} of the body, byte {}: {}.", error.line.value_or(1),
                                 error.byte_offset.value_or(0), error.message);
  }
  return problem;
}

class StreamHandlers {
 public:
  explicit StreamHandlers(Streams& streams) : streams_(streams) {}

  void create(const Call& call, httplib::Response& response) const {
    std::string name = call.query("name").value_or("");
    if (const auto problem = name_wrong(name)) {
      return answer(response, *problem);
    }
    const auto made = streams_.create(std::move(name), stream_options(call));
    if (const auto* problem = std::get_if<Problem>(&made)) {
      return answer(response, *problem);
    }
    const auto& stream = std::get<std::shared_ptr<Stream>>(made);
    response.set_header("Location", "/v1/streams/" + stream->id());
    answer_json(response, 201, stream->json());
  }

  void list(const Call& call, httplib::Response& response) const {
    constexpr long kMost = 1000;
    const long limit = std::strtol(call.query("limit").value_or("100").c_str(), nullptr, 10);
    if (limit < 1 || limit > kMost) {
      return answer(response, {400, fmt::format("The parameter limit is from 1 to {}.", kMost)});
    }
    const auto found =
        streams_.list(call.query("after").value_or(""), static_cast<std::size_t>(limit) + 1);
    const bool has_more = found.size() > static_cast<std::size_t>(limit);
    const std::span shown = std::span(found).first(found.size() - (has_more ? 1 : 0));
    std::string json = R"({"streams":[)";
    for (const std::shared_ptr<Stream>& stream : shown) {
      json += (json.ends_with('[') ? "" : ",") + stream->json();
    }
    json += has_more ? R"(],"next":"/v1/streams?limit=)" + std::to_string(limit) +
                           "&after=" + shown.back()->id() + "\"}"
                     : std::string(R"(],"next":null})");
    answer_json(response, 200, json);
  }

  void show(const Call& call, httplib::Response& response) const {
    if (const auto stream = find(call, response)) {
      answer_json(response, 200, stream->json());
    }
  }

  void remove(const Call& call, httplib::Response& response) const {
    if (!streams_.remove(call.parts.front())) {
      return answer(response, absent());
    }
    response.status = 204;
  }

  void end(const Call& call, httplib::Response& response) const {
    if (const auto stream = find(call, response)) {
      if (const auto problem = stream->end()) {
        return answer(response, *problem);
      }
      streams_.wake();
      answer_json(response, 202, stream->json());
    }
  }

  void add(const Call& call, httplib::Response& response) const {
    const auto stream = streams_.find(call.parts.front());
    if (stream == nullptr) {
      discard_body(call);
      return answer(response, absent());
    }
    add_to(*stream, 202, call, response);
  }

  /// TimeKiller uses one stream, which begins with the first transactions.
  void check(const Call& call, httplib::Response& response) const {
    const auto opened = streams_.open_one_called(std::string(kCheckedStream));
    if (const auto* problem = std::get_if<Problem>(&opened)) {
      discard_body(call);
      return answer(response, *problem);
    }
    add_to(*std::get<std::shared_ptr<Stream>>(opened), 200, call, response);
  }

  void show_lines(const Call& call, httplib::Response& response) const {
    const auto stream = find(call, response);
    if (stream == nullptr) {
      return;
    }
    auto opened = AppendedFile::open(stream->lines_path(), false);
    if (!opened) {
      return answer(response, absent());
    }
    const auto file = std::make_shared<AppendedFile>(std::move(opened).value());
    response.set_content_provider(
        file->size(), std::string(kLines).c_str(),
        [file](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
          constexpr std::size_t kPiece = std::size_t{256} << 10;
          const Result<std::string> bytes = file->read(offset, std::min(length, kPiece));
          return bytes && !bytes.value().empty() &&
                 sink.write(bytes.value().data(), bytes.value().size());
        });
  }

  void listen(const Call& call, httplib::Response& response) const {
    const auto stream = find(call, response);
    if (stream == nullptr) {
      return;
    }
    const auto place = place_of(call, *stream);
    if (!place) {
      return answer(response, {400, "Last-Event-ID is not one that this stream has given."});
    }
    const bool follows = call.query("follow").value_or("true") != "false";
    // A client that reconnects to a finished stream learns that nothing will follow.
    EventPlace looked_at = *place;
    if (follows && !stream->events_behind(looked_at)) {
      response.status = 204;
      return;
    }
    response.set_header("X-Accel-Buffering", "no");  // a proxy must not buffer events
    response.set_chunked_content_provider(std::string(kEvents).c_str(),
                                          Listener(stream, *place, follows));
  }

 private:
  /// Sends events to one client as they arrive.
  class Listener {
   public:
    Listener(std::shared_ptr<Stream> stream, const EventPlace& place, bool follows)
        : stream_(std::move(stream)), place_(place), follows_(follows) {}

    bool operator()(std::size_t /*offset*/, httplib::DataSink& sink) {
      const std::optional<std::string> text = stream_->events_behind(place_);
      if (!text || (text->empty() && !follows_)) {
        sink.done();
        return true;
      }
      if (!text->empty()) {
        silence_ = {};
        return sink.write(text->data(), text->size());
      }
      return wait(sink);
    }

   private:
    /// Sends a comment from time to time, so that both ends notice a broken connection.
    bool wait(httplib::DataSink& sink) {
      constexpr std::chrono::milliseconds kPause{100};
      constexpr std::chrono::seconds kLongestSilence{15};
      constexpr std::string_view kComment = ":\n\n";
      std::this_thread::sleep_for(kPause);
      silence_ += kPause;
      if (silence_ < kLongestSilence && has_begun_) {
        return sink.is_writable();
      }
      has_begun_ = true;
      silence_ = {};
      return sink.write(kComment.data(), kComment.size());
    }

    std::shared_ptr<Stream> stream_;
    EventPlace place_;
    bool follows_;
    bool has_begun_ = false;  // the headers have been sent
    std::chrono::milliseconds silence_{};
  };

  [[nodiscard]] static Problem absent() { return {404, "There is no stream of this id."}; }

  [[nodiscard]] std::shared_ptr<Stream> find(const Call& call, httplib::Response& response) const {
    auto stream = streams_.find(call.parts.front());
    if (stream == nullptr) {
      answer(response, absent());
    }
    return stream;
  }

  void add_to(Stream& stream, int status, const Call& call, httplib::Response& response) const {
    const auto lines = lines_of(call, streams_.settings());
    if (const auto* problem = std::get_if<Problem>(&lines)) {
      return answer(response, *problem);
    }
    const auto& cut = std::get<StreamLines>(lines);
    if (const auto problem = stream.add(cut)) {
      return answer(response, *problem);
    }
    streams_.wake();
    answer_json(response, status,
                fmt::format(R"({{"lines":{},"bytes":{}}})", cut.count, cut.text.size()));
  }

  /// The event at which a listener begins. Nothing for an unknown id.
  static std::optional<EventPlace> place_of(const Call& call, const Stream& stream) {
    constexpr std::uint64_t kRecent = std::uint64_t{64} << 10;
    const std::string id = call.request.get_header_value("Last-Event-ID");
    if (!id.empty()) {
      return parse_event_place(id);
    }
    const std::string from = call.query("from").value_or("start");
    if (from == "start") {
      return EventPlace{};
    }
    const auto place = stream.events().place_before_end(from == "now" ? 0 : kRecent);
    return place ? place.value() : EventPlace{};
  }

  Streams& streams_;
};

}  // namespace

void add_stream_routes(RouteTable& routes, Streams& streams) {
  routes.add_schema("Stream", kStreamSchema);
  routes.add_schema("Streams", kStreamsSchema);
  routes.add_schema("Received", kReceivedSchema);
  const StreamHandlers handlers(streams);
  const auto to = [handlers](void (StreamHandlers::*method)(const Call&, httplib::Response&)
                                 const) -> Handler {
    return [handlers, method](const Call& call, httplib::Response& response) {
      (handlers.*method)(call, response);
    };
  };
  const std::vector<Content> stream = {{std::string(kJson), "Stream"}};
  const std::vector<Content> received = {{std::string(kJson), "Received"}};
  const std::vector<Content> lines = {{std::string(kLines)}, {std::string(kJson)}};
  std::vector<Parameter> options = stream_parameters();
  options.push_back({.name = "name", .help = "For people.", .example = "nightly"});
  routes.add({.method = "POST",
              .path = "/v1/streams",
              .handler = to(&StreamHandlers::create),
              .summary = "Begin a stream of transactions that are checked by their timestamps",
              .query = std::move(options),
              .answers = {{201, "It has begun; Location says where.", stream}},
              .problems = {400, 503}});
  routes.add(
      {.method = "GET",
       .path = "/v1/streams",
       .handler = to(&StreamHandlers::list),
       .summary = "The streams, newest first",
       .query = {{.name = "limit", .type = "integer", .help = "At most so many."},
                 {.name = "after", .help = "Those behind the stream of this id.", .example = "0"}},
       .answers = {{200, "Some of them.", {{std::string(kJson), "Streams"}}}},
       .problems = {400}});
  routes.add({.method = "GET",
              .path = "/v1/streams/{id}",
              .handler = to(&StreamHandlers::show),
              .summary = "How far a stream has come",
              .answers = {{200, "What is known of it.", stream}},
              .problems = {404}});
  routes.add({.method = "DELETE",
              .path = "/v1/streams/{id}",
              .handler = to(&StreamHandlers::remove),
              .summary = "Remove a stream with all that it has",
              .answers = {{204, "It is gone."}},
              .problems = {404}});
  routes.add({.method = "GET",
              .path = "/v1/streams/{id}/transactions",
              .handler = to(&StreamHandlers::show_lines),
              .summary = "The lines that were accepted",
              .answers = {{200, "A line each.", {{std::string(kLines)}}}},
              .problems = {404}});
  routes.add({.method = "POST",
              .path = "/v1/streams/{id}/transactions",
              .handler = to(&StreamHandlers::add),
              .summary = "Add transactions: lines of the recorder format, or TimeKiller's objects, "
                         "or an array of these",
              .body = lines,
              .answers = {{202, "They are on the disk, and are judged soon.", received}},
              .problems = {400, 404, 408, 409, 411, 413, 415, 507}});
  routes.add({.method = "POST",
              .path = "/v1/streams/{id}/end",
              .handler = to(&StreamHandlers::end),
              .summary = "Say that there are no more: the verdict follows",
              .answers = {{202, "What came is judged to its end.", stream}},
              .problems = {404}});
  routes.add({.method = "GET",
              .path = "/v1/streams/{id}/events",
              .handler = to(&StreamHandlers::listen),
              .summary = "Violations as they are found, provisional and final (server-sent events)",
              .query = {{.name = "from",
                         .help = "Where to begin without Last-Event-ID: with the first event, with "
                                 "recent ones, or with the next one.",
                         .choices = {"start", "recent", "now"}},
                        {.name = "follow",
                         .type = "boolean",
                         .help = "False: what is there, and no more."}},
              .answers = {{200, "Events, until the stream has ended.", {{std::string(kEvents)}}},
                          {204, "The stream has ended, and there are no more."}},
              .problems = {400, 404}});
  routes.add({.method = "POST",
              .path = "/check",
              .handler = to(&StreamHandlers::check),
              .summary =
                  "As TimeKiller's online mode has it: add transactions to the stream that is "
                  "called aion, which the first ones begin",
              .body = {{std::string(kJson)}},
              .answers = {{200, "They are on the disk, and are judged soon.", received}},
              .problems = {400, 408, 409, 411, 413, 415, 503, 507}});
}

}  // namespace elapid::http
