/// \file
/// Reads kernel declarations: names, arguments, launch bounds.
#include "Kernels.h"

#include "Annotations.h"
#include "Functions.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

SourceLocation presumedLocation(const clang::SourceManager &Sources,
                                clang::SourceLocation Location) {
  clang::PresumedLoc Loc =
      Sources.getPresumedLoc(Sources.getExpansionLoc(Location));
  if (Loc.isInvalid())
    return {};
  return {Loc.getFilename(), Loc.getLine(), Loc.getColumn()};
}

namespace {

std::string displayName(const clang::FunctionDecl &Kernel) {
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  clang::PrintingPolicy Policy(Kernel.getASTContext().getPrintingPolicy());
  Policy.SuppressUnwrittenScope = true;
  Kernel.getNameForDiagnostic(OS, Policy, /*Qualified=*/true);
  return Name;
}

unsigned sizeInBytes(clang::ASTContext &Context, clang::QualType Type) {
  if (Type->isIncompleteType() || Type->isFunctionType() ||
      Type->isVoidType() || Type->isDependentType())
    return 0;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

/// Texture and surface handles are plain integers to the language.
bool isTextureHandle(clang::QualType Type) {
  while (const auto *Typedef = Type->getAs<clang::TypedefType>()) {
    llvm::StringRef Name = Typedef->getDecl()->getName();
    if (Name == "cudaTextureObject_t" || Name == "cudaSurfaceObject_t" ||
        Name == "hipTextureObject_t" || Name == "hipSurfaceObject_t")
      return true;
    Type = Typedef->getDecl()->getUnderlyingType();
  }
  return false;
}

} // namespace

/// Kind and sizes of a value of this type.
static KernelArgument describeValue(clang::ASTContext &Context,
                                    clang::QualType Type) {
  KernelArgument Argument;
  Argument.Bytes = sizeInBytes(Context, Type);
  if (isTextureHandle(Type)) {
    Argument.Kind = KernelArgument::Texture;
  } else if (const clang::ArrayType *Array = Context.getAsArrayType(Type)) {
    // As it is passed: a pointer to its elements.
    Argument.Kind = KernelArgument::Pointer;
    Argument.Bytes = 8;
    clang::QualType Element = Context.getBaseElementType(Array);
    Argument.Const = Element.isConstQualified();
    Argument.ElementBytes = sizeInBytes(Context, Element);
  } else if (Type->isPointerType() || Type->isReferenceType()) {
    Argument.Kind = KernelArgument::Pointer;
    Argument.Restrict = Type.isRestrictQualified();
    clang::QualType Pointee = Type->getPointeeType();
    // `float (*A)[n]` counts floats: rows of unknown length have no size.
    if (Pointee->isVariableArrayType())
      Pointee = Context.getBaseElementType(Pointee);
    Argument.Const = Pointee.isConstQualified();
    Argument.ElementBytes = sizeInBytes(Context, Pointee);
  } else if (Type->isRealFloatingType()) {
    Argument.Kind = KernelArgument::Real;
  } else if (Type->isIntegralOrEnumerationType()) {
    Argument.Kind = KernelArgument::Integer;
    Argument.Unsigned = Type->isUnsignedIntegerOrEnumerationType();
  } else {
    Argument.Kind = KernelArgument::Aggregate;
  }
  return Argument;
}

KernelArgument describeVariable(clang::ASTContext &Context,
                                const clang::VarDecl &Variable) {
  KernelArgument Argument = describeValue(Context, Variable.getType());
  Argument.Name = Variable.getNameAsString();
  return Argument;
}

/// Members of a structure beyond these are not listed.
static constexpr size_t MaxMembers = 1024;

/// Lists a field of a structure: itself, its elements or its members.
static void listField(clang::ASTContext &Context, clang::QualType Type,
                      unsigned Argument, uint64_t Offset,
                      const std::string &Name,
                      std::vector<AggregateMember> &Members) {
  if (const clang::ConstantArrayType *Array =
          Context.getAsConstantArrayType(Type)) {
    clang::QualType Element = Array->getElementType();
    if (Element->isIncompleteType())
      return;
    uint64_t Step = Context.getTypeSizeInChars(Element).getQuantity(),
             Count = Array->getSize().getLimitedValue(MaxMembers);
    for (uint64_t I = 0; I < Count && Members.size() < MaxMembers; ++I)
      listField(Context, Element, Argument, Offset + I * Step,
                Name + "[" + std::to_string(I) + "]", Members);
  } else if (Type->isRecordType()) {
    bool IsNamed = !Name.empty() && Name.back() != '.';
    listMembers(Context, Type, Argument, Offset, IsNamed ? Name + "." : Name,
                Members);
  } else if (Type->isScalarType()) {
    Members.push_back({Argument, Offset, Name, describeValue(Context, Type)});
  }
}

/// The name of a field; that of a lambda's capture is the captured variable's.
static std::string memberName(const clang::FieldDecl &Field) {
  const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Field.getParent());
  if (!Class || !Class->isLambda())
    return Field.getNameAsString();
  const clang::LambdaCapture *Capture =
      Class->captures_begin() + Field.getFieldIndex();
  if (Capture < Class->captures_end() && Capture->capturesVariable())
    return Capture->getCapturedVar()->getNameAsString();
  return Capture < Class->captures_end() && Capture->capturesThis() ? "this"
                                                                    : "";
}

