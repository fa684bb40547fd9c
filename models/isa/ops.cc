// SPDX-License-Identifier: MIT
#include "models/isa/ops.h"

#include <cassert>
#include <unordered_map>

namespace hcq::models::isa {
namespace {

using Table = std::unordered_map<std::string_view, Handler>;

Table make_table() {
  Table table;
  for (auto ops : {control_ops(), salu_ops(), salu_mask_ops(), smem_ops(), valu_integer_ops(), valu_float_ops(),
                   valu_convert_ops(), valu_divide_ops(), valu_half_ops(), valu_packed_ops(), matrix_ops(), lane_ops(),
                   global_ops(), atomic_ops(), buffer_ops(), lds_ops()}) {
    for (const auto& op : ops) {
      [[maybe_unused]] const bool fresh = table.emplace(op.mnemonic, op.handler).second;
      assert(fresh && "a mnemonic stands in two tables");
    }
  }
  return table;
}

}  // namespace

Handler find_handler(std::string_view mnemonic) {
  static const Table table = make_table();
  const auto found = table.find(mnemonic);
  return found != table.end() ? found->second : find_compare(mnemonic);
}

}  // namespace hcq::models::isa
