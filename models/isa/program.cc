// SPDX-License-Identifier: MIT
#include "models/isa/program.h"

#include <llvm/IR/Verifier.h>

#include <cstring>

namespace hcq::models::isa {
namespace {

// The block from a leader to the next one or the instruction that ends it.
void translate_block(Translator& t, const CodeGraph& graph, Translator::Place place) {
  t.begin_block(place);
  std::uint64_t pc = place.pc;
  for (;;) {
    const auto found = graph.instructions.find(pc);
    if (found == graph.instructions.end()) {
      t.exit_always(graph.unreadable.contains(pc) ? Exit::fetch : Exit::illegal, pc);
      break;
    }
    const Inst& inst = found->second;
    t.translate(inst);
    pc += inst.size;
    const Flow flow = flow_of(inst);
    if (!t.b.GetInsertBlock()->getTerminator() && writes_exec(inst)) {
      t.choose_variant(pc);
      break;
    }
    if (flow.ends_block) break;
    if (graph.leaders.contains(pc)) {
      t.fall_through(pc);
      break;
    }
  }
  if (!t.b.GetInsertBlock()->getTerminator()) t.b.CreateUnreachable();
}

std::vector<Program::Extent> extents_of(const CodeGraph& graph) {
  std::vector<Program::Extent> extents;
  for (const auto& [pc, inst] : graph.instructions) {
    if (extents.empty() || extents.back().offset + extents.back().bytes.size() != pc) extents.push_back({pc, {}});
    const auto* bytes = reinterpret_cast<const std::byte*>(inst.words);
    extents.back().bytes.insert(extents.back().bytes.end(), bytes, bytes + inst.size);
  }
  return extents;
}

}  // namespace

Result<std::shared_ptr<const Program>> build_program(Jit& jit, const Mode& mode, const CodeGraph& graph, bool partial,
                                                     const std::string& name) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>(name, *context);
  auto* type =
      llvm::FunctionType::get(llvm::Type::getInt32Ty(*context), {llvm::PointerType::getUnqual(*context)}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, *module);
  function->addFnAttr("prefer-vector-width", "512");
  function->addFnAttr(llvm::Attribute::NoUnwind);
  {
    Translator translator(*module, *function, mode, mode.wave32 ? 32 : 64, partial);
    translator.begin(graph.roots);
    while (const auto place = translator.next_place()) translate_block(translator, graph, *place);
    translator.finish();
  }
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyFunction(*function, &stream))
    return Error{.code = Errc::internal, .operation = "isa/translate", .detail = problem};
  auto program = std::make_shared<Program>();
  program->mode = mode;
  program->roots = graph.roots;
  program->partial = partial;
  program->extents = extents_of(graph);
  program->run = HCQ_TRY(jit.compile(std::move(context), std::move(module), name));
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace hcq::models::isa
