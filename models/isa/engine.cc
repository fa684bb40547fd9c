// SPDX-License-Identifier: MIT
// The engine's front: worker threads that share the workgroups of a dispatch.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "models/isa/group.h"
#include "models/isa/isa.h"

namespace hcq::models::isa {
namespace {

// A dispatch in progress.
struct Job {
  Run run;
  std::shared_ptr<const Program> program;
  unsigned runners;  // threads that take part
  std::uint64_t groups;
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex{};
  Report report{};
};

void take_part(Job& job, GroupRunner& runner) {
  runner.prepare(job.run, job.program);
  const auto& size = job.run.dispatch.groups;
  for (;;) {
    const std::uint64_t index = job.next.fetch_add(1, std::memory_order_relaxed);
    if (index >= job.groups || job.failed.load(std::memory_order_relaxed)) return;
    const std::uint32_t group[3] = {static_cast<std::uint32_t>(index % size[0]),
                                    static_cast<std::uint32_t>(index / size[0] % size[1]),
                                    static_cast<std::uint32_t>(index / size[0] / size[1])};
    Report report;
    if (job.run.stop.load(std::memory_order_relaxed))
      report = {.outcome = Outcome::stopped, .pc = job.run.dispatch.entry};
    else report = runner.run_group(job.run, group);
    if (report.outcome == Outcome::done) continue;
    if (job.failed.exchange(true)) return;
    std::lock_guard lock(job.mutex);
    job.report = std::move(report);
    return;
  }
}

class ThreadedEngine final : public Engine {
 public:
  ThreadedEngine(std::unique_ptr<ProgramCache> cache, unsigned workers) : cache_(std::move(cache)) {
    for (unsigned n = 0; n <= workers; ++n) runners_.push_back(std::make_unique<GroupRunner>(n));
    for (unsigned n = 1; n <= workers; ++n) threads_.emplace_back([this, n] { serve(n); });
  }

  ~ThreadedEngine() override {
    {
      std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }

  Report run(const Dispatch& dispatch, MemoryPort& memory, const std::atomic<bool>& stop) override {
    const Launch launch = parse_launch(dispatch);
    if (launch.threads == 0 || launch.threads > 1024)
      return {.outcome = Outcome::illegal, .pc = dispatch.entry, .text = "a workgroup has 1 to 1024 work-items"};
    constexpr unsigned kRoundBits = 0xf;
    if (launch.mode.float_mode & kRoundBits)
      return {.outcome = Outcome::illegal, .pc = dispatch.entry, .text = "only rounding to nearest even is modelled"};
    auto program = cache_->find(memory, dispatch.entry, launch.mode);
    if (!program) return {.outcome = Outcome::illegal, .pc = dispatch.entry, .text = describe(program.error())};
    auto runners = static_cast<unsigned>(runners_.size());
    if (dispatch.scratch_wave_bytes != 0) runners = std::min(runners, dispatch.scratch_waves / launch.waves);
    if (runners == 0)
      return {.outcome = Outcome::illegal, .pc = dispatch.entry, .text = "too few scratch slots for one workgroup"};
    Job job{.run = {dispatch, launch, memory, *cache_, stop},
            .program = std::move(program).value(),
            .runners = runners,
            .groups = std::uint64_t{dispatch.groups[0]} * dispatch.groups[1] * dispatch.groups[2]};
    share(job);
    return std::move(job.report);
  }

  void invalidate_instruction_cache() override { cache_->invalidate(); }

 private:
  // Runs the job on this thread and on as many others as it may use, and waits for all of them.
  void share(Job& job) {
    const bool alone = job.groups == 1 || job.runners == 1 || threads_.empty();
    if (!alone) {
      std::lock_guard lock(mutex_);
      job_ = &job;
      ++sequence_;
      busy_ = static_cast<unsigned>(threads_.size());
      wake_.notify_all();
    }
    take_part(job, *runners_[0]);
    if (alone) return;
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return busy_ == 0; });
    job_ = nullptr;
  }

  void serve(unsigned index) {
    std::uint64_t seen = 0;
    for (;;) {
      Job* job = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return closing_ || sequence_ != seen; });
        if (closing_) return;
        seen = sequence_;
        job = job_;
      }
      if (index < job->runners) take_part(*job, *runners_[index]);
      std::lock_guard lock(mutex_);
      if (--busy_ == 0) idle_.notify_one();
    }
  }

  std::unique_ptr<ProgramCache> cache_;
  std::vector<std::unique_ptr<GroupRunner>> runners_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  Job* job_ = nullptr;
  std::uint64_t sequence_ = 0;
  unsigned busy_ = 0;
  bool closing_ = false;
};

}  // namespace

Result<std::unique_ptr<Engine>> Engine::create(const std::string& processor, unsigned workers) {
  auto cache = HCQ_TRY(ProgramCache::create(processor));
  return std::unique_ptr<Engine>(std::make_unique<ThreadedEngine>(std::move(cache), workers));
}

}  // namespace hcq::models::isa
