// SPDX-License-Identifier: MIT
// .safetensors files: a 64-bit header length, a JSON object {name: {dtype, shape, data_offsets: [begin, end]}}, then
// the data (the safetensors format description, section "Format").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "compute/io/array.h"

namespace hcq::compute::io {

class SafeTensors {
 public:
  struct Entry {
    std::string name;
    std::string dtype_name;          // "F32", "BF16", ... as in the file
    std::optional<ir::DType> dtype;  // nothing for types that hcq does not have; such a tensor can be listed, not read
    Shape shape;
    std::uint64_t begin = 0, end = 0;  // in the data part
  };

  // Checks everything at once: header of at most 100 MB that is valid JSON without duplicate names, extents and offsets
  // in range, byte counts that match the shapes, tensors that cover the data without overlaps or holes. Errc::corrupt
  // otherwise. `file` must stay alive; open() maps it and keeps it.
  static Result<SafeTensors> parse(Bytes file, const std::string& subject);
  static Result<SafeTensors> open(const std::string& path);

  const std::vector<Entry>& entries() const { return entries_; }  // in the order of their data
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const Entry* find(const std::string& name) const;

  // The bytes in place, and a copy. Errc::not_found lists the names there are.
  Result<Bytes> data(const std::string& name) const;
  Result<Array> read(const std::string& name) const;

 private:
  std::string subject_;
  Mapping mapping_;  // empty for parse()
  Bytes data_;
  std::vector<Entry> entries_;
  std::map<std::string, std::string> metadata_;
};

struct Named {
  std::string name;
  Array array;
};
Result<std::vector<std::byte>> format_safetensors(const std::vector<Named>& tensors,
                                                  const std::map<std::string, std::string>& metadata = {});
Status write_safetensors(const std::string& path, const std::vector<Named>& tensors,
                         const std::map<std::string, std::string>& metadata = {});

}  // namespace hcq::compute::io
