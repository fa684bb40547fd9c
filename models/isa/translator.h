// SPDX-License-Identifier: MIT
// Turns decoded instructions into LLVM IR. This class owns the register file of the function being built and the
// reading and writing of operands; what an instruction means stands in the ops_*.cc files, one handler per mnemonic;
// blocks and control flow stand in translate.cc.
//
// A vector register is <lanes x i32>, a scalar register i32, SCC i1. Registers live in allocas that mem2reg turns into
// SSA values. EXEC is an ordinary pair of scalar registers.
//
// Code exists in up to two variants. In the full variant all lanes are known to be active, so vector writes replace the
// whole register and old contents die; in the other they select under EXEC. Behind each instruction that writes EXEC a
// test picks the variant to continue in. MODE's denormal bits are constants of a block, too.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "models/isa/decode.h"
#include "models/isa/wave.h"

namespace hcq::models::isa {

// What a translation depends on besides the code bytes.
struct Mode {
  bool wave32 = true;
  std::uint16_t vgprs = 256;       // allocated by RSRC1
  std::uint8_t float_mode = 0xf0;  // RSRC1.FLOAT_MODE: round and denorm bits
  bool ieee = true;                // RSRC1.IEEE_MODE
  bool dx10_clamp = true;          // RSRC1.DX10_CLAMP
  auto operator<=>(const Mode&) const = default;
};

class Translator;
using Handler = void (*)(Translator&, const Inst&);
struct Op {
  std::string_view mnemonic;
  Handler handler;
};

// MODE as far as a translation depends on it, and back.
std::uint32_t mode_bits(const Mode& mode);
Mode with_mode_bits(Mode mode, std::uint32_t word);

// The handler of a mnemonic, or nullptr when the engine does not know it.
Handler find_handler(std::string_view mnemonic);

class Translator {
 public:
  using Value = llvm::Value;
  using Type = llvm::Type;

  // `partial`: whether the variant for partial EXEC is wanted; without it such a wave leaves with Exit::partial.
  Translator(llvm::Module& module, llvm::Function& function, const Mode& mode, unsigned lanes, bool partial);

  llvm::IRBuilder<> b;
  llvm::Module& module;
  llvm::Function& function;
  const Mode mode;
  const unsigned lanes;
  Type *i1, *i8, *i16, *i32, *i64, *f16, *f32, *f64, *ptr;
  Type *vi1, *vi16, *vi32, *vi64, *vf16, *vf32, *vf64;
  Type* mask_type;  // iN with one bit a lane

  // --- scalars ---
  Value* sread32(const Operand& op);
  Value* sread64(const Operand& op);
  void swrite32(const Operand& op, Value* v);
  void swrite64(const Operand& op, Value* v);
  Value* sreg(unsigned reg);
  void set_sreg(unsigned reg, Value* v);
  Value* sreg64(unsigned reg);
  void set_sreg64(unsigned reg, Value* v);
  Value* scc();
  void set_scc(Value* v);
  Value* exec();  // mask_type
  void set_exec(Value* v);
  Value* read_mask(const Operand& op);  // a lane mask in scalar registers, mask_type
  Value* read_lanes(const Operand& op) { return to_lanes(read_mask(op)); }
  // Writes a lane mask; inactive lanes read 0 as VOPC and carry-outs do.
  void write_lanes(const Operand& op, Value* v);
  Value* to_lanes(Value* mask) { return b.CreateBitCast(mask, vi1); }

  // --- vectors: raw bits ---
  Value* read32(const Operand& op);
  Value* read64(const Operand& op);
  Value* read16(const Operand& op, int select);          // select: op_sel bit for operands without .l/.h
  Value* read_dword(const Operand& op, unsigned index);  // one register of a range
  void write32(const Operand& op, Value* v);
  void write64(const Operand& op, Value* v);
  void write16(const Operand& op, int select, Value* v);
  void write_dword(const Operand& op, unsigned index, Value* v);
  Value* vreg(unsigned reg);
  void set_vreg(unsigned reg, Value* v);  // under EXEC
  void set_vreg_unmasked(unsigned reg, Value* v);
  Value* exec_lanes();  // EXEC (and the DPP write mask) as <lanes x i1>

  // --- vectors: floating point, with abs/neg in and omod/clamp out ---
  Value* readf32(const Operand& op);
  Value* readf64(const Operand& op);
  Value* readf16(const Operand& op, int select);
  void writef32(const Operand& op, Value* v);
  void writef64(const Operand& op, Value* v);
  void writef16(const Operand& op, int select, Value* v);
  Value* modify(Value* v, const Operand& op);  // abs and neg of a float value
  Value* clamp_float(Value* v);                // to [0, 1]
  Value* output_modifiers(Value* v);           // omod and clamp of the current instruction
  Value* flush_denormals(Value* v);            // as MODE says for the type
  bool op_sel(unsigned index) const;           // of the current instruction

