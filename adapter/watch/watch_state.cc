#include "adapter/watch/watch_state.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "adapter/watch/state_damage.h"
#include "engine/online/byte_codec.h"

namespace elapid {

namespace {

constexpr const char* kJournalNumber = "journal";
constexpr const char* kEventMark = "events";
constexpr std::string_view kJournalPrefix = "journal-";
constexpr std::string_view kWatermark = "#watermark ";
constexpr std::string_view kErrorCount = "#errors ";

/// Takes an integer and one byte behind it from the start of a text.
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

std::string name_of_journal(std::uint64_t number) {
  return std::string(kJournalPrefix) + std::to_string(number);
}

/// The numbers of the journals in a directory. Other entries (`lost+found`) are ignored.
Result<std::vector<std::uint64_t>> numbers_of_journals(const std::string& directory) {
  std::vector<std::uint64_t> numbers;
  std::error_code failure;
  std::filesystem::directory_iterator entry(directory, failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    std::string_view digits = name;
    digits.remove_prefix(name.starts_with(kJournalPrefix) ? kJournalPrefix.size() : name.size());
    const auto number = take_number<std::uint64_t>(digits);
    if (number && name == name_of_journal(*number)) {
      numbers.push_back(*number);
    }
  }
  if (failure) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "cannot be read: " + failure.message(),
                 .file = directory};
  }
  return numbers;
}

std::string encode(const EventFile::Mark& mark) {
  ByteWriter out;
  out.add(mark.size);
  out.add(mark.sum);
  return std::move(out).take();
}

EventFile::Mark decode_mark(std::string_view bytes) {
  ByteReader in(bytes);
  EventFile::Mark mark;
  mark.size = in.number();
  mark.sum = in.number();
  return mark;
}

Error cannot(const char* what, const std::error_code& failure, const std::string& path) {
  return {.kind = ErrorKind::kUnreadable,
          .message = std::string("cannot be ") + what + ": " + failure.message(),
          .file = path};
}

}  // namespace

Result<WatchState> WatchState::open(const std::string& directory, const std::string& conditions,
                                    std::size_t cache) {
  WatchState state(directory);
  Status status = state.open(conditions, cache);
  return status.ok() ? Result<WatchState>(std::move(state)) : Result<WatchState>(status.error());
}

Status WatchState::open(const std::string& conditions, std::size_t cache) {
  std::error_code failure;
  std::filesystem::create_directories(directory_, failure);
  if (failure) {
    return cannot("made", failure, directory_);
  }
  ELAPID_ASSIGN_OR_RETURN(store_, SqlitePageStore::open(directory_ + "/state.sqlite", cache));
  Status status = saved_number() ? check_conditions(conditions) : begin(conditions);
  status = status.ok() ? open_files() : status;
  return status.ok() ? remove_other_journals() : status;
}

/// The number of the journal that follows the checkpoint; nothing in a new database.
std::optional<std::uint64_t> WatchState::saved_number() {
  const std::optional<std::string> number = store_->get(kJournalNumber);
  std::string_view digits = number ? std::string_view(*number) : std::string_view();
  return take_number<std::uint64_t>(digits);
}

Status WatchState::check_conditions(const std::string& conditions) {
  const std::string others = store_->get(kConditions).value_or("");
  return others == conditions ? Status()
                              : Error{.kind = ErrorKind::kUsage,
                                      .message = "the state is that of a check of " + others +
                                                 ", and this is one of " + conditions};
}

/// Begins a state without transactions.
Status WatchState::begin(const std::string& conditions) {
  Status status = check_is_new();
  status = status.ok() ? create_journal(0) : status;
  ELAPID_RETURN_IF_ERROR(status);
  store_->put(kConditions, conditions);
  store_->put(kEventMark, encode(EventFile::Mark()));
  return commit(0);
}

