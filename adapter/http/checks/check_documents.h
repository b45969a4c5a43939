// Jobs as documents, in JSON or EDN.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapter/elle/document_writer.h"
#include "adapter/http/checks/job.h"
#include "adapter/http/routes.h"

namespace elapid::http {

/// Further facts for the document of a job.
struct JobFacts {
  std::optional<std::int64_t> position = {};  ///< of jobs that wait before it
  std::int64_t now = 0;                       ///< milliseconds since 1970
  std::string result = {};  ///< its result map, as EDN; empty: no map, or not asked
};

/// The form of an answer by the header Accept: JSON, unless EDN comes first. Nothing if neither is
/// accepted.
[[nodiscard]] std::optional<Syntax> syntax_accepted(const std::string& accept);

[[nodiscard]] std::string content_type(Syntax syntax);

[[nodiscard]] std::string job_document(const Job& job, const JobFacts& facts, Syntax syntax);

/// `next`: the address of the next page; empty if there is none.
[[nodiscard]] std::string list_document(const std::vector<Job>& jobs, const std::string& next,
                                        std::int64_t now, Syntax syntax);

/// The files of a check's evidence, by their paths.
[[nodiscard]] std::string evidence_document(const Job& job, const std::vector<std::string>& paths,
                                            Syntax syntax);

/// Adds the schemas of these documents: Check, Checks, Evidence.
void add_check_schemas(RouteTable& routes);

/// Text for one component or the query of an address (RFC 3986).
[[nodiscard]] std::string percent_encoded(std::string_view text, bool keep_slashes = false);

}  // namespace elapid::http
