// SPDX-License-Identifier: MIT
#include "compute/codegen/emit.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include <bit>
#include <unordered_map>

#include "compute/codegen/ops.h"
#include "compute/ir/interval.h"

namespace hcq::compute::codegen {
namespace {

using ir::DType;
using ir::Node;
using ir::Op;
using ir::Scalar;
using llvm::Value;

class Emitter {
 public:
  Emitter(const ir::Kernel& kernel, const Machine& machine, llvm::IRBuilder<>& b, const WorkItem& item)
      : kernel_(kernel), machine_(machine), b_(b), ops_(b), item_(item) {}

  Status run() {
    for (const Node* n : kernel_.code) {
      note_interval(n);
      HCQ_TRY(emit(n));
    }
    return {};
  }

 private:
  // --- the list

  Status emit(const Node* n) {
    switch (n->op) {
      case Op::constant:
        return set(n, ops_.constant(n));
      case Op::param:
        return set(n, item_.params[static_cast<std::size_t>(n->arg.i)]);
      case Op::special:
        return set(n, (n->arg.j == 0 ? item_.group : item_.local)[static_cast<std::size_t>(n->arg.i)]);
      case Op::index:
        return {};  // becomes part of its load or store
      case Op::load:
        return emit_load(n);
      case Op::store:
        return emit_store(n);
      case Op::range:
        return open_loop(n);
      case Op::acc:
        return emit_acc(n);
      case Op::end:
        return close_loop(n);
      case Op::result:
        return set(n, at(results_, n->src(1)));
      case Op::splat:
        return set(n, b_.CreateVectorSplat(n->dtype.lanes, value(n->src(0))));
      case Op::stack: {
        Value* v = llvm::PoisonValue::get(ops_.value_type(n->dtype));
        for (unsigned i = 0; i < n->src_count; ++i) v = b_.CreateInsertElement(v, value(n->src(i)), i);
        return set(n, v);
      }
      case Op::extract:
        return set(n, b_.CreateExtractElement(value(n->src(0)), static_cast<std::uint64_t>(n->arg.i)));
      case Op::where:
        return set(n, b_.CreateSelect(value(n->src(0)), value(n->src(1)), value(n->src(2))));
      case Op::cmplt:
      case Op::cmpeq:
      case Op::cmpne:
        return set(n, ops_.compare(n->op, value(n->src(0)), value(n->src(1)), n->src(0)->dtype));
      default:
        break;
    }
    Value* v = nullptr;
    if (ir::info(n->op).kind == ir::OpClass::unary) v = ops_.unary(n->op, value(n->src(0)), n->src(0)->dtype, n->dtype);
    if (ir::info(n->op).kind == ir::OpClass::binary) v = binary(n);
    if (v) return set(n, v);
    return Error{.code = Errc::unimplemented,
                 .operation = "codegen/emit",
                 .subject = kernel_.name,
                 .detail = "cannot emit " + ir::to_string(n)};
  }

  Value* binary(const Node* n) {
    Value *x = value(n->src(0)), *y = value(n->src(1));
    if (n->dtype.is_float()) return ops_.float_binary(n->op, x, y, n->dtype);
    IntFacts facts;
    facts.nsw = never_wraps(n);
    facts.x_non_negative = non_negative(n->src(0));
    facts.nuw = facts.nsw && facts.x_non_negative && non_negative(n->src(1)) && non_negative(n);
    if (n->src(1)->is_const()) facts.constant = ir::const_int(n->src(1));
    return ops_.int_binary(n->op, x, y, n->dtype, facts);
  }

  using Values = std::unordered_map<const Node*, Value*>;
  static Value* at(const Values& values, const Node* n) {
    const auto it = values.find(n);
    assert(it != values.end() && "a node is used before it is listed");
    return it->second;
  }
  Value* value(const Node* n) const { return at(values_, n); }
  Status set(const Node* n, Value* v) {
    assert(v);
    values_[n] = v;
    return {};
  }

  // --- integer bounds

  void note_interval(const Node* n) {
    if (!n->dtype.is_int()) return;
    std::vector<ir::Interval> src;
    for (const Node* s : n->src()) src.push_back(bounds(s));
    intervals_[n] = ir::interval_of(n, src);
  }
  ir::Interval bounds(const Node* n) const {
    const auto it = intervals_.find(n);
    return it == intervals_.end() ? ir::Interval{} : it->second;
  }
  bool non_negative(const Node* n) const {
    const ir::Interval i = bounds(n);
    return n->dtype.is_unsigned() || (i.known && i.lo >= 0);
  }
  // interval_of() answers with the whole type where the operation may wrap.
  bool never_wraps(const Node* n) const {
    const ir::Interval i = bounds(n), all = ir::type_interval(n->dtype.scalar);
    return n->dtype.is_signed() && i.known && (i.lo > all.lo || i.hi < all.hi);
  }

  // --- memory

