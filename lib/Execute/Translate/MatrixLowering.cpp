/// \file
/// The intrinsics of warp matrix operations:
///
///   wmma.SHAPE.load.{a,b,c}.LAYOUT[.stride].TYPE.pN(memory[, stride])
///   wmma.SHAPE.store.d.LAYOUT[.stride].TYPE.pN(memory, parts...[, stride])
///   wmma.SHAPE.mma.LAYOUT.LAYOUT.TYPES[.satfinite](A..., B..., C...)
#include "CallLowering.h"
#include "Execute/Device/MatrixFunctions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuestimate {

static constexpr unsigned FragmentBytes = 128;

/// Memory of a lane for one of its fragments.
Value *CallLowering::fragment(unsigned Number) {
  Value *&Buffer = Fragments[Number];
  if (!Buffer) {
    Builder B(&*F.getEntryBlock().getFirstInsertionPt());
    AllocaInst *New =
        B.CreateAlloca(ArrayType::get(B.getInt8Ty(), FragmentBytes));
    New->setAlignment(Align(16));
    Buffer = New;
  }
  return Buffer;
}

/// The type of each part of a fragment, which a call returns or takes.
static uint64_t bytesOf(Type *T) {
  return T->getPrimitiveSizeInBits().getFixedValue() / 8;
}

Value *CallLowering::lowerMatrix(CallBase &Call, StringRef Name, Builder &B) {
  SmallVector<StringRef> Words;
  Name.split(Words, '.');
  std::optional<MatrixShape> Shape =
      Words.size() > 4 ? MatrixShape::parse(Words[1]) : std::nullopt;
  if (!Shape)
    return fail("the operation " + Name);
  SmallVector<Type *> Parts;
  if (auto *S = dyn_cast<StructType>(Call.getType()))
    append_range(Parts, S->elements());
  else if (!Call.getType()->isVoidTy())
    Parts.push_back(Call.getType());
  auto put = [&](unsigned Number, unsigned First, unsigned Count) {
    uint64_t Offset = 0;
    for (unsigned I = First; I < First + Count; ++I) {
      Value *V = Call.getArgOperand(I);
      B.CreateStore(V, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(),
                                                    fragment(Number), Offset));
      Offset += bytesOf(V->getType());
    }
  };
  auto take = [&](unsigned Number) {
    Value *R = PoisonValue::get(Call.getType());
    uint64_t Offset = 0;
    for (unsigned I = 0; I < Parts.size(); ++I) {
      Value *V =
          B.CreateLoad(Parts[I], B.CreateConstInBoundsGEP1_64(
                                     B.getInt8Ty(), fragment(Number), Offset));
      R = Parts.size() == 1 && !Call.getType()->isStructTy()
              ? V
              : B.CreateInsertValue(R, V, I);
      Offset += bytesOf(Parts[I]);
    }
    return R;
  };

  if (Words[2] == "mma")
    return lowerMatrixProduct(Call, Name, *Shape, put, take, B);
  bool IsStore = Words[2] == "store", HasStride = is_contained(Words, "stride");
  std::optional<MatrixType> T = matrixTypeNamed(Words[HasStride ? 6 : 5]);
  if (!T || bitsOf(*T) < 8 || (!IsStore && Words[2] != "load"))
    return fail("the operation " + Name);
  unsigned Rows = Words[3] == "b" ? Shape->K : Shape->M,
           Columns = Words[3] == "a" ? Shape->K : Shape->N;
  bool IsColumnMajor = Words[4] == "col";
  Value *Stride = HasStride ? Call.getArgOperand(Call.arg_size() - 1)
                            : B.getInt32(IsColumnMajor ? Rows : Columns);
  unsigned Bytes = bitsOf(*T) / 8;
  if (IsStore)
    put(0, 1, Call.arg_size() - 1 - HasStride);
  callRuntime(IsStore ? "ge.matrix_store" : "ge.matrix_load", B.getVoidTy(),
              {Thread.Context, fragment(0),
               B.CreateAddrSpaceCast(Call.getArgOperand(0), B.getPtrTy()),
               B.getInt32(Rows), B.getInt32(Columns), Stride,
               B.getInt32(IsColumnMajor), B.getInt32(Bytes)},
              B);
  return IsStore ? nullptr : take(0);
}

Value *CallLowering::lowerMatrixProduct(
    CallBase &Call, StringRef Name, const MatrixShape &Shape,
    function_ref<void(unsigned, unsigned, unsigned)> Put,
    function_ref<Value *(unsigned)> Take, Builder &B) {
  MatrixProduct Product{Shape};
  auto Types = matrixTypesIn(Name);
  auto IsSum = [](MatrixType T) {
    return T == MatrixType::F16 || T == MatrixType::F32;
  };
  Product.Saturates = Name.ends_with(".satfinite");
  if (Types.size() == 2 && IsSum(Types[0])) {
    // Half-precision operands: the types of D and C.
    Product.D = Types[0];
    Product.C = Types[1];
  } else if (!Types.empty()) {
    Product.Operands = Types[0];
    bool IsInteger = Types[0] == MatrixType::S8 || Types[0] == MatrixType::U8;
    Product.C = Product.D = IsInteger                     ? MatrixType::S32
                            : Types[0] == MatrixType::F64 ? MatrixType::F64
                                                          : MatrixType::F32;
  } else {
    return fail("the operation " + Name);
  }
  // The fragments of A, B and C follow each other. C has as many parts as D if
  // their types agree; half-precision ones have half as many.
  auto partsOf = [&](MatrixType T) -> unsigned {
    unsigned Elements = Shape.M * Shape.N / 32;
    return T == MatrixType::F16 ? Elements / 2 : Elements;
  };
  unsigned OfC = partsOf(Product.C);
  if (Call.arg_size() <= OfC)
    return fail("the operation " + Name);
  // How A and B share the others follows from their sizes and the type; both
  // hold every element at least once.
  unsigned Others = Call.arg_size() - OfC, OfA = Others / 2;
  if (Product.Operands != MatrixType::F16) {
    uint64_t PartBytes = bytesOf(Call.getArgOperand(0)->getType());
    unsigned ElementBytes = std::max(1u, bitsOf(Product.Operands) / 8);
    OfA = std::max<unsigned>(1, Shape.M * Shape.K * ElementBytes /
                                    (32 * PartBytes));
  }
  if (OfA >= Others)
    return fail("the operation " + Name);
  Put(0, 0, OfA);
  Put(1, OfA, Others - OfA);
  Put(2, Others, OfC);
  Value *Members[] = {B.getInt64(Product.encode()), fragment(0), fragment(1),
                      fragment(2), fragment(3)};
  Value *Operands = fragment(4);
  for (unsigned I = 0; I < 5; ++I)
    B.CreateStore(Members[I],
                  B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Operands, I));
  collective(CollectiveKind::MatrixProduct, B.getInt32(~0u),
             B.CreatePtrToInt(Operands, B.getInt64Ty()), nullptr, nullptr, B);
  return Take(3);
}

} // namespace gpuestimate
