#!/usr/bin/env python3
"""Runs the steps of action.yml on a small repository, as GitHub would, for pull
requests with planted regressions and a benign change.

    test/ci/test_action.py GPU_ESTIMATE

GPU_ESTIMATE is the command. Steps that use other actions are recorded, and not
run. Exit status 77: the module yaml is missing.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import yaml
except ImportError:
    print("python3 has no module yaml")
    sys.exit(77)

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "test" / "lit" / "Golden" / "Inputs" / "regressions"
COMMAND = None  # set by main


class Runner:
    """The part of a runner of GitHub that the action uses: steps of a composite
    action with `run`, expressions of names, ==, != and &&."""

    def __init__(self, repository, inputs, pull_request=None):
        self.action = yaml.safe_load((ROOT / "action.yml").read_text())
        self.repository, self.used, self.log = repository, [], ""
        self.state = Path(tempfile.mkdtemp())
        programs = self.state / "bin"
        programs.mkdir()
        (programs / "gpu-estimate").symlink_to(COMMAND)
        write_program(programs / "gh", FAKE_GH)
        self.environment = dict(
            os.environ, PATH=f"{programs}:{os.environ['PATH']}",
            GITHUB_WORKSPACE=str(repository), GITHUB_REPOSITORY="owner/name",
            GITHUB_STEP_SUMMARY=str(self.state / "summary.md"),
            GITHUB_PATH=str(self.state / "path"), GH_STATE=str(self.state))
        self.values = {"github.action_path": str(ROOT), "github.token": "secret",
                       "github.server_url": "https://example.com",
                       "runner.os": "Linux", "runner.arch": "X64"}
        for name, what in self.action["inputs"].items():
            self.values[f"inputs.{name}"] = inputs.get(name, what.get("default", ""))
        unknown = inputs.keys() - self.action["inputs"].keys()
        assert not unknown, f"action.yml has no input {unknown}"
        for key, value in (pull_request or {}).items():
            self.values[f"github.event.pull_request.{key}"] = value

    def expression(self, text):
        text = text.strip()
        for operator, combine in (("&&", lambda a, b: a and b),
                                  ("!=", lambda a, b: a != b),
                                  ("==", lambda a, b: a == b)):
            left, found, right = text.partition(operator)
            if found:
                return combine(self.expression(left), self.expression(right))
        if text.startswith("'"):
            return text.strip("'")
        assert re.fullmatch(r"[\w.-]+", text), f"no expression: {text}"
        return self.values.get(text, "")

    def text(self, value):
        return re.sub(r"\$\{\{(.*?)\}\}",
                      lambda match: str(self.expression(match[1])), str(value))

    def run(self):
        """The status of the first step that fails; 0 if none does."""
        for step in self.action["runs"]["steps"]:
            if not self.expression(step.get("if", "'true'")):
                continue
            if "uses" in step:
                self.used.append((step["uses"], {key: self.text(value) for key, value
                                                 in step.get("with", {}).items()}))
                continue
            assert step["shell"] == "bash", step
            outputs = self.state / "outputs"
            outputs.write_text("")
            variables = {key: self.text(value)
                         for key, value in step.get("env", {}).items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c",
                 self.text(step["run"])], cwd=self.repository, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=dict(self.environment, GITHUB_OUTPUT=str(outputs), **variables))
            self.log += done.stdout
            for line in outputs.read_text().splitlines():
                key, _, value = line.partition("=")
                self.values[f"steps.{step.get('id')}.outputs.{key}"] = value
            if done.returncode:
                return done.returncode
        return 0

    def table(self):
        return Path(self.values["steps.check.outputs.table"]).read_text()

    def comments(self):
        return [json.loads(line) for line in
                (self.state / "comments").read_text().splitlines()]


# Stands for GitHub's program: keeps comments, finds those with the marker.
FAKE_GH = r"""#!/usr/bin/env python3
import json, os, sys
from pathlib import Path
file = Path(os.environ["GH_STATE"]) / "comments"
comments = [json.loads(line) for line in file.read_text().splitlines()] \
    if file.exists() else []