  // The address of element `i`, which is known to lie inside the parameter: never negative, below its size.
  Value* address(const Node* index, Value* i) {
    const ir::Param& p = kernel_.params[static_cast<std::size_t>(index->src(0)->arg.i)];
    Value* base = item_.params[static_cast<std::size_t>(index->src(0)->arg.i)];
    const std::uint64_t bytes = p.dtype.scalar_bytes();
    if (machine_.wants_32bit_offsets() && p.elements * bytes <= (1ull << 32)) {
      Value* offset = b_.CreateZExtOrTrunc(i, b_.getInt32Ty());
      if (bytes > 1) offset = b_.CreateMul(offset, b_.getInt32(static_cast<std::uint32_t>(bytes)), "", true, false);
      return b_.CreateInBoundsGEP(b_.getInt8Ty(), base, b_.CreateZExt(offset, b_.getInt64Ty()));
    }
    return b_.CreateInBoundsGEP(ops_.memory_type(p.dtype), base, b_.CreateSExtOrTrunc(i, b_.getInt64Ty()));
  }

  llvm::Align alignment(const Node* access, DType t) {
    const auto elements = static_cast<std::uint64_t>(access->arg.i < 1 ? 1 : access->arg.i);
    return llvm::Align(std::bit_floor(elements) * t.scalar_bytes());
  }

  Value* plain_load(const Node* n, Value* i) {
    auto* load = b_.CreateAlignedLoad(ops_.memory_type(n->dtype), address(n->src(0), i), alignment(n, n->dtype));
    // A kernel never reads what it writes, so what is read does not change while it runs.
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b_.getContext(), {}));
    return ops_.from_memory(load, n->dtype);
  }

  // A masked lane reads element 0 instead, which always exists: no branch, and vectorizers stay happy. Only a vector
  // longer than the whole buffer needs one.
  Status emit_load(const Node* n) {
    const Node* index = n->src(0);
    Value* i = value(index->src(1));
    if (n->src_count == 1) return set(n, plain_load(n, i));
    Value *gate = value(n->src(1)), *alt = value(n->src(2));
    const std::uint64_t elements = kernel_.params[static_cast<std::size_t>(index->src(0)->arg.i)].elements;
    if (elements >= n->dtype.lanes) {
      i = b_.CreateSelect(gate, i, ops_.int_constant(i, 0));
      return set(n, b_.CreateSelect(gate, plain_load(n, i), alt));
    }
    return set(n, alt);  // no element range of this length exists, so the gate is never true
  }

  Status emit_store(const Node* n) {
    const Node* index = n->src(0);
    const DType t = n->src(1)->dtype;
    Value* i = value(index->src(1));
    llvm::BasicBlock* after = nullptr;
    if (n->src_count == 3) {
      auto* f = b_.GetInsertBlock()->getParent();
      auto* doit = llvm::BasicBlock::Create(b_.getContext(), "store", f);
      after = llvm::BasicBlock::Create(b_.getContext(), "stored", f);
      b_.CreateCondBr(value(n->src(2)), doit, after);
      b_.SetInsertPoint(doit);
    }
    b_.CreateAlignedStore(ops_.to_memory(value(n->src(1)), t), address(index, i), alignment(n, t));
    if (after) {
      b_.CreateBr(after);
      b_.SetInsertPoint(after);
    }
    return {};
  }

  // --- loops

  Status open_loop(const Node* n) {
    auto* before = b_.GetInsertBlock();
    auto* header = llvm::BasicBlock::Create(b_.getContext(), "loop", before->getParent());
    b_.CreateBr(header);
    b_.SetInsertPoint(header);
    auto* index = b_.CreatePHI(ops_.value_type(n->dtype), 2);
    index->addIncoming(ops_.int_constant(index, 0), before);
    loop_entry_[n] = before;
    return set(n, index);
  }

  Status emit_acc(const Node* n) {
    auto* phi = llvm::PHINode::Create(ops_.value_type(n->dtype), 2);
    auto* header = llvm::cast<llvm::PHINode>(value(n->src(1)))->getParent();
    phi->insertInto(header, header->getFirstNonPHIIt());
    phi->addIncoming(value(n->src(0)), loop_entry_.at(n->src(1)));
    return set(n, phi);
  }

  // Loops run at least once, so the test stands at the bottom.
  Status close_loop(const Node* n) {
    const Node* range = n->src(0);
    auto* index = llvm::cast<llvm::PHINode>(value(range));
    Value* next = b_.CreateAdd(index, ops_.int_constant(index, 1), "", true, true);
    auto* latch = b_.GetInsertBlock();
    auto* after = llvm::BasicBlock::Create(b_.getContext(), "done", latch->getParent());
    b_.CreateCondBr(b_.CreateICmpULT(next, ops_.int_constant(index, ir::extent(range))), index->getParent(), after);
    index->addIncoming(next, latch);
    for (std::size_t k = 1; k + 1 < n->src_count; k += 2) {
      Value* last = value(n->src(k + 1));
      llvm::cast<llvm::PHINode>(value(n->src(k)))->addIncoming(last, latch);
      results_[n->src(k)] = last;
    }
    b_.SetInsertPoint(after);
    return {};
  }

  const ir::Kernel& kernel_;
  const Machine& machine_;
  llvm::IRBuilder<>& b_;
  Ops ops_;
  const WorkItem& item_;
  Values values_;
  Values results_;  // by acc: its value in the last iteration
  std::unordered_map<const Node*, llvm::BasicBlock*> loop_entry_;
  std::unordered_map<const Node*, ir::Interval> intervals_;
};

}  // namespace

Status emit_work_item(const ir::Kernel& kernel, const Machine& machine, llvm::IRBuilder<>& b, const WorkItem& item) {
  return Emitter(kernel, machine, b, item).run();
}

}  // namespace hcq::compute::codegen
