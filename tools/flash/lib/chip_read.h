// SPDX-License-Identifier: MIT
// Reading a chip so that one knows whether to believe it, and reading back what a job left on disk.
#pragma once

#include <string>
#include <vector>

#include "tools/flash/lib/writer.h"

namespace hcq::flash {

// The content after two reads; sectors in which they differ go to `unstable`.
Result<std::vector<std::byte>> read_both(spi::Nor& nor, const Progress& progress, std::vector<std::uint32_t>& unstable);

// The same, with any difference refused.
Result<std::vector<std::byte>> read_stable(spi::Nor& nor, const Progress& progress);

Error unstable_error(spi::Nor& nor, std::uint32_t sector);

Status erase_with_retries(spi::Nor& nor, std::uint32_t address);

// A file of a job, whose hash the journal knows.
Result<std::vector<std::byte>> read_job_file(const std::string& path, const std::string& sha256, std::uint64_t bytes);

}  // namespace hcq::flash