words = sys.argv[1:]
assert words.pop(0) == "api" and os.environ["GH_TOKEN"], sys.argv
if "--jq" in words:
    assert words[:2] == ["--paginate", "repos/owner/name/issues/7/comments"], words
    for number, body in enumerate(comments):
        if body.startswith("<!-- gpu-estimate -->"):
            print(number)
    sys.exit()
method, place, body = words[1], words[2], words[4]
assert words[0] == "--method" and words[3] == "--field" and body.startswith("body=@")
text = Path(body[6:]).read_text()
if method == "POST":
    assert place == "repos/owner/name/issues/7/comments", place
    comments.append(text)
else:
    assert method == "PATCH", method
    comments[int(place.removeprefix("repos/owner/name/issues/comments/"))] = text
file.write_text("".join(json.dumps(text) + "\n" for text in comments))
"""


def write_program(file, text):
    file.write_text(text)
    file.chmod(0o755)


def git(repository, *words):
    subprocess.run(["git", "-c", "user.name=tester",
                    "-c", "user.email=tester@example.com", *words],
                   cwd=repository, check=True, capture_output=True)


class Action(unittest.TestCase):
    INPUTS = {"gpu": "nvidia-h200 nvidia-v100",
              "options": "--no-cuda-sdk --ptxas off --nvcc off -- -I include"}

    def setUp(self):
        self.repository = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.repository)
        (self.repository / "include").mkdir()
        (self.repository / "src").mkdir()
        shutil.copy(SOURCES / "smooth.cu", self.repository / "src")
        shutil.copy(SOURCES / "taps.h", self.repository / "include")
        git(self.repository, "init", "-q")
        git(self.repository, "add", ".")
        git(self.repository, "commit", "-qm", "base")

    def edit(self, file, old, new):
        place = self.repository / file
        text = place.read_text()
        self.assertIn(old, text)
        place.write_text(text.replace(old, new, 1))

    def amend_base(self, but):
        """Makes what was edited part of the base, but one file."""
        git(self.repository, "add", ".", f":!{but}")
        git(self.repository, "commit", "-qm", "more of the base")

    def pull_request(self, **inputs):
        """A pull request of what was edited; the runner after the action's steps."""
        base = subprocess.run(["git", "rev-parse", "HEAD"], cwd=self.repository,
                              text=True, capture_output=True, check=True).stdout.strip()
        git(self.repository, "commit", "-qam", "change")
        runner = Runner(self.repository, {**self.INPUTS, **inputs},
                        {"number": 7, "base.sha": base})
        self.addCleanup(shutil.rmtree, runner.state)
        self.status = runner.run()
        return runner

    def row(self, runner, kernel):
        rows = [line.split(" | ") for line in runner.table().splitlines()
                if f"`{kernel}`" in line]
        self.assertEqual(len(rows), 1, runner.table() + runner.log)
        return rows[0]

    def expect_regression(self, runner, kernel, cause, source):
        self.assertEqual(self.status, 1, runner.log)
        row = self.row(runner, kernel)
        self.assertEqual(row[0], "| **slower**")
        self.assertRegex(row[4], r"\+[\d.]+% \(\+[\d.]+% to \+[\d.]+%\)")
        self.assertIn("nvidia-h200", row[5])
        self.assertEqual(row[6:], [cause, source + " |"])
        self.assertEqual(runner.comments(), ["<!-- gpu-estimate -->\n" + runner.table()])
        summary = Path(runner.environment["GITHUB_STEP_SUMMARY"]).read_text()
        self.assertEqual(summary, runner.table())

    def test_dropped_restrict(self):
        self.edit("src/smooth.cu", " *__restrict__ in", " *in")
        runner = self.pull_request()
        self.expect_regression(runner, "accumulate", "stores",
                               "src/smooth.cu:3: `__restrict__` removed")
        # The findings are uploaded although the job fails.
        (cache, _), (upload, options) = runner.used
        self.assertTrue(cache.startswith("actions/cache@"))
        self.assertTrue(upload.startswith("github/codeql-action/upload-sarif@"))
        sarif = json.loads(Path(options["sarif_file"]).read_text())
        self.assertEqual(sarif["version"], "2.1.0")
        self.assertTrue(sarif["runs"][0]["results"])

    def test_larger_shared_array(self):
        self.edit("src/smooth.cu", "tile[48]", "tile[216]")
        self.expect_regression(self.pull_request(), "tiled", "shared-memory",
                               "src/smooth.cu:14: `48` became `216`")

    def test_lost_const_in_a_header(self):
        self.edit("include/taps.h", "__device__ const float", "__device__ float")
        # The source that includes it over another header is found.
        (self.repository / "include" / "outer.h").write_text('#include "taps.h"\n')
        self.edit("src/smooth.cu", '#include "taps.h"', "# include <outer.h>")
        (self.repository / "src" / "other.cu").write_text(
            "// #include of a name that only ends in it: \n#include \"nottaps.h\"\n")
        (self.repository / "include" / "nottaps.h").write_text("")
        self.amend_base("include/taps.h")
        runner = self.pull_request()
        self.expect_regression(runner, "accumulate", "loads",
                               "include/taps.h:2: `const` removed")

    def test_benign_change(self):
        self.edit("src/smooth.cu", "float sum = 0;", "float sum = 0; // of a column")
        self.edit("src/smooth.cu", "tile[48]", "tile[60]")
        runner = self.pull_request()
        self.assertEqual(self.status, 0, runner.log)
        row = self.row(runner, "tiled")
        self.assertEqual(row[0], "| *benign*")
        self.assertRegex(row[4], r"\+[\d.]+% \(-[\d.]+% to \+[\d.]+%\)")
        self.assertEqual(row[6:], ["shared-memory",
                                   "src/smooth.cu:14: `48` became `60` |"])
        self.assertEqual(len(runner.comments()), 1)

    def test_fails_on_every_change_where_asked(self):
        self.edit("src/smooth.cu", "tile[48]", "tile[60]")
        self.pull_request(**{"fail-on": "change", "explain": "false", "sarif": "false"})
        self.assertEqual(self.status, 1)

    def test_golden_file(self):
        options = ["--gpu", "nvidia-h200", "--gpu", "nvidia-v100", "--no-cuda-sdk",
                   "--ptxas", "off", "--nvcc", "off", "--", "-I", "include"]
        subprocess.run([COMMAND, "golden", "--update", "kernels.golden",
                        "src/smooth.cu", *options], cwd=self.repository, check=True,
                       capture_output=True)
        git(self.repository, "add", ".")
        git(self.repository, "commit", "-qm", "golden")
        self.edit("src/smooth.cu", "tile[48]", "tile[216]")
        runner = self.pull_request(golden="kernels.golden", files="src/*.cu")
        self.expect_regression(runner, "tiled", "shared-memory",
                               "src/smooth.cu:14: `48` became `216`")

    def test_second_run_replaces_the_comment(self):
        self.edit("src/smooth.cu", "tile[48]", "tile[216]")
        runner = self.pull_request(sarif="false", explain="false")
        self.assertEqual(runner.run(), 1)
        self.assertEqual(len(runner.comments()), 1)
        self.assertEqual([name.split("@")[0] for name, _ in runner.used],
                         ["actions/cache"] * 2)

    def test_nothing_to_analyse(self):
        (self.repository / "README").write_text("text")
        git(self.repository, "add", ".")
        runner = self.pull_request()
        self.assertEqual(self.status, 0, runner.log)
        self.assertIn("No CUDA or HIP source changed", runner.table())

    def test_source_that_does_not_compile(self):
        self.edit("src/smooth.cu", "float sum = 0;", "float sum = nothing;")
        runner = self.pull_request()
        self.assertEqual(self.status, 3, runner.log)
        self.assertIn("use of undeclared identifier 'nothing'", runner.log)
        self.assertIn("status 3", runner.comments()[0])


