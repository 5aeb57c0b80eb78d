/// \file
/// Evaluation of the host code around one launch.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTANALYSIS_H
#define GPU_ESTIMATE_LIB_FRONTEND_HOST_HOSTANALYSIS_H

#include "BufferSizes.h"
#include "ConstantTables.h"
#include "DeviceQueries.h"
#include "ExpressionEvaluator.h"
#include "InitialContents.h"
#include "ManagedPages.h"
#include "PointerOrigins.h"
#include "ReachingWrites.h"
#include "SymbolTable.h"

namespace gpuestimate {

/// The evaluation of one launch: its parts refer to each other through this
/// object. An expression reads variables, a variable has the value of the
/// expression that was assigned to it, and both may ask for the size of a
/// container or for a property of the device.
///
/// Values are symbolic terms over everything that the source does not
/// determine. A variable that cannot be followed becomes a parameter with the
/// variable's name.
struct HostAnalysis {
  HostAnalysis(clang::ASTContext &AST, const HostIndex &Index,
               ExprContext &Terms)
      : AST(AST), Index(Index), Terms(Terms), Symbols(Terms),
        Tables(AST, Index), Expressions(*this), Variables(*this),
        Buffers(*this), Pages(*this), Origins(*this), Device(*this),
        Contents(*this) {}
  HostAnalysis(const HostAnalysis &) = delete;

  clang::ASTContext &AST;
  const HostIndex &Index;
  ExprContext &Terms;
  CallFrames Frames;
  SymbolTable Symbols;
  ConstantTables Tables;
  ExpressionEvaluator Expressions;
  ReachingWrites Variables;
  BufferSizes Buffers;
  ManagedPages Pages;
  PointerOrigins Origins;
  DeviceQueries Device;
  InitialContents Contents;
};

} // namespace gpuestimate

#endif
