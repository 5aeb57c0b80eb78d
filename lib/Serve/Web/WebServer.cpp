#include "gpu-estimate/Serve/WebServer.h"

#include "Serve/Protocols.h"
#include "WebProject.h"
#include "gpu-estimate/Frontend/Frontend.h"
#include "gpu-estimate/Support/CrashGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <httplib.h>
#include <random>

using namespace llvm;

namespace gpuestimate {

/// The longest body of a request. A launch has a few hundred bytes.
static constexpr size_t MaxBodyBytes = 64 * 1024;
static constexpr int ReadSeconds = 10;

static constexpr StringLiteral Page =
#include "Web/page.html.inc"
    ;

namespace {

struct Address {
  std::string Host;
  int Port = 0;
};

class WebServer {
public:
  WebServer(const WebProject &Project, Address Where)
      : Project(Project), Where(std::move(Where)), Token(makeToken()) {}

  ExitStatus run(raw_ostream &Out, raw_ostream &Err);

private:
  static std::string makeToken();
  void route();
  /// Answers a request whose body is the parameters of Method.
  void post(const char *Path, Expected<json::Value> (WebProject::*Method)(
                                  const json::Object &Parameters) const);
  bool isOwnHost(StringRef Host) const;
  bool hasToken(StringRef Given) const;
  httplib::Server::HandlerResponse check(const httplib::Request &Request,
                                         httplib::Response &Response) const;
  void answer(httplib::Response &Response,
              function_ref<Expected<json::Value>()> By) const;

