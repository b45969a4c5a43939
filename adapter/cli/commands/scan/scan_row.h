// The check of one of a scan's inputs.
#pragma once

#include <string>

#include "adapter/cli/commands/scan/scan_request.h"
#include "adapter/cli/commands/scan/scan_table.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/progress.h"

namespace elapid {

/// Checks the histories of one file, at each asked level. Messages about its evidence go into the
/// report.
[[nodiscard]] ScanRow scan_row(const Scan& scan, const std::string& path, Progress& progress,
                               Report& report);

}  // namespace elapid
