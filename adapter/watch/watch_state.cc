#include "adapter/watch/watch_state.h"

#include <charconv>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/online/byte_codec.h"

namespace elapid {

namespace {

constexpr const char* kJournalNumber = "journal";
constexpr std::string_view kJournalPrefix = "journal-";
constexpr std::string_view kWatermark = "#watermark ";
constexpr std::string_view kNumber = R"("n":)";

/// The integer at the start of a text, which is moved behind it and one more byte.
template <class Integer>
std::optional<Integer> take_number(std::string_view& text) {
  Integer number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(end - text.data()) + 1));
  return number;
}

}  // namespace

Result<WatchState> WatchState::open(const std::string& directory) {
  WatchState state(directory);
  Status status = state.open();
  return status.ok() ? Result<WatchState>(std::move(state)) : Result<WatchState>(status.error());
}

Status WatchState::open() {
  std::error_code failure;
  std::filesystem::create_directories(directory_, failure);
  if (failure) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "cannot be made: " + failure.message(),
                 .file = directory_};
  }
  auto store = SqlitePageStore::open(directory_ + "/state.sqlite");
  if (!store) {
    return store.error();
  }
  store_ = std::move(store).value();
  const std::string number = saved(kJournalNumber).value_or("0");
  std::string_view digits = number;
  if (Status status = open_journal(take_number<std::uint64_t>(digits).value_or(0)); !status.ok()) {
    return status;
  }
  if (Status status = remove_other_journals(); !status.ok()) {
    return status;
  }
  auto events = AppendedFile::open(directory_ + "/events.jsonl");
  if (!events) {
    return events.error();
  }
  events_.emplace(std::move(events).value());
  return find_last_event();
}

std::string WatchState::path_of_journal(std::uint64_t number) const {
  return directory_ + "/" + std::string(kJournalPrefix) + std::to_string(number);
}

Status WatchState::open_journal(std::uint64_t number) {
  journal_number_ = number;
  journal_path_ = path_of_journal(number);
  auto journal = AppendedFile::open(journal_path_);
  if (!journal) {
    return journal.error();
  }
  journal_.reset();
  journal_.emplace(std::move(journal).value());
  return {};
}

/// Of before the checkpoint, or of one that did not come about.
Status WatchState::remove_other_journals() const {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(directory_, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kJournalPrefix) && entry.path().string() != journal_path_) {
      std::filesystem::remove(entry.path(), failure);
    }
  }
  return failure ? Status(Error{.kind = ErrorKind::kUnreadable,
                                .message = "cannot be tidied up: " + failure.message(),
                                .file = directory_})
                 : Status();
}

Status WatchState::find_last_event() {
  const Result<std::string> line = events_->last_line();
  if (!line) {
    return line.error();
  }
  const std::size_t place = line.value().find(kNumber);
  if (place != std::string::npos) {
    std::string_view digits = std::string_view(line.value()).substr(place + kNumber.size());
    last_event_ = take_number<std::uint64_t>(digits).value_or(0);
  }
  return {};
}

Status WatchState::checkpoint() {
  const std::uint64_t next = journal_number_ + 1;
  store_->put(kJournalNumber, std::to_string(next));
  if (Status status = open_journal(next); !status.ok()) {
    return status;
  }
  store_->commit();
  if (!store_->status().ok()) {
    return store_->status();
  }
  return remove_other_journals();
}

std::string watermark_line(Timestamp watermark) {
  return std::string(kWatermark) + std::to_string(watermark.physical) + " " +
         std::to_string(watermark.logical) + "\n";
}

std::optional<Timestamp> find_watermark(std::string_view line) {
  if (!line.starts_with(kWatermark)) {
    return std::nullopt;
  }
  line.remove_prefix(kWatermark.size());
  const auto physical = take_number<std::int64_t>(line);
  const auto logical = take_number<std::uint32_t>(line);
  return physical && logical ? std::optional(Timestamp{*physical, *logical}) : std::nullopt;
}

std::string encode(const AtomTable& atoms) {
  ByteWriter out;
  for (const AtomTable::Entry& entry : atoms.entries()) {
    out.add(entry.is_literal ? 1U : 0U);
    out.add(std::string_view(entry.text));
  }
  return std::move(out).take();
}

void restore(AtomTable& atoms, std::string_view bytes) {
  ByteReader in(bytes);
  while (!in.is_at_end()) {
    const bool is_literal = in.number() != 0;
    atoms.restore({.text = std::string(in.text()), .is_literal = is_literal});
  }
}

}  // namespace elapid
