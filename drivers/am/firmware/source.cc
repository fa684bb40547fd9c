// SPDX-License-Identifier: MIT
#include "drivers/am/firmware/source.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/file.h"
#include "base/log.h"

namespace hcq::am {

namespace {

// The largest file in the vendor's set has about 2 MiB.
constexpr std::uint64_t kMaxFileBytes = 64ull << 20;

class Directory : public FirmwareSource {
 public:
  explicit Directory(std::string path) : path_(std::move(path)) {}

  Result<std::optional<FirmwareFile>> find(const std::string& name) const override {
    for (const std::string& path : candidates(name)) {
      if (!path_exists(path)) continue;
      return std::optional(FirmwareFile{path, HCQ_TRY(read_file(path, kMaxFileBytes))});
    }
    for (const std::string& path : candidates(name))
      for (const auto& [suffix, tool] : {std::pair{".zst", "zstd -d"}, std::pair{".xz", "xz -dk"}})
        if (path_exists(path + suffix))
          return Error{.code = Errc::unsupported,
                       .operation = "firmware/load",
                       .subject = path + suffix,
                       .detail = "the file is there only in compressed form",
                       .hint = fmt::format("unpack it: {} {}{}", tool, path, suffix)};
    return std::optional<FirmwareFile>();
  }

  std::string describe(const std::string& name) const override {
    const auto c = candidates(name);
    return c[0] + ", " + c[1];
  }

 private:
  std::vector<std::string> candidates(const std::string& name) const {
    return {path_ + "/amdgpu/" + name, path_ + "/" + name};
  }
  std::string path_;
};

class Memory : public FirmwareSource {
 public:
  Memory(std::string label, std::map<std::string, std::vector<std::byte>> files)
      : label_(std::move(label)), files_(std::move(files)) {}

  Result<std::optional<FirmwareFile>> find(const std::string& name) const override {
    const auto it = files_.find(name);
    if (it == files_.end()) return std::optional<FirmwareFile>();
    return std::optional(FirmwareFile{label_ + "/" + name, it->second});
  }
  std::string describe(const std::string& name) const override { return label_ + "/" + name; }

 private:
  std::string label_;
  std::map<std::string, std::vector<std::byte>> files_;
};

}  // namespace

std::shared_ptr<const FirmwareSource> firmware_directory(std::string directory) {
  return std::make_shared<Directory>(std::move(directory));
}

std::shared_ptr<const FirmwareSource> firmware_memory(std::string label,
                                                      std::map<std::string, std::vector<std::byte>> files) {
  return std::make_shared<Memory>(std::move(label), std::move(files));
}

FirmwareSources firmware_chain(const FirmwareSources& from_caller) {
  FirmwareSources chain;
  if (const char* env = std::getenv("HCQ_FIRMWARE_PATH")) {
    std::string_view rest = env;
    while (!rest.empty()) {
      const std::size_t colon = rest.find(':');
      if (const std::string part(rest.substr(0, colon)); !part.empty()) {
        if (!path_exists(part)) log::warn("HCQ_FIRMWARE_PATH names {}, which does not exist", part);
        chain.push_back(firmware_directory(part));
      }
      rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
  }
  chain.insert(chain.end(), from_caller.begin(), from_caller.end());
  chain.push_back(firmware_directory("/lib/firmware"));
  chain.push_back(firmware_directory("/usr/lib/firmware"));
  return chain;
}

Result<FirmwareFile> load_firmware(const FirmwareSources& sources, const std::string& name) {
  std::string searched;
  for (const auto& source : sources) {
    auto file = HCQ_TRY(source->find(name));
    if (file) return std::move(*file);
    searched += (searched.empty() ? "" : ", ") + source->describe(name);
  }
  return Error{.code = Errc::not_found,
               .operation = "firmware/load",
               .subject = name,
               .detail = "searched " + (searched.empty() ? std::string("nowhere") : searched),
               .hint = "install the vendor's firmware files (Debian: firmware-amd-graphics) or set HCQ_FIRMWARE_PATH"};
}

}  // namespace hcq::am
