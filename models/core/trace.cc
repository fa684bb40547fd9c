// SPDX-License-Identifier: MIT
#include "models/core/trace.h"

#include <fmt/format.h>

#include <cerrno>

#include "base/file.h"

namespace hcq::models {

Result<std::unique_ptr<TraceFile>> TraceFile::create(const std::string& path) {
  std::FILE* f = std::fopen(path.c_str(), "we");
  if (!f) return errno_error(errno, "create", path);
  return std::unique_ptr<TraceFile>(new TraceFile(f));
}

TraceFile::~TraceFile() { std::fclose(file_); }

void TraceFile::line(std::string_view op, std::string_view fields, bool flush) {
  const std::lock_guard lock(mutex_);
  const double t = std::chrono::duration<double>(Clock::now() - start_).count();
  fmt::print(file_, "{{\"t\":{:.6f},\"op\":\"{}\"{}{}}}\n", t, op, fields.empty() ? "" : ",", fields);
  if (flush) std::fflush(file_);
}

std::string TraceFile::quoted(std::string_view text) {
  std::string s = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') s += '\\';
    if (static_cast<unsigned char>(c) < 0x20) s += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else s += c;
  }
  return s + '"';
}

RecordedDevice::RecordedDevice(std::shared_ptr<Device> device, std::unique_ptr<TraceFile> trace)
    : device_(std::move(device)), trace_(std::move(trace)) {
  listener_ = device_->referee().add_listener([this](const Violation& v) {
    trace_->line("violation",
                 fmt::format(R"("rule":{},"where":{},"value":"{:#x}","text":{})", TraceFile::quoted(v.rule),
                             TraceFile::quoted(v.where), v.value, TraceFile::quoted(v.text)),
                 true);
  });
}

RecordedDevice::~RecordedDevice() { device_->referee().remove_listener(listener_); }

void RecordedDevice::plug(HostPort* port) {
  trace_->line("plug", "");
  port_.store(port, std::memory_order_release);
  device_->plug(this);
}

void RecordedDevice::unplug() {
  device_->unplug();
  port_.store(nullptr, std::memory_order_release);
  trace_->line("unplug", "", true);
}

void RecordedDevice::access(std::string_view op, unsigned bar, std::uint64_t offset, unsigned size,
                            std::uint64_t value) {
  const std::string name = device_->describe(bar, offset);
  trace_->line(op, fmt::format(R"("bar":{},"offset":"{:#x}","size":{},"value":"{:#x}"{}{})", bar, offset, size, value,
                               name.empty() ? "" : R"(,"name":)", name.empty() ? "" : TraceFile::quoted(name)));
}

void RecordedDevice::block(std::string_view op, unsigned bar, std::uint64_t offset, Bytes data) {
  trace_->line(
      op, fmt::format(R"("bar":{},"offset":"{:#x}","bytes":{},"hash":"{:#x}")", bar, offset, data.size(), fnv1a(data)));
}

std::uint32_t RecordedDevice::config_read(std::uint16_t offset, unsigned size) {
  const std::uint32_t v = device_->config_read(offset, size);
  trace_->line("config_read", fmt::format(R"("offset":"{:#x}","size":{},"value":"{:#x}")", offset, size, v));
  return v;
}

void RecordedDevice::config_write(std::uint16_t offset, unsigned size, std::uint32_t value) {
  trace_->line("config_write", fmt::format(R"("offset":"{:#x}","size":{},"value":"{:#x}")", offset, size, value));
  device_->config_write(offset, size, value);
}

std::uint64_t RecordedDevice::read(unsigned bar, std::uint64_t offset, unsigned size) {
  const std::uint64_t v = device_->read(bar, offset, size);
  access("read", bar, offset, size, v);
  return v;
}

// Writes are noted before they happen: what they cause comes after them in the trace.
void RecordedDevice::write(unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value) {
  access("write", bar, offset, size, value);
  device_->write(bar, offset, size, value);
}

void RecordedDevice::read_block(unsigned bar, std::uint64_t offset, MutableBytes out) {
  device_->read_block(bar, offset, out);
  block("read_block", bar, offset, out);
}

void RecordedDevice::write_block(unsigned bar, std::uint64_t offset, Bytes in) {
  block("write_block", bar, offset, in);
  device_->write_block(bar, offset, in);
}

bool RecordedDevice::resize_bar(unsigned bar, unsigned log2_mib) {
  const bool ok = device_->resize_bar(bar, log2_mib);
  trace_->line("resize", fmt::format(R"("bar":{},"log2_mib":{},"ok":{})", bar, log2_mib, ok));
  return ok;
}

void RecordedDevice::function_reset() {
  trace_->line("reset", "", true);
  device_->function_reset();
}

std::byte* RecordedDevice::translate(std::uint64_t bus, std::size_t size, bool write) {
  HostPort* port = port_.load(std::memory_order_acquire);
  std::byte* p = port ? port->translate(bus, size, write) : nullptr;
  trace_->line("dma", fmt::format(R"("bus":"{:#x}","size":{},"write":{},"ok":{})", bus, size, write, p != nullptr));
  return p;
}

std::uint64_t RecordedDevice::generation() const {
  HostPort* port = port_.load(std::memory_order_acquire);
  return port ? port->generation() : 0;
}

void RecordedDevice::interrupt(unsigned vector) {
  trace_->line("interrupt", fmt::format(R"("vector":{})", vector));
  if (HostPort* port = port_.load(std::memory_order_acquire)) port->interrupt(vector);
}

}  // namespace hcq::models
