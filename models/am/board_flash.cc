// SPDX-License-Identifier: MIT
#include "models/am/board_flash.h"

#include "base/log.h"

namespace hcq::models::am {

BoardFlash::BoardFlash(Registers& registers, Referee& referee, BoardFlashOptions options)
    : options_(std::move(options)),
      chip_(options_.chip, options_.now, referee),
      rom_(registers, referee, chip_, options_.now, options_.rom),
      mailbox_(registers, referee, chip_, options_.now, options_.rom.time_scale) {
  if (!options_.verdict) options_.verdict = [](Bytes content) { return boot_verdict(content); };
}

Status BoardFlash::use_file(const std::string& path, Bytes initial) {
  file_ = path;
  if (!path_exists(path)) {
    chip_.set_content(initial);
    return replace_file(path, initial);
  }
  const auto content = HCQ_TRY(read_file(path, chip_.options().bytes));
  if (content.size() != chip_.options().bytes)
    return Error{.code = Errc::invalid_argument,
                 .operation = "model/flash_file",
                 .subject = path,
                 .expected = chip_.options().bytes,
                 .actual = content.size(),
                 .detail = "the file has not the size of the flash chip"};
  chip_.set_content(content);
  return {};
}

void BoardFlash::save() {
  if (file_.empty()) return;
  const Status s = replace_file(file_, chip_.content());
  if (!s.ok()) log::error("model: {}", describe(s.error()));
}

void BoardFlash::power_on() {
  rom_.power_on();
  verdict_ = options_.verdict(chip_.content());
  rom_.set_gated(verdict_.boots);
  mailbox_.power_on(verdict_.boots, verdict_.partition);
}

void BoardFlash::power_cut() {
  chip_.cut_power();
  rom_.power_cut();
  save();
}

}  // namespace hcq::models::am
