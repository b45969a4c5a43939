#include "harness/generate/event_output.h"

#include <memory>
#include <utility>

#include "harness/generate/to_history.h"
#include "parsers/bytes/output.h"
#include "parsers/write.h"

namespace elapid {

namespace {

constexpr std::uint64_t kEventsBetweenReports = 4096;

/// Numbers and counts the events of a source.
class NumberedSource : public EventSource {
 public:
  NumberedSource(EventSource& source, const std::function<void(std::uint64_t)>& progress)
      : source_(source), progress_(progress) {}

  bool next(PlainEvent& event) override {
    if (!source_.next(event)) {
      return false;
    }
    event.index = count_;
    count_ += event.is_silent ? 0 : 1;
    if (progress_ && count() % kEventsBetweenReports == 0) {
      progress_(count());
    }
    return true;
  }

  [[nodiscard]] std::uint64_t count() const { return static_cast<std::uint64_t>(count_); }

 private:
  EventSource& source_;
  const std::function<void(std::uint64_t)>& progress_;
  std::int64_t count_ = 0;
};

Result<WrittenEvents> write_as_they_come(NumberedSource& source, const EventOutput& output) {
  ELAPID_ASSIGN_OR_RETURN(OutputFile out, OutputFile::create(output.path));
  const std::unique_ptr<PlainEventWriter> writer = output.target->make_event_writer(
      {.workload = output.outline.workload, .timestamps = output.outline.timestamps});
  out << writer->begin();
  PlainEvent event;
  while (!out.has_failed() && source.next(event)) {
    out << writer->write(event);
  }
  out << writer->end();
  ELAPID_RETURN_IF_ERROR(out.commit());
  return WrittenEvents{.events = source.count()};
}

Result<WrittenEvents> write_whole_history(NumberedSource& source, const EventOutput& output) {
  const Target& target = *output.target;
  const bool with_timestamps = target.needs_timestamps || output.outline.timestamps;
  ELAPID_ASSIGN_OR_RETURN(const History history,
                          to_history(source, with_timestamps && target.timestamps));
  ELAPID_ASSIGN_OR_RETURN(ConversionReport report,
                          write_history(history, output.outline.workload, output.path,
                                        {.target = &target, .policy = LossPolicy::kAny}));
  return WrittenEvents{
      .events = source.count(), .losses = std::move(report.losses), .map = std::move(report.map)};
}

}  // namespace

Status check_format(const Target& target, const EventOutline& outline) {
  const std::string format = text(target);
  const std::string workload(outline.workload.name());
  const bool takes_any = target.make_event_writer != nullptr && target.single_operations;
  if (target.one_register && outline.workload == Workload::kCasRegister) {
    return outline.one_key ? Status()
                           : usage_error(format + " holds one register, and there are several");
  }
  if (outline.workload == Workload::kRows) {
    return target.rows ? Status() : usage_error(format + " holds no rows and predicates");
  }
  if (takes_any) {
    return {};
  }
  if (!outline.workload.has_levels()) {
    return usage_error(format + " holds transactions of reads and writes only");
  }
  if (outline.workload.has_lists() ? !target.lists : !target.registers) {
    return usage_error(format + " holds no " +
                       (outline.workload.has_lists() ? "lists" : "registers"));
  }
  if (target.one_register) {
    return usage_error(format + " holds single operations on one register");
  }
  return {};
}

bool is_streamed(const Target& target, const EventOutline& outline) {
  return target.make_event_writer != nullptr && (target.indeterminate || !outline.indeterminate) &&
         (target.repeats || !outline.repeats);
}

Result<WrittenEvents> write_events(EventSource& source, const EventOutput& output) {
  ELAPID_RETURN_IF_ERROR(check_format(*output.target, output.outline));
  NumberedSource numbered(source, output.progress);
  return is_streamed(*output.target, output.outline) ? write_as_they_come(numbered, output)
                                                     : write_whole_history(numbered, output);
}

}  // namespace elapid