class Install(unittest.TestCase):
    def test_release(self):
        """The archive of a release is unpacked, and cached for the next job."""
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            tree = place / "gpu-estimate-9.9.9-linux-x86_64" / "bin"
            tree.mkdir(parents=True)
            write_program(tree / "gpu-estimate", "#!/bin/sh\necho release $1\n")
            target = place / "releases" / "download" / "v9.9.9"
            target.mkdir(parents=True)
            machine = os.uname().machine
            subprocess.run(["tar", "-czf", target / f"gpu-estimate-9.9.9-linux-{machine}.tar.gz",
                            "-C", place, tree.parent.name], check=True)
            environment = {"PATH": "/usr/bin:/bin", "HOME": folder,
                           "GITHUB_PATH": str(place / "path"),
                           "GPU_ESTIMATE_REPOSITORY": f"file://{folder}",
                           "GPU_ESTIMATE_VERSION": "9.9.9"}
            for expected in ("release doctor", "cached"):
                done = subprocess.run([ROOT / "packaging" / "ci" / "install"],
                                      env=environment, text=True, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(expected, done.stdout)
            self.assertEqual((place / "path").read_text().splitlines()[0],
                             f"{folder}/.cache/gpu-estimate-ci/bin")
            environment["GPU_ESTIMATE_VERSION"] = "1.0.0"
            shutil.rmtree(place / ".cache")
            done = subprocess.run([ROOT / "packaging" / "ci" / "install"],
                                  env=environment, text=True, capture_output=True)
            self.assertNotEqual(done.returncode, 0)


class OtherSystems(unittest.TestCase):
    def test_component_of_gitlab(self):
        head, job = yaml.safe_load_all(
            (ROOT / "templates" / "gpu-estimate.yml").read_text())
        text = (ROOT / "templates" / "gpu-estimate.yml").read_text()
        used = set(re.findall(r"\$\[\[ inputs\.([\w-]+) \]\]", text))
        self.assertEqual(used, set(head["spec"]["inputs"]))
        self.check_variables(job["gpu-estimate"]["variables"])
        self.assertIn("share/gpu-estimate/ci/check", job["gpu-estimate"]["script"][0])

    def test_variables_are_those_of_the_script(self):
        action = yaml.safe_load((ROOT / "action.yml").read_text())
        step = next(s for s in action["runs"]["steps"] if s.get("id") == "check")
        self.check_variables(step["env"])
        jenkins = (ROOT / "packaging" / "ci" / "Jenkinsfile").read_text()
        self.check_variables(re.findall(r"^    (GPU_ESTIMATE_\w+) =", jenkins, re.MULTILINE))

    def check_variables(self, names):
        script = (ROOT / "packaging" / "ci" / "check").read_text()
        for name in names:
            if name.startswith("GPU_ESTIMATE_"):
                self.assertIn("${" + name, script)

    def test_hooks_of_pre_commit(self):
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(SOURCES / "smooth.cu", folder)
            shutil.copy(SOURCES / "taps.h", folder)
            (Path(folder) / ".gpu-estimate.yaml").write_text(
                "gpu: nvidia-h200\nbudget: {tiled: 1us}\n")
            golden = next(h for h in hooks if h["id"] == "gpu-estimate-golden")
            budget = next(h for h in hooks if h["id"] == "gpu-estimate-budget")
            self.assertEqual(self.hook(golden, folder, "--update", "g", "smooth.cu"), 0)
            self.assertEqual(self.hook(golden, folder, "--check", "g", "smooth.cu"), 0)
            self.assertEqual(self.hook(budget, folder, "smooth.cu"), 1)
            for hook in hooks:
                self.assertRegex("a/b.cu", hook["files"])
                self.assertNotRegex("a.cpp", hook["files"])

    def hook(self, hook, folder, *words):
        entry = hook["entry"].split()
        self.assertEqual(entry[0], "gpu-estimate")
        return subprocess.run([COMMAND, *entry[1:], *words], cwd=folder,
                              capture_output=True).returncode


if __name__ == "__main__":
    COMMAND = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
