"""browser.py FOLDER COMMAND...: an HTTP client of `gpu-estimate serve --http`,
started in the folder; also one that nobody should trust."""
import http.client
import json
import re
import socket
import subprocess
import sys
import urllib.parse

folder, command = sys.argv[1], sys.argv[2:]
server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
address = server.stdout.readline().strip()
port, token = re.fullmatch(r"http://127.0.0.1:(\d+)/\?token=([0-9a-f]{32})", address).groups()
port = int(port)


def ask(method, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def api(path, body=None, **headers):
    status, text = ask("POST" if body is not None else "GET", "/api/" + path,
                       body if isinstance(body, (str, bytes, type(None))) else json.dumps(body),
                       **{"Authorization": "Bearer " + token, **headers})
    return status, json.loads(text)


def raw(data):
    """What the server says to bytes that need not be HTTP."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer.split(b"\r\n")[0].decode()


try:
    status, page = ask("GET", "/?token=" + token)
    print("page", status, "<title>gpu-estimate</title>" in page)
    print("files", api("files")[1]["files"], api("files")[1]["gpu"])
    print("gpus", any(g["id"] == "nvidia-v100" for g in api("gpus")[1]["gpus"]))
    launch = {"file": "sub/saxpy.cu", "gpu": "nvidia-v100"}
    status, found = api("estimate", launch)
    first = found["estimates"][0]
    print("estimate", status, first["kernel"], first["launch"]["grid"], sorted(first["roofline"]),
          first["cpi_stack"][0]["cycles_per_instruction"] > 0, first["arguments"]["n"])
    status, found = api("estimate", {**launch, "grid": "8192", "param": {"n": 2097152},
                                     "set": {"core_clock": "700MHz"}})
    print("changed", status, found["estimates"][0]["launch"]["grid"],
          found["estimates"][0]["time_ms"] > first["time_ms"])

    status, found = api("surface", launch)
    surface = found["surfaces"][0]
    print("surface", status, surface["kernel"], surface["multiprocessors"], surface["clocks_mhz"],
          surface["times_ms"][-1][-1] == first["time_ms"])

    # Without the token, or with another name of this machine.
    print("no token", ask("GET", "/")[0], ask("GET", "/?token=" + "0" * 32)[0],
          ask("GET", "/api/files")[0], ask("GET", "/api/files?token=" + token)[0],
          api("files", Authorization="Bearer " + token[:-1])[0])
    print("other host", api("files", Host="evil.example:%d" % port)[0], api("files", Host="evil.example")[0],
          api("files", Host="localhost:%d" % port)[0])

    # Files that are none of the project's.
    for name in ["../secret.cu", "sub/../../secret.cu", "/etc/passwd", "../../../../etc/passwd",
                 folder + "/../secret.cu", "link.cu", "linked/secret.cu", "sub\u0000.cu", "", ".",
                 "%2e%2e/secret.cu", "..%2fsecret.cu", "notes.txt", "missing.cu"]:
        for method in ["estimate", "surface"]:
            status, answer = api(method, {"file": name, "gpu": "nvidia-v100"})
            assert status == 400 and "file:" in answer["error"] and "hidden" not in json.dumps(answer), (name, answer)
    print("traversal refused")
    for path in ["/../secret.cu", "/api/../../etc/passwd", "/sub/saxpy.cu", "/etc/passwd", "/api/", "//"]:
        status, text = ask("GET", path, **{"Authorization": "Bearer " + token})
        assert status in (400, 403, 404), (path, status)
        assert "root:" not in text and "__global__" not in text
    print("no file is served")
    for more in [{"args": ["-include", "/etc/passwd"]}, {"config": "/etc/passwd"}, {"source": "x"},
                 {"buffer": {"x": "/etc/passwd"}}, {"profile": "x"}, {"gpu": "/etc/passwd"},
                 {"gpu": "../secret.yaml"}, {"gpu": []}, {"model_folder": "/"}, {"cuda_path": "/"},
                 {"p": "/"}, {"ptxas": "/bin/sh"}, {"grid": [[[]]]}, {"param": 7}]:
        status, answer = api("estimate", {**launch, **more})
        assert status == 400 and answer["error"], (more, status, answer)
    print("options that name files refused")

    # Requests that are no requests.
    print("oversized", api("estimate", {"file": "x" * 100000})[0])
    print("malformed", api("estimate", "{")[0], api("estimate", "[" * 60000)[0], api("estimate", b"\xff\xfe")[0],
          api("estimate", "7")[0], api("estimate", "")[0])
    wrong_method, _ = ask("PUT", "/api/estimate", "{}", Authorization="Bearer " + token)
    print("method", wrong_method)
    for data in [b"GET\r\n\r\n", b"\x00" * 5000, b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20000 + b"\r\n",
                 b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n",
                 b"POST /api/estimate HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                 b"POST /api/estimate HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
                 b"POST /api/estimate HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"]:
        first_line = raw(data)
        assert not first_line or re.match(r"HTTP/1.1 4\d\d", first_line), (data[:40], first_line)
    print("garbage refused")
    assert server.poll() is None
    print("still there", api("estimate", launch)[1]["estimates"][0] == first)
finally:
    server.terminate()
    server.wait()