void listMembers(clang::ASTContext &Context, clang::QualType Type,
                 unsigned Argument, uint64_t Offset, const std::string &Prefix,
                 std::vector<AggregateMember> &Members) {
  const clang::RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || Record->isUnion() || Record->isInvalidDecl() ||
      !Record->isCompleteDefinition())
    return;
  const clang::ASTRecordLayout &Layout = Context.getASTRecordLayout(Record);
  if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(Record))
    for (const clang::CXXBaseSpecifier &Base : Class->bases())
      if (!Base.isVirtual())
        listMembers(
            Context, Base.getType(), Argument,
            Offset +
                Layout.getBaseClassOffset(Base.getType()->getAsCXXRecordDecl())
                    .getQuantity(),
            Prefix, Members);
  for (const clang::FieldDecl *Field : Record->fields()) {
    if (Field->isBitField())
      continue;
    uint64_t MemberOffset =
        Offset + Layout.getFieldOffset(Field->getFieldIndex()) / 8;
    listField(Context, Field->getType(), Argument, MemberOffset,
              Prefix + memberName(*Field), Members);
  }
}

namespace {

unsigned evaluateBound(clang::ASTContext &Context, const clang::Expr *Bound) {
  if (!Bound || Bound->isValueDependent())
    return 0;
  if (auto Value = Bound->getIntegerConstantExpr(Context))
    return Value->isNegative() ? 0 : Value->getLimitedValue(~0u);
  return 0;
}

KernelSource describe(clang::ASTContext &Context,
                      const clang::FunctionDecl &Kernel,
                      llvm::StringRef Mangled) {
  KernelSource Source;
  Source.Mangled = Mangled.str();
  Source.Name = displayName(Kernel);
  Source.Location =
      presumedLocation(Context.getSourceManager(), Kernel.getLocation());
  Source.Notes = annotationsOf(Kernel);
  for (const clang::ParmVarDecl *Parameter : Kernel.parameters()) {
    KernelArgument Argument = describeVariable(Context, *Parameter);
    if (Argument.Name.empty())
      Argument.Name = "arg" + std::to_string(Source.Arguments.size());
    Source.Arguments.push_back(std::move(Argument));
  }
  for (unsigned I = 0; I < Kernel.getNumParams(); ++I)
    listMembers(Context, Kernel.getParamDecl(I)->getType(), I, 0, "",
                Source.Members);
  if (const auto *Bounds = Kernel.getAttr<clang::CUDALaunchBoundsAttr>()) {
    Source.MaxThreadsPerBlock = evaluateBound(Context, Bounds->getMaxThreads());
    Source.MinBlocksPerSm = evaluateBound(Context, Bounds->getMinBlocks());
  }
  // AMD's own attribute holds the smallest and the largest block.
  if (const auto *Sizes = Kernel.getAttr<clang::AMDGPUFlatWorkGroupSizeAttr>())
    Source.MaxThreadsPerBlock = evaluateBound(Context, Sizes->getMax());
  return Source;
}

} // namespace

void collectKernels(clang::CodeGenerator &Generator, clang::ASTContext &Context,
                    llvm::ArrayRef<clang::Decl *> TopLevel,
                    TranslationUnit &Unit) {
  // An instantiation stands where its template stands.
  llvm::DenseSet<clang::SourceLocation> WithCode;
  for (const llvm::Function &Function : *Generator.GetModule()) {
    if (Function.isDeclaration())
      continue;
    const auto *Decl = llvm::dyn_cast_or_null<clang::FunctionDecl>(
        Generator.GetDeclForMangledName(Function.getName()));
    if (!Decl || !Decl->hasAttr<clang::CUDAGlobalAttr>())
      continue;
    if (const clang::FunctionDecl *Definition = Decl->getDefinition())
      Decl = Definition;
    WithCode.insert(Decl->getLocation());
    Unit.Kernels.push_back(describe(Context, *Decl, Function.getName()));
  }

  const clang::SourceManager &Sources = Context.getSourceManager();
  auto onFunction = [&](const clang::FunctionDecl &Function) {
    if (!Function.hasAttr<clang::CUDAGlobalAttr>() ||
        WithCode.contains(Function.getLocation()) ||
        !Sources.isInMainFile(Sources.getExpansionLoc(Function.getLocation())))
      return;
    Unit.NotEmitted.push_back(
        {displayName(Function),
         presumedLocation(Sources, Function.getLocation()),
         Function.isTemplated()
             ? "the template is never instantiated in this file"
             : "the compiler generates no code for it in this file"});
  };
  visitFunctions(TopLevel, Sources, onFunction, [](const clang::VarDecl &) {});
}

void collectDeclaredKernels(clang::CodeGenerator &Generator,
                            clang::ASTContext &Context,
                            llvm::ArrayRef<clang::Decl *> TopLevel,
                            TranslationUnit &Unit) {
  auto onFunction = [&](const clang::FunctionDecl &Function) {
    if (Function.hasAttr<clang::CUDAGlobalAttr>() && !Function.isTemplated() &&
        !Function.isInvalidDecl())
      Unit.Kernels.push_back(
          describe(Context, Function,
                   Generator.GetMangledName(clang::GlobalDecl(&Function))));
  };
  visitAllFunctions(TopLevel, onFunction);
}

} // namespace gpuestimate