/// Error: the directory holds journals or events of a database that was lost or replaced.
Status WatchState::check_is_new() const {
  ELAPID_ASSIGN_OR_RETURN(const auto numbers, numbers_of_journals(directory_));
  std::vector<std::string> unknown;
  const auto holds_more = [&](const std::string& path, std::uint64_t bytes) {
    std::error_code none;
    const std::uint64_t size = std::filesystem::file_size(path, none);
    return !none && size > bytes;
  };
  if (holds_more(path_of_events(), 0)) {
    unknown.emplace_back("events.jsonl");
  }
  for (const std::uint64_t number : numbers) {
    if (number != 0 || holds_more(path_of_journal(number), Journal::kHeaderSize)) {
      unknown.push_back(name_of_journal(number));
    }
  }
  return unknown.empty() ? Status()
                         : state_damage(directory_ + "/state.sqlite",
                                        "there is " + unknown.front() +
                                            ", and the database knows nothing of it");
}

/// Opens the files of the checkpoint.
Status WatchState::open_files() {
  ELAPID_ASSIGN_OR_RETURN(
      auto events,
      EventFile::open(path_of_events(), decode_mark(store_->get(kEventMark).value_or(""))));
  events_.emplace(std::move(events));
  return journal_ ? Status() : open_journals();
}

Status WatchState::open_journals() {
  first_journal_ = saved_number().value_or(0);
  for (journal_number_ = first_journal_;; ++journal_number_) {
    ELAPID_ASSIGN_OR_RETURN(auto journal,
                            Journal::open(path_of_journal(journal_number_), journal_number_));
    journal_.emplace(std::move(journal));
    if (!journal_->has_ended()) {
      return {};
    }
    ended_size_ += journal_->size();
  }
}

std::vector<std::string> WatchState::journals() const {
  std::vector<std::string> paths;
  for (std::uint64_t number = first_journal_; number <= journal_number_; ++number) {
    paths.push_back(path_of_journal(number));
  }
  return paths;
}

std::string WatchState::path_of_journal(std::uint64_t number) const {
  return directory_ + "/" + name_of_journal(number);
}

/// Creates a journal, and continues in it once it is on the disk.
Status WatchState::create_journal(std::uint64_t number) {
  ELAPID_ASSIGN_OR_RETURN(auto journal, Journal::create(path_of_journal(number), number));
  Status status = sync_directory(directory_);
  status = status.ok() && journal_ ? journal_->end() : status;
  journal_.reset();
  journal_.emplace(std::move(journal));
  journal_number_ = number;
  return status;
}

/// Removes journals from before the checkpoint, and those of a checkpoint that was not committed.
Status WatchState::remove_other_journals() const {
  ELAPID_ASSIGN_OR_RETURN(const auto numbers, numbers_of_journals(directory_));
  std::error_code failure;
  for (const std::uint64_t number : numbers) {
    if (number < first_journal_ || number > journal_number_) {
      std::filesystem::remove(path_of_journal(number), failure);
    }
    if (failure) {
      return cannot("removed", failure, path_of_journal(number));
    }
  }
  return {};
}

Result<WatchState::Checkpoint> WatchState::begin_checkpoint() {
  Status status = events_->sync();
  status = status.ok() ? create_journal(journal_number_ + 1) : status;
  return status.ok() ? Result<Checkpoint>(Checkpoint{journal_number_, events_->mark()})
                     : Result<Checkpoint>(status.error());
}

Status WatchState::commit_checkpoint(const Checkpoint& checkpoint, std::string_view saved) {
  store_->put(kCheck, saved);
  store_->put(kEventMark, encode(checkpoint.events));
  Status status = commit(checkpoint.journal);
  std::error_code failure;
  for (; status.ok() && first_journal_ < checkpoint.journal; ++first_journal_) {
    std::filesystem::remove(path_of_journal(first_journal_), failure);
  }
  return failure ? Status(cannot("tidied up", failure, directory_)) : status;
}

Status WatchState::commit(std::uint64_t journal_number) {
  store_->put(kJournalNumber, std::to_string(journal_number));
  store_->commit();
  return store_->status();
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

std::string error_count_line(std::uint64_t count) {
  return std::string(kErrorCount) + std::to_string(count) + "\n";
}

std::optional<std::uint64_t> find_error_count(std::string_view line) {
  if (!line.starts_with(kErrorCount)) {
    return std::nullopt;
  }
  line.remove_prefix(kErrorCount.size());
  return take_number<std::uint64_t>(line);
}

std::string encode(const AtomTable& atoms, std::size_t entries) {
  ByteWriter out;
  for (std::size_t i = 0; i < entries; ++i) {
    const AtomTable::Entry& entry = atoms.entries()[i];
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
