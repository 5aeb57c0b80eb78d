/// \file
/// `gpu-estimate serve --http ADDRESS:PORT`: a page in a browser on this
/// machine that shows the kernels of a folder and what they take.
///
///   GET  /?token=T        the page
///   GET  /api/files       WebProject::files()
///   GET  /api/gpus        WebProject::gpus()
///   POST /api/estimate    WebProject::estimate()
///
/// All but the page want the header "Authorization: Bearer T" with the token
/// that was printed when the server started. Requests whose Host is not the
/// server's own address are refused: another site's name may lead to the
/// loopback device (DNS rebinding).
#ifndef GPU_ESTIMATE_SERVE_WEBSERVER_H
#define GPU_ESTIMATE_SERVE_WEBSERVER_H

#include "gpu-estimate/Session/Pipeline/ExitStatus.h"
#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

/// Serves the current folder until the process is stopped. Prints the address
/// of the page, with its token, to Out. Port 0 is any free port. Only the
/// loopback device is served.
ExitStatus runWebServer(const Options &O, llvm::raw_ostream &Out,
                        llvm::raw_ostream &Err);

} // namespace gpuestimate

#endif