  // --- constants ---
  Value* c32(std::uint32_t v) { return llvm::ConstantInt::get(i32, v); }
  Value* c64(std::uint64_t v) { return llvm::ConstantInt::get(i64, v); }
  Value* v32(std::uint32_t v) { return llvm::ConstantInt::get(vi32, v); }
  Value* v64(std::uint64_t v) { return llvm::ConstantInt::get(vi64, v); }
  Value* v16(std::uint16_t v) { return llvm::ConstantInt::get(vi16, v); }
  Value* vf(Type* type, double v) { return llvm::ConstantFP::get(type, v); }
  Value* splat(Value* v) { return b.CreateVectorSplat(lanes, v); }
  Value* intrinsic(llvm::Intrinsic::ID id, Value* first, llvm::ArrayRef<Value*> rest = {});

  // --- runtime calls and exits ---
  Value* wave() { return function.getArg(0); }
  Value* field(std::size_t offset) { return b.CreateConstGEP1_64(i8, wave(), offset); }
  Value* load_field(Type* type, std::size_t offset) { return b.CreateLoad(type, field(offset)); }
  void put(unsigned row, Value* v);  // a <lanes x i32> into WaveState::exchange
  Value* get(unsigned row);
  Value* call(void* target, Type* result, llvm::ArrayRef<Value*> args);
  // Lane l of the result is lane index[l] of `v`; indices must be below `lanes`.
  Value* gather_lanes(Value* v, Value* index);
  Value* mask64(Value* mask) { return b.CreateZExt(mask, i64); }
  // Leaves the function with `code` when `condition` holds.
  void exit_if(Value* condition, Exit code, std::uint64_t pc);
  void exit_always(Exit code, std::uint64_t pc);
  // A condition that the engine does not support: the wave ends as illegal here.
  void illegal() { exit_always(Exit::illegal, current->pc); }

  // --- control flow ---
  struct Place {
    std::uint64_t pc;
    bool full;
    std::uint8_t float_mode;
    auto operator<=>(const Place&) const = default;
  };
  llvm::BasicBlock* new_block(const char* name);
  // Continues at the leader `pc` in the same variant.
  void jump(std::uint64_t pc);
  void jump_if(Value* condition, std::uint64_t taken, std::uint64_t otherwise);
  void fall_through(std::uint64_t pc) { b.CreateBr(block(pc)); }
  // Continues at `pc` in the variant that EXEC asks for.
  void choose_variant(std::uint64_t pc);
  void jump_indirect(Value* pc);
  void barrier(std::uint64_t next);
  // MODE as far as the translation depends on it (kModeOfTranslation), as it is at this point.
  std::uint32_t mode_word() const;
  // Continues at `pc` with the translation for another MODE; `word` is i32, as kModeOfTranslation.
  void switch_mode(Value* pc, Value* word);
  bool full() const { return full_; }
  // Rounding and denormal bits of MODE as they are at this point; each value has its own translation of a block.
  std::uint8_t float_mode() const { return float_mode_; }
  void set_float_mode(std::uint8_t v) { float_mode_ = v; }

  // Translates one instruction.
  void translate(const Inst& inst);
  // Starts with the dispatch over `roots`; then blocks are taken from next_place() and translated until there is none;
  // finish() adds entry and exits.
  void begin(const std::set<std::uint64_t>& roots);
  std::optional<Place> next_place();
  void begin_block(Place place);
  void finish();

  const Inst* current = nullptr;

 private:
  struct PendingWrite {
    unsigned reg;
    Value* value;
  };
  llvm::BasicBlock* block(std::uint64_t pc, bool full);
  llvm::BasicBlock* block(std::uint64_t pc) { return block(pc, full_); }
  void continue_at(llvm::BasicBlock* start);
  void poll_stop(std::uint64_t target);
  Value* stored_exec();
  llvm::AllocaInst* scalar_slot(unsigned reg);
  llvm::AllocaInst* vector_slot(unsigned reg);
  llvm::AllocaInst* slot(llvm::AllocaInst*& cache, Type* type, const char* name);
  Value* constant_bits(const Operand& op, unsigned bits);
  Value* special(const Operand& op, bool wide);
  Value* dpp_read(Value* v);
  void prepare_dpp(const Inst& inst);

  llvm::BasicBlock* allocas_;
  llvm::BasicBlock* dispatch_;
  llvm::BasicBlock* save_exit_;
  llvm::BasicBlock* plain_exit_;
  llvm::BasicBlock* fault_exit_;
  std::array<llvm::AllocaInst*, kScalarCount> scalars_{};
  std::array<llvm::AllocaInst*, kVectorCount> vectors_{};
  std::set<unsigned> written_scalars_, written_vectors_;
  llvm::AllocaInst* scc_ = nullptr;
  llvm::AllocaInst* next_pc_ = nullptr;
  llvm::AllocaInst* exit_code_ = nullptr;
  std::map<Place, llvm::BasicBlock*> blocks_;
  std::vector<Place> wanted_;
  bool with_partial_;
  bool full_ = false;
  std::uint8_t float_mode_;
  Value* exec_lanes_ = nullptr;  // cached within a block
  Value* dpp_write_ = nullptr;   // lanes that DPP lets the current instruction write, null: all
  Value* dpp_valid_ = nullptr;
  const Operand* dpp_source_ = nullptr;
  llvm::SmallVector<int, kMaxLanes> dpp_shuffle_;
  bool defer_writes_ = false;
  std::vector<PendingWrite> pending_;
};

}  // namespace hcq::models::isa
