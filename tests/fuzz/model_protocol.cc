// SPDX-License-Identifier: MIT
// Fuzzes what a served model and its host do with bytes from the other side: cutting into messages, checks, and the
// bookkeeping of translations. The first byte chooses the sender.
#include <cstdint>
#include <cstdlib>

#include "models/core/shared_memory.h"
#include "models/served/channel.h"
#include "models/served/regions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hcq;
  using namespace hcq::models::served;
  static const Fd file = std::move(*models::sealed_memory("fuzz", 16 * kPageBytes));
  if (size == 0) return 0;
  const Side side = data[0] & 1 ? Side::host : Side::device;
  MessageReader reader;
  Regions regions;
  (void)regions.add({1, 0, 16 * kPageBytes}, file);
  std::byte* const begin = *regions.learn({0, 1, 0}, {0, 1, 0, 16 * kPageBytes, 0, kAccessRead | kAccessWrite, 0});
  reader.feed(std::as_bytes(std::span(data + 1, size - 1)));
  for (;;) {
    auto m = reader.next();
    if (!m.ok() || !*m) return 0;
    if (!check_message(**m, side).ok()) return 0;
    if ((*m)->error()) (void)error_of(**m, "fuzz");
    if ((*m)->type() == Type::invalidate && !(*m)->reply())
      regions.invalidate((*m)->as<Invalidate>().bus, (*m)->as<Invalidate>().size);
    if ((*m)->type() == Type::translate && (*m)->reply() && check_reply(**m, Type::translate, 0).ok() &&
        !(*m)->error()) {
      const auto p = regions.learn({0x1008, 8, 1}, (*m)->as<TranslateReply>());
      if (p.ok() && *p && (*p < begin || *p + 8 > begin + 16 * kPageBytes)) std::abort();
    }
  }
}
