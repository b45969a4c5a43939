#include "parsers/bytes/byte_source.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

std::string sample_bytes(std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; bytes.size() < size; ++i) {
    bytes += "line " + std::to_string(i * i) + '\n';
  }
  bytes.resize(size);
  return bytes;
}

std::string gzip(const std::string& bytes) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string input = bytes;
  std::string out(compressBound(input.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

/// All that is left to read, or the message of an error.
std::string read_all(ByteSource& source, std::size_t piece = 1000) {
  std::string out;
  std::string buffer(piece, '\0');
  while (true) {
    const Result<std::size_t> count = source.read(buffer);
    if (!count) {
      return count.error().message;
    }
    if (count.value() == 0) {
      return out;
    }
    out.append(buffer, 0, count.value());
  }
}

std::string read_file(const std::string& bytes) {
  const TemporaryFile file(bytes);
  auto source = open_source(file.path());
  REQUIRE(source.ok());
  return read_all(*source.value());
}

/// Reads, rereads and reads once more.
void check_source(ByteSource& source, const std::string& expected) {
  CHECK(read_all(source) == expected);
  std::array<char, 100> buffer;
  const Result<std::size_t> count = source.reread(expected.size() - 60, buffer);
  REQUIRE(count.ok());
  CHECK(std::string(buffer.data(), count.value()) == expected.substr(expected.size() - 60));
  CHECK(source.reread(expected.size() + 1, buffer).value() == 0);
  REQUIRE(source.rewind().ok());
  CHECK(read_all(source, 7777) == expected);
}

TEST_CASE("a file is read and reread and rewound") {
  const std::string bytes = sample_bytes(300'000);
  const TemporaryFile file(bytes);
  auto source = open_source(file.path());
  REQUIRE(source.ok());
  CHECK(source.value()->name() == file.path());
  CHECK(source.value()->total() == bytes.size());
  check_source(*source.value(), bytes);
  CHECK(source.value()->consumed() == bytes.size());
}

TEST_CASE("memory is read and reread and rewound") {
  const std::string bytes = sample_bytes(5000);
  check_source(*memory_source("memory", bytes), bytes);
}

TEST_CASE("gzip and zstd are seen through") {
  const std::string bytes = sample_bytes(700'000);
  for (const std::string& compressed : {gzip(bytes), zstd(bytes)}) {
    const TemporaryFile file(compressed);
    auto source = open_source(file.path());
    REQUIRE(source.ok());
    CHECK(source.value()->total() == compressed.size());
    check_source(*source.value(), bytes);
    CHECK(source.value()->consumed() == compressed.size());
  }
}

TEST_CASE("a rewind in the middle loses nothing of a pipe or a compressed file") {
  const std::string bytes = sample_bytes(100'000);
  const TemporaryFile file(gzip(bytes));
  auto source = open_source(file.path());
  REQUIRE(source.ok());
  std::string head(1234, '\0');
  REQUIRE(source.value()->read(head).ok());
  REQUIRE(source.value()->rewind().ok());
  CHECK(read_all(*source.value()) == bytes);
}

TEST_CASE("concatenated members and frames are one input") {
  CHECK(read_file(gzip("one ") + gzip("two ") + std::string(512, '\0')) == "one two ");
  CHECK(read_file(gzip("") + gzip("x")) == "x");
  CHECK(read_file(zstd("one ") + zstd("") + zstd("two")) == "one two");
}

TEST_CASE("compressed data that ends early is an error") {
  const std::string bytes = sample_bytes(2000);
  const std::string gz = gzip(bytes);
  for (std::size_t length = 4; length < gz.size(); ++length) {
    CHECK(read_file(gz.substr(0, length)) == "the gzip data is cut short");
  }
  const std::string zst = zstd(bytes);
  for (std::size_t length = 5; length < zst.size(); ++length) {
    CHECK(read_file(zst.substr(0, length)) == "the zstd data is cut short");
  }
}

TEST_CASE("damaged compressed data is an error") {
  CHECK(read_file(gzip("x") + "garbage").starts_with("the gzip data is damaged"));
  CHECK(read_file(zstd("x") + "garbage").starts_with("the zstd data is damaged"));
  std::string gz = gzip(sample_bytes(5000));
  gz[gz.size() / 2] = static_cast<char>(gz[gz.size() / 2] ^ 0x55);
  CHECK(read_file(gz).starts_with("the gzip data is damaged"));
}

TEST_CASE("a pipe is spilled") {
  const std::string bytes = sample_bytes(500'000);
  for (const std::string& sent : {bytes, zstd(bytes)}) {
    std::array<int, 2> ends;
    REQUIRE(::pipe(ends.data()) == 0);
    std::thread writer([&sent, fd = ends[1]] {
      for (std::size_t done = 0; done < sent.size();) {
        const ssize_t count = ::write(fd, sent.data() + done, sent.size() - done);
        done += count > 0 ? static_cast<std::size_t>(count) : sent.size();
      }
      ::close(fd);
    });
    {
      auto source = open_source("/dev/fd/" + std::to_string(ends[0]));
      REQUIRE(source.ok());
      CHECK(source.value()->total() == 0);
      check_source(*source.value(), bytes);
    }
    ::close(ends[0]);
    writer.join();
  }
}

TEST_CASE("standard input is read through its own position") {
  const std::string bytes = sample_bytes(1000);
  const TemporaryFile file(bytes);
  const int saved = ::dup(STDIN_FILENO);
  const int fd = ::open(file.path().c_str(), O_RDONLY);
  REQUIRE(::dup2(fd, STDIN_FILENO) == STDIN_FILENO);
  {
    auto source = open_source("-");
    REQUIRE(source.ok());
    CHECK(source.value()->name() == "-");
    check_source(*source.value(), bytes);
  }
  REQUIRE(::dup2(saved, STDIN_FILENO) == STDIN_FILENO);
  ::close(saved);
  ::close(fd);
}

TEST_CASE("empty and tiny files are read") {
  for (const std::string bytes : {"", "x", "\x1f", "\x28\xb5\x2f"}) {
    CHECK(read_file(bytes) == bytes);
  }
}

TEST_CASE("what cannot be opened is unreadable") {
  const auto missing = open_source("/tmp/elapid-no-such-file");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().kind == ErrorKind::kUnreadable);
  CHECK(missing.error().to_string() ==
        "/tmp/elapid-no-such-file: cannot be opened: No such file or directory");
  const auto folder = open_source("/tmp");
  REQUIRE_FALSE(folder.ok());
  CHECK(folder.error().to_string() == "/tmp: is a directory");
}

TEST_CASE("lines and columns are counted in any order") {
  const auto source = memory_source("test", "ab\ncd\n\nefg");
  const auto position = [&source](std::uint64_t offset) {
    const LineColumn at = source->line_column(offset);
    return std::to_string(at.line) + ':' + std::to_string(at.column);
  };
  CHECK(position(0) == "1:1");
  CHECK(position(2) == "1:3");
  CHECK(position(3) == "2:1");
  CHECK(position(9) == "4:3");
  CHECK(position(7) == "4:1");
  CHECK(position(6) == "3:1");
  CHECK(position(4) == "2:2");
  CHECK(position(10) == "4:4");
}

}  // namespace
}  // namespace elapid