  const WebProject &Project;
  Address Where;
  const std::string Token;
  httplib::Server Server;
};

} // namespace

std::string WebServer::makeToken() {
  std::random_device Device;
  std::string Text;
  for (int I = 0; I < 4; ++I)
    Text += toHex(StringRef(reinterpret_cast<const char *>(
                                std::array<uint32_t, 1>{Device()}.data()),
                            sizeof(uint32_t)),
                  /*LowerCase=*/true);
  return Text;
}

bool WebServer::isOwnHost(StringRef Host) const {
  std::string Port = ":" + std::to_string(Where.Port);
  return Host == "localhost" + Port || Host == Where.Host + Port ||
         Host == "[" + Where.Host + "]" + Port;
}

/// The time does not tell how much of a wrong token is right.
bool WebServer::hasToken(StringRef Given) const {
  unsigned Different = Given.size() != Token.size();
  for (size_t I = 0; I < Token.size(); ++I)
    Different |= unsigned(I < Given.size() ? Given[I] ^ Token[I] : 1);
  return Different == 0;
}

static void fail(httplib::Response &Response, int Status, StringRef Message) {
  std::string Text;
  raw_string_ostream(Text) << json::Value(
      json::Object{{"error", json::fixUTF8(Message)}});
  Response.status = Status;
  Response.set_content(Text, "application/json");
}

httplib::Server::HandlerResponse
WebServer::check(const httplib::Request &Request,
                 httplib::Response &Response) const {
  bool IsPage = Request.path == "/";
  StringRef Given;
  std::string Header = Request.get_header_value("Authorization"),
              Query = Request.get_param_value("token");
  if (IsPage)
    Given = Query;
  else if (StringRef(Header).starts_with("Bearer "))
    Given = StringRef(Header).drop_front(7);
  if (!isOwnHost(Request.get_header_value("Host")))
    fail(Response, 403, "the Host of the request is not this server");
  else if (!hasToken(Given))
    fail(Response, 401,
         "the token is missing or wrong; it was printed when the server "
         "started");
  else
    return httplib::Server::HandlerResponse::Unhandled;
  return httplib::Server::HandlerResponse::Handled;
}

void WebServer::answer(httplib::Response &Response,
                       function_ref<Expected<json::Value>()> By) const {
  std::optional<Expected<json::Value>> Result;
  if (!runGuarded([&] { Result = By(); }) || !Result) {
    if (Result)
      consumeError(Result->takeError());
    return fail(Response, 500, "the analysis crashed");
  }
  if (!*Result) {
    bool IsRequest = Result->errorIsA<UsageError>();
    return fail(Response, IsRequest ? 400 : 422, toString(Result->takeError()));
  }
  std::string Text;
  raw_string_ostream(Text) << **Result;
  Response.set_content(Text, "application/json");
}

void WebServer::post(const char *Path,
                     Expected<json::Value> (WebProject::*Method)(
                         const json::Object &Parameters) const) {
  Server.Post(Path, [this, Method](const httplib::Request &Request,
                                   httplib::Response &Response) {
    answer(Response, [&]() -> Expected<json::Value> {
      Expected<json::Value> Body = parseMessage(Request.body);
      if (!Body)
        return make_error<UsageError>(toString(Body.takeError()));
      const json::Object *Parameters = Body->getAsObject();
      if (!Parameters)
        return make_error<UsageError>("expected an object of parameters");
      return (Project.*Method)(*Parameters);
    });
  });
}

void WebServer::route() {
  Server.set_payload_max_length(MaxBodyBytes);
  Server.set_read_timeout(ReadSeconds);
  Server.set_write_timeout(ReadSeconds);
  Server.set_keep_alive_timeout(ReadSeconds);
  // Nothing of the page comes from elsewhere, and no other page shows it.
  Server.set_default_headers(
      {{"Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; script-src "
        "'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cache-Control", "no-store"}});
  Server.set_pre_routing_handler(
      [this](const httplib::Request &Request, httplib::Response &Response) {
        return check(Request, Response);
      });
  Server.Get("/", [](const httplib::Request &, httplib::Response &Response) {
    Response.set_content(Page.data(), Page.size(), "text/html; charset=utf-8");
  });
  Server.Get("/api/files",
             [this](const httplib::Request &, httplib::Response &Response) {
               answer(Response, [&]() -> Expected<json::Value> {
                 return Project.files();
               });
             });
  Server.Get("/api/gpus",
             [this](const httplib::Request &, httplib::Response &Response) {
               answer(Response, [&] { return Project.gpus(); });
             });
  post("/api/estimate", &WebProject::estimate);
  post("/api/surface", &WebProject::surface);
  Server.set_error_handler(
      [](const httplib::Request &, httplib::Response &Response) {
        if (Response.body.empty())
          fail(Response, Response.status, "there is nothing at this address");
      });
}

ExitStatus WebServer::run(raw_ostream &Out, raw_ostream &Err) {
  route();
  bool IsBound = true;
  if (Where.Port == 0)
    IsBound = (Where.Port = Server.bind_to_any_port(Where.Host)) > 0;
  else
    IsBound = Server.bind_to_port(Where.Host, Where.Port);
  if (!IsBound) {
    Err << "gpu-estimate: error: --http: cannot listen on " << Where.Host << ':'
        << Where.Port << '\n';
    return WrongUsage;
  }
  bool IsV6 = StringRef(Where.Host).contains(':');
  Out << "http://" << (IsV6 ? "[" : "") << Where.Host << (IsV6 ? "]" : "")
      << ':' << Where.Port << "/?token=" << Token << '\n';
  Out.flush();
  return Server.listen_after_bind() ? Done : NotAnalysed;
}

/// "127.0.0.1:8080", "localhost:0", "[::1]:8080".
static Expected<Address> parseAddress(StringRef Text) {
  Address A;
  auto [Host, Port] = Text.rsplit(':');
  if (Host.consume_front("["))
    Host.consume_back("]");
  A.Host = Host == "localhost" ? "127.0.0.1" : Host.str();
  if (A.Host != "127.0.0.1" && A.Host != "::1")
    return make_error<UsageError>(
        ("--http: only this machine may ask: expected 127.0.0.1:PORT, "
         "localhost:PORT or [::1]:PORT, got '" +
         Text + "'; for another machine, forward the port by ssh -L")
            .str());
  if (Port.getAsInteger(10, A.Port) || A.Port < 0 || A.Port > 65535)
    return make_error<UsageError>(
        ("--http: expected a port from 0 to 65535, got '" + Port + "'").str());
  return A;
}

ExitStatus runWebServer(const Options &O, raw_ostream &Out, raw_ostream &Err) {
  Expected<Address> Where = parseAddress(O.Serve.HttpAddress);
  if (!Where) {
    Err << "gpu-estimate: error: " << toString(Where.takeError()) << '\n';
    return WrongUsage;
  }
  SmallString<256> Folder;
  if (std::error_code Code = sys::fs::real_path(".", Folder)) {
    Err << "gpu-estimate: error: " << Code.message() << '\n';
    return WrongUsage;
  }
  Options Defaults = O;
  Defaults.Headers = createHeaderCache();
  WebProject Project(Folder.str().str(), std::move(Defaults));
  return WebServer(Project, std::move(*Where)).run(Out, Err);
}

} // namespace gpuestimate
