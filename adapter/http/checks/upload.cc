#include "adapter/http/checks/upload.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <httplib.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>

#include "adapter/report/sha256.h"
#include "engine/ir/integer_text.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid::http {
namespace {

using Clock = std::chrono::steady_clock;

/// Bytes of a refused body that are still read. A client that sends the whole body before it
/// listens gets the answer.
constexpr std::size_t kMostDropped = std::size_t{4} << 20;

Problem too_large(std::uint64_t limit) {
  return {413, fmt::format("A history has at most {} bytes here.", limit)};
}

/// Writes the received bytes to the file, until something is wrong.
class Receiver {
 public:
  Receiver(FileDescriptor fd, const UploadLimits& limits)
      : fd_(std::move(fd)), limits_(limits), until_(Clock::now() + limits.time) {}

  bool take(std::string_view bytes) {
    if (problem_) {
      return (dropped_ += bytes.size()) <= kMostDropped;
    }
    upload_.bytes += bytes.size();
    if (upload_.bytes > limits_.bytes) {
      problem_ = too_large(limits_.bytes);
    } else if (Clock::now() > until_) {
      is_late_ = true;
      problem_ =
          Problem{408, fmt::format("A history must come within {} seconds.", limits_.time.count())};
    } else {
      digest_.add(bytes);
      write(bytes);
    }
    return !is_late_;
  }

  std::variant<Upload, Problem> finish() {
    if (!problem_ && ::fdatasync(fd_.get()) != 0) {
      note_failure();
    }
    if (problem_) {
      return *problem_;
    }
    upload_.digest = in_hex(digest_.finish());
    return upload_;
  }

  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

 private:
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) {
        return note_failure();
      }
      bytes.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
  }

  void note_failure() {
    const bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    problem_ = is_full ? Problem{507, "The disk of the service is full: nothing was accepted."}
                       : Problem{500, "The history could not be written to the disk."};
  }

  FileDescriptor fd_;
  const UploadLimits& limits_;
  Clock::time_point until_;
  Sha256 digest_ = {};
  Upload upload_ = {};
  std::optional<Problem> problem_ = {};
  bool is_late_ = false;
  std::size_t dropped_ = 0;
};

/// The size that the headers announce; nothing if it is not known before the end.
std::variant<std::optional<std::uint64_t>, Problem> announced(const httplib::Request& request) {
  if (request.get_header_value("Transfer-Encoding") == "chunked") {
    if (request.has_header("Content-Length")) {
      return Problem{400, "A body that is chunked has no Content-Length."};
    }
    return std::nullopt;
  }
  if (request.get_header_value_count("Content-Length") != 1) {
    return Problem{411, "The request must say the length of its body."};
  }
  const auto length = integer_of<std::uint64_t>(request.get_header_value("Content-Length"));
  if (!length) {
    return Problem{400, "The header Content-Length must be a number of bytes."};
  }
  return length;
}

/// Whether the whole body was received. A second file in a form is a problem.
bool read_body(const Call& call, Receiver& receiver, std::optional<Problem>& problem) {
  const auto take = [&](const char* bytes, std::size_t size) {
    return receiver.take({bytes, size});
  };
  if (!call.request.is_multipart_form_data()) {
    return call.body(take);
  }
  int files = 0;
  const bool is_whole = call.body(
      [&](const httplib::MultipartFormData&) {
        if (++files > 1) {
          problem = Problem{400, "A form must have one file, the history; this one has more."};
        }
        return files == 1;
      },
      take);
  if (is_whole && files == 0) {
    problem = Problem{400, "A form must have one file, the history; this one has none."};
  }
  return is_whole && files == 1;
}

std::variant<Upload, Problem> receive_into(const Call& call, FileDescriptor fd,
                                           const UploadLimits& limits) {
  Receiver receiver(std::move(fd), limits);
  std::optional<Problem> problem;
  const bool is_whole = read_body(call, receiver, problem);
  if (problem || receiver.problem()) {
    return problem ? *problem : *receiver.problem();
  }
  if (!is_whole) {
    return call.request.has_header("Content-Encoding")
               ? Problem{415,
                         "The body is not what its Content-Encoding says; gzip and br are "
                         "known, and compressed histories need none."}
               : Problem{400, "The body did not come to its end."};
  }
  return receiver.finish();
}

}  // namespace

std::variant<Upload, Problem> receive(const Call& call, const std::string& path,
                                      const UploadLimits& limits) {
  const auto length = announced(call.request);
  if (const Problem* problem = std::get_if<Problem>(&length)) {
    return *problem;
  }
  if (std::get<0>(length).value_or(0) > limits.bytes) {
    discard_body(call, kMostDropped);
    return too_large(limits.bytes);
  }
  FileDescriptor fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd.is_open()) {
    return errno == ENOSPC ? Problem{507, "The disk of the service is full: nothing was accepted."}
                           : Problem{500, "The history could not be written to the disk."};
  }
  auto received = receive_into(call, std::move(fd), limits);
  if (std::holds_alternative<Problem>(received)) {
    ::unlink(path.c_str());
  }
  return received;
}

}  // namespace elapid::http
