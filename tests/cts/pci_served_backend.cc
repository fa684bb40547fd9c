// SPDX-License-Identifier: MIT
// The transport to a model in another process; here the server is in this one, and everything still goes through the
// socket.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>

#include "models/served/client.h"
#include "models/served/server.h"
#include "tests/cts/pci_function.h"
#include "tests/support/scratch_model.h"

namespace hcq::pci::cts {
namespace {

class ServedDevice final : public CtsDevice {
 public:
  ServedDevice() {
    static std::atomic<unsigned> number{0};
    const std::string path = fmt::format("/tmp/hcq_cts_{}_{}.sock", ::getpid(), number++);
    auto server = models::served::Server::start(path, "scratch", model_);
    EXPECT_TRUE(server.ok()) << describe(server.error());
    server_ = std::move(*server);
    auto f = models::served::connect("model:unix:" + path, path);
    EXPECT_TRUE(f.ok()) << describe(f.error());
    function_ = std::move(*f);
  }
  Function& function() override { return *function_; }
  unsigned scratch_bar() const override { return 0; }
  std::uint64_t scratch_offset() const override { return 0x100; }
  std::uint8_t capability() const override { return 0x05; }
  std::uint16_t extended_capability() const override { return 0x0003; }
  bool raise_interrupt() override {
    model_->port()->interrupt(0);
    return true;
  }
  const std::byte* at_bus_address(std::uint64_t address) override {
    return model_->port()->translate(address, 4096, false);
  }

 private:
  std::shared_ptr<models::test::ScratchModel> model_ = std::make_shared<models::test::ScratchModel>();
  std::unique_ptr<models::served::Server> server_;
  std::unique_ptr<Function> function_;
};

INSTANTIATE_TEST_SUITE_P(Served, PciFunctionTest,
                         ::testing::Values(PciBackend{"socket", [] { return std::make_unique<ServedDevice>(); }}),
                         backend_name);

}  // namespace
}  // namespace hcq::pci::cts
