// SPDX-License-Identifier: MIT
#include <cstdio>

#include "tools/cli/arguments.h"
#include "tools/cli/program.h"
#include "tools/flash/commands.h"

namespace {

using namespace hcq::flash;

constexpr const char* kAbout =
    "hcq-flash reads, checks and writes the firmware flash of Navi31 boards. Reading commands never send a "
    "write-enable; writing ones back up, verify, and can be resumed after a power loss.";

constexpr const char* kFooter =
    "Devices (--device): pci:0000:03:00.0, am:0, model:navi31 and options as in 'model:navi31?flash=corrupt'.\n"
    "Without --device reading commands take the only AMD display function there is.\n"
    "\n"
    "Two ways lead to the flash. On a board that did not start (empty or damaged flash) the raw engine of the ROM\n"
    "controller is available: info, read, dump, verify, flash. On a board that boots it is gated; reading goes "
    "through\n"
    "a window, and writing through the firmware: probe, ifwi-all. With amdgpu loaded the kernel's psp_vbflash does "
    "it.\n"
    "\n"
    "Examples:\n"
    "  hcq-flash info\n"
    "  hcq-flash dump before.bin\n"
    "  hcq-flash ifwi before.bin\n"
    "  hcq-flash flash new.bin --device pci:0000:03:00.0 --yes\n"
    "  hcq-flash flash --resume DIRECTORY --device pci:0000:03:00.0 --yes\n"
    "\n"
    "Exit codes: 0 done (verify, diff: equal; ifwi: nothing wrong), 1 failed or different, 2 wrong usage, 3 no such\n"
    "device or file, 4 refused for safety.\n";

void add_device(CLI::App* app, Common& c) {
  app->add_option("--device,-d", c.device, "Device address");
  app->add_option("--transport", c.transport, "How to reach it: auto, pci or usb")
      ->check(CLI::IsMember({"auto", "pci", "usb"}))
      ->capture_default_str();
  app->add_option("--prescale", c.prescale, "Clock divider of the raw engine; 15 is slowest")
      ->check(CLI::Range(0u, hcq::am::flash::kSlowestPrescale))
      ->capture_default_str();
  app->add_option("--rom-order", c.order, "Byte order of the window's registers: auto, natural or swapped")
      ->check(CLI::IsMember({"auto", "natural", "swapped"}))
      ->capture_default_str();
  app->add_flag("--quiet", c.quiet, "No progress bar");
  // For a copy of another machine's trees, and for tests.
  app->add_option("--sysfs", c.host.sysfs, "Where sysfs is")->capture_default_str()->group("Trees");
  app->add_option("--locks", c.host.lock_directory, "Where the lock files are")->capture_default_str()->group("Trees");
}

void add_write(CLI::App* app, WriteOptions& o) {
  app->add_flag("--yes", o.yes, "Write; without it the command checks everything and says what it would do");
  app->add_option("--accept", o.accept, "A finding about the image to accept, exactly as it was printed; repeatable")
      ->allow_extra_args(false);
  app->add_option("--state", o.state,
                  "Directory of this job: backup, image, journal (default: a new one, by board and time)");
}

int run(int argc, char** argv) {
  Common c;
  CLI::App app{kAbout, "hcq-flash"};
  app.footer(kFooter);
  const auto command = [&](const char* name, const char* about, bool device) {
    CLI::App* a = app.add_subcommand(name, about);
    a->footer(kFooter);
    a->add_flag("--json", c.json, "One JSON document on stdout");
    if (device) add_device(a, c);
    return a;
  };
  CLI::App* info_app = command("info", "The chip, its status registers and what they protect, the board's state", true);

  ReadOptions read_options;
  CLI::App* read_app = command("read", "Read a range, twice", true);
  read_app->add_option("OFFSET", read_options.address, "First byte, as 0x1000")->required();
  read_app->add_option("SIZE", read_options.size, "Number of bytes, as 4K")->required();
  read_app->add_option("--output,-o", read_options.output, "File for the bytes instead of a hex dump");

  std::string dump_file;
  CLI::App* dump_app = command("dump", "Read the whole flash, twice, into a file", true);
  dump_app->add_option("FILE", dump_file, "File to write")->required();

  VerifyOptions verify_options;
  CLI::App* verify_app = command("verify", "Compare the flash with an image", true);
  verify_app->add_option("IMAGE", verify_options.image, "Image file")->required();
  verify_app->add_flag("--after-update", verify_options.after_update,
                       "Accept what the firmware itself changes in an update by ifwi-all");

  WriteOptions flash_options;
  CLI::App* flash_app = command("flash", "Write an image through the raw engine", true);
  flash_app->add_option("IMAGE", flash_options.image, "Image file of exactly the chip's size");
  flash_app->add_option("--resume", flash_options.resume, "Go on with the job in this directory");
  flash_app->add_flag("--unprotect", flash_options.unprotect,
                      "Take write protection off while writing; the old registers are put back");
  add_write(flash_app, flash_options);

  std::string image, other;
  CLI::App* ifwi_app = command("ifwi", "Take an image file apart and check its sums", false);
  ifwi_app->add_option("IMAGE", image, "Image file")->required();

  bool after_update = false;
  CLI::App* diff_app = command("diff", "Compare two image files by their parts", false);
  diff_app->add_option("A", image, "Image file")->required();
  diff_app->add_option("B", other, "Image file")->required();
  diff_app->add_flag("--after-update", after_update, "B is the flash after ifwi-all wrote A");

  CLI::App* probe_app = command("probe", "Ask the firmware's mailbox for its state", true);

  WriteOptions update_options;
  CLI::App* update_app = command("ifwi-all", "Let the board's firmware take a whole image", true);
  update_app->add_option("IMAGE", update_options.image, "Image file")->required();
  add_write(update_app, update_options);

  for (const char* name : {"stream", "ifwi-step", "live-flash"})
    app.add_subcommand(name, "Disabled: this way of writing did not validate")->allow_extras();

  if (const auto code = hcq::cli::parse(app, argc, argv)) return *code;
  hcq::Result<int> result = kOk;
  if (*info_app) result = info(c);
  else if (*read_app) result = hcq::flash::read(c, read_options);
  else if (*dump_app) result = dump(c, dump_file);
  else if (*verify_app) result = verify(c, verify_options);
  else if (*flash_app) result = hcq::flash::flash(c, flash_options);
  else if (*ifwi_app) result = ifwi(c, image);
  else if (*diff_app) result = diff(c, image, other, after_update);
  else if (*probe_app) result = probe(c);
  else if (*update_app) result = ifwi_all(c, update_options);
  else result = disabled(app.get_subcommands()[0]->get_name());
  if (result.ok()) return *result;
  // Whoever reads JSON gets JSON.
  if (c.json) (void)print(nlohmann::json{{"error", error_json(result.error())}});
  tell("hcq-flash: " + hcq::describe(result.error()));
  return hcq::cli::exit_code(result.error());
}

}  // namespace

int main(int argc, char** argv) {
  return hcq::cli::run_program("hcq-flash", [&] { return run(argc, argv); });
}
