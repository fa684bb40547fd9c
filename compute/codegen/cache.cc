// SPDX-License-Identifier: MIT
#include "compute/codegen/cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "base/log.h"

namespace hcq::compute::codegen {
namespace {

// File: Header, key, object.
struct Header {
  std::uint64_t magic;
  std::uint64_t key_bytes, object_bytes;
  std::uint64_t checksum;  // FNV-1a of key and object
};
constexpr std::uint64_t kMagic = 0x3130'4b4e'5251'4348;  // changes with the layout
constexpr std::uint64_t kLimit = 64ull << 20;

std::uint64_t checksum(Bytes key, Bytes object) { return fnv1a(object, fnv1a(key)); }

}  // namespace

std::string kernel_key(const ir::Kernel& kernel, const Target& target) {
  return fmt::format("{:016x}|{}|{}", kernel.hash(), kernel.name, target.key());
}

std::optional<std::vector<std::byte>> MemoryCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto it = objects_.find(key);
  if (it == objects_.end()) return std::nullopt;
  return it->second;
}

void MemoryCache::put(const std::string& key, Bytes object) {
  const std::lock_guard lock(mutex_);
  objects_.insert_or_assign(key, std::vector<std::byte>(object.begin(), object.end()));
}

std::string DiskCache::default_directory() {
  if (const char* d = std::getenv("HCQ_CACHE")) return d;
  if (const char* d = std::getenv("XDG_CACHE_HOME"); d && *d) return std::string(d) + "/hcq";
  if (const char* d = std::getenv("HOME"); d && *d) return std::string(d) + "/.cache/hcq";
  return {};
}

std::string DiskCache::path_of(const std::string& key) const {
  return fmt::format("{}/{:016x}.kernel", directory_, fnv1a(std::as_bytes(std::span(key))));
}

std::optional<std::vector<std::byte>> DiskCache::find(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  const std::string path = path_of(key);
  if (!path_exists(path)) return std::nullopt;
  const auto parse = [&]() -> Result<std::vector<std::byte>> {
    const auto file = HCQ_TRY(read_file(path, kLimit));
    const ByteReader reader(file, path);
    const auto h = HCQ_TRY(reader.get<Header>(0));
    const auto bad = [&](const char* what) {
      return Error{.code = Errc::corrupt, .operation = "cache", .subject = path, .detail = what};
    };
    if (h.magic != kMagic) return bad("not a cache file of this version");
    if (h.key_bytes > kLimit || h.object_bytes > kLimit || sizeof(Header) + h.key_bytes + h.object_bytes != file.size())
      return bad("wrong size");
    const Bytes stored_key = HCQ_TRY(reader.slice(sizeof(Header), h.key_bytes));
    const Bytes object = HCQ_TRY(reader.slice(sizeof(Header) + h.key_bytes, h.object_bytes));
    if (h.checksum != checksum(stored_key, object)) return bad("wrong checksum");
    if (h.key_bytes != key.size() || std::memcmp(stored_key.data(), key.data(), key.size()) != 0)
      return bad("belongs to another kernel");
    return std::vector<std::byte>(object.begin(), object.end());
  };
  auto object = parse();
  if (object) return std::move(*object);
  log::warn("ignored: {}", describe(object.error()));
  return std::nullopt;
}

void DiskCache::put(const std::string& key, Bytes object) const {
  if (directory_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(directory_, ignored);
  const Bytes key_bytes = std::as_bytes(std::span(key));
  const Header h{kMagic, key.size(), object.size(), checksum(key_bytes, object)};
  const auto* raw = reinterpret_cast<const std::byte*>(&h);
  std::vector<std::byte> file(raw, raw + sizeof(h));
  file.insert(file.end(), key_bytes.begin(), key_bytes.end());
  file.insert(file.end(), object.begin(), object.end());
  if (auto s = replace_file(path_of(key), file); !s) log::debug("cache: {}", describe(s.error()));
}

}  // namespace hcq::compute::codegen
