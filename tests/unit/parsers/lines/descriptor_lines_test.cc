#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "parsers/lines/descriptor_lines.h"
#include "parsers/lines/line_source.h"
#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

using namespace std::chrono_literals;

/// `LINE@OFFSET text`, with `|` for newlines and `.` at the end of the input; or an error.
std::string next(LineSource& source, std::chrono::milliseconds patience = 20ms) {
  const Result<Lines> lines = source.next(patience);
  if (!lines) {
    return lines.error().to_string();
  }
  std::string text(lines.value().text);
  std::replace(text.begin(), text.end(), '\n', '|');
  return std::to_string(lines.value().first_line) + "@" + std::to_string(lines.value().offset) +
         " " + text + (lines.value().has_ended ? "." : "");
}

void append(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::app | std::ios::binary) << text;
}

TEST_CASE("a file is waited for to grow, by whole lines") {
  const TemporaryFolder folder;
  const std::string path = folder.write("log", "a\nb\nc");
  const auto source = std::move(open_line_source(path)).value();
  CHECK(source->name() == path);
  CHECK(next(*source) == "1@0 a|b|");
  CHECK(next(*source) == "3@4 ");
  append(path, "d");
  CHECK(next(*source) == "3@4 ");
  append(path, "\ne");
  CHECK(next(*source) == "3@4 cd|");
  CHECK(next(*source, 0ms) == "4@7 ");
  std::thread writer([&path] {
    std::this_thread::sleep_for(30ms);
    append(path, "f\n");
  });
  CHECK(next(*source, 10s) == "4@7 ef|");
  writer.join();
  append(path, "\ng");
  source->finish();
  CHECK(next(*source) == "5@10 |");
  CHECK(next(*source) == "6@11 g.");
  CHECK(next(*source) == "6@12 .");
}

TEST_CASE("a file is not read for longer than the patience") {
  const TemporaryFolder folder;
  const auto source = std::move(open_line_source(folder.write("log", ""))).value();
  const auto begin = std::chrono::steady_clock::now();
  CHECK(next(*source, 50ms) == "1@0 ");
  const auto took = std::chrono::steady_clock::now() - begin;
  CHECK(took >= 49ms);
  CHECK(took < 5s);
  CHECK(next(*source, -5ms) == "1@0 ");
}

TEST_CASE("large files come in large pieces, each of whole lines") {
  const TemporaryFolder folder;
  std::string text;
  while (text.size() < 5'000'000) {
    text += std::string(text.size() % 977, 'x') + "\n";
  }
  const auto source = std::move(open_line_source(folder.write("log", text))).value();
  source->finish();
  std::string all;
  std::uint64_t line = 1;
  std::size_t pieces = 0;
  for (bool has_ended = false; !has_ended; ++pieces) {
    const Lines lines = source->next(20ms).value();
    REQUIRE(lines.offset == all.size());
    REQUIRE(lines.first_line == line);
    REQUIRE((lines.text.empty() || lines.text.back() == '\n'));
    all += lines.text;
    line += static_cast<std::uint64_t>(std::count(lines.text.begin(), lines.text.end(), '\n'));
    has_ended = lines.has_ended;
  }
  CHECK(all == text);
  CHECK(pieces < 10);
}

TEST_CASE("a file that is cut short is an error") {
  const TemporaryFolder folder;
  const std::string path = folder.write("log", "a\nb\n");
  const auto source = std::move(open_line_source(path)).value();
  CHECK(next(*source) == "1@0 a|b|");
  std::filesystem::resize_file(path, 2);
  const Result<Lines> lines = source->next(20ms);
  REQUIRE_FALSE(lines);
  CHECK(lines.error().kind == ErrorKind::kUnreadable);
  CHECK(lines.error().to_string() == path + ": was cut short: it has 2 bytes, and 4 were read");
}

TEST_CASE("a line that is too long is an error, and the next one is read") {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("log", "ab\n" + std::string(3'000'000, 'x') + "\ncd\n" + "0123456789");
  const auto source = std::move(open_line_source(path, 8)).value();
  source->finish();
  CHECK(next(*source) == "1@0 ab|");
  CHECK(next(*source) ==
        path + ":2:1: expected a line of no more than 8 bytes, found a longer one");
  CHECK(next(*source) == "3@3000004 cd|");
  CHECK(next(*source) ==
        path + ":4:1: expected a line of no more than 8 bytes, found a longer one");
  CHECK(next(*source) == "5@3000017 .");
}

TEST_CASE("lines of what cannot be followed are an error") {
  const TemporaryFolder folder;
  const auto kind = [](const std::string& where) { return open_line_source(where).error().kind; };
  CHECK(kind((folder.path() / "none").string()) == ErrorKind::kUnreadable);
  CHECK(kind(folder.path().string()) == ErrorKind::kUnreadable);
}

struct Pipe {
  Pipe() {
    std::array<int, 2> ends = {};
    REQUIRE(::pipe(ends.data()) == 0);
    source = std::make_unique<DescriptorLines>("pipe", FileDescriptor(ends[0]), false, 100);
    input = ends[1];
  }

  void write(std::string_view text) const {
    REQUIRE(::write(input, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }

  std::unique_ptr<LineSource> source;
  int input = -1;
};

TEST_CASE("a pipe is read to its end, with an unfinished line there") {
  const Pipe pipe;
  CHECK(next(*pipe.source) == "1@0 ");
  pipe.write("a\nb");
  CHECK(next(*pipe.source) == "1@0 a|");
  CHECK(next(*pipe.source) == "2@2 ");
  pipe.write("c\nd");
  CHECK(next(*pipe.source, 10s) == "2@2 bc|");
  ::close(pipe.input);
  CHECK(next(*pipe.source, 10s) == "3@5 d.");
  CHECK(next(*pipe.source, 10s) == "3@6 .");
}

TEST_CASE("a pipe that is to be finished is read as far as it is filled") {
  const Pipe pipe;
  pipe.write("a\nb");
  pipe.source->finish();
  CHECK(next(*pipe.source, 10s) == "1@0 a|");
  CHECK(next(*pipe.source, 10s) == "2@2 b.");
  ::close(pipe.input);
}

TEST_CASE("a named pipe that no process has opened yet has not ended") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "pipe").string();
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const auto source = std::move(open_line_source(path)).value();
  CHECK(next(*source) == "1@0 ");
  std::ofstream(path) << "a\nb";
  CHECK(next(*source, 10s) == "1@0 a|");
  CHECK(next(*source, 10s) == "2@2 b.");
}

void ignore(int /*signal*/) {}

TEST_CASE("a signal ends the wait") {
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = ignore;
  sigemptyset(&action.sa_mask);
  REQUIRE(sigaction(SIGUSR1, &action, &before) == 0);
  const TemporaryFolder folder;
  const Pipe pipe;
  const auto file = std::move(open_line_source(folder.write("log", ""))).value();
  for (LineSource* source : {pipe.source.get(), file.get()}) {
    const pthread_t self = ::pthread_self();
    // A signal before the wait would not end it: there is one again until the wait is over.
    std::atomic<bool> is_over = false;
    std::thread alarm([self, &is_over] {
      while (!is_over) {
        ::pthread_kill(self, SIGUSR1);
        std::this_thread::sleep_for(1ms);
      }
    });
    const auto begin = std::chrono::steady_clock::now();
    CHECK(next(*source, 200s) == "1@0 ");
    CHECK(std::chrono::steady_clock::now() - begin < 100s);
    is_over = true;
    alarm.join();
  }
  ::close(pipe.input);
  sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace elapid
