"""Hooks of MkDocs: patterns in the navigation, and what lies outside docs/.

Files of the project's root that pages link to become pages below project/. Other
links out of docs/ lead nowhere on a site, and are shown as paths of the repository.

Each command has a page, made of its --help (GPU_ESTIMATE names the program), and each
group of options one, made of its section of docs/cli.md.
"""

import fnmatch
import os
import posixpath
import re
import subprocess
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent.parent
# Of the root, and their places on the site.
PROJECT = {"CHANGELOG.md": "project/changelog.md", "CONTRIBUTING.md": "project/contributing.md",
           "SECURITY.md": "project/security.md",
           "CODE_OF_CONDUCT.md": "project/code-of-conduct.md"}
MOVED = {**PROJECT, "README.md": "index.md", "docs/README.md": "index.md"}
# A link with a relative path, outside of code.
LINK = re.compile(r"(?P<code>^```.*?^```$|`[^`\n]*`)|"
                  r"(?P<image>!?)\[(?P<text>(?:[^\[\]`]|`[^`]*`)*)\]"
                  r"\((?P<path>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)",
                  re.DOTALL | re.MULTILINE)
MOST_MENTIONS = 6  # pages that a page of a command leads to


def help_of(*words):
    program = os.environ.get("GPU_ESTIMATE", "gpu-estimate")
    return subprocess.run([program, *words, "--help"], check=True, text=True,
                          capture_output=True).stdout


def command_pages(docs):
    """Pages by their places: the help of each command, and where it is told of."""
    listed = help_of().split("Commands:\n")[1].split("\n\n")[0]
    texts = {file.relative_to(docs).as_posix(): file.read_text(encoding="utf-8")
             for file in sorted(docs.rglob("*.md"))}
    pages = {}
    for line in listed.splitlines():
        name = line.split()[0]
        call = re.compile(rf"gpu-estimate {name}\b|`{name}`")
        # A long page is not about a command because it names it often.
        told = sorted((-len(call.findall(text)) / len(text) ** 0.5, page)
                      for page, text in texts.items()
                      if page not in ("cli.md", "architecture.md")
                      and not page.startswith(("design/", "skill/"))
                      and call.search(text))
        more = [f"- [{texts[page].split(chr(10))[0].lstrip('# ')}]({page})"
                for _, page in told[:MOST_MENTIONS]]
        pages[f"commands/{name}.md"] = "\n".join(
            [f"# gpu-estimate {name}", "", "```", help_of(name).strip(), "```", "",
             "[All options, by groups](cli.md).", "", "## Where to read on", "", *more, ""])
    return pages


def option_pages(docs):
    """Pages by their places: the sections of cli.md that are tables of options."""
    sections = re.split(r"^## ", (docs / "cli.md").read_text(encoding="utf-8"),
                        flags=re.MULTILINE)[1:]
    pages = {}
    for section in sections:
        title, body = section.split("\n", 1)
        if "| option" in body:
            place = "options/" + re.sub(r"\W+", "-", title.lower()).strip("-") + ".md"
            body = body.replace("](#", "](cli.md#")
            pages[place] = f"# Options: {title.lower()}\n{body}\n" \
                           "[All commands and options](cli.md).\n"
    return pages


MADE = {}  # text by place, of pages that are no files


def on_config(config):
    """Replaces patterns of the navigation by pages that it does not name."""
    docs = Path(config.docs_dir)
    MADE.update(command_pages(docs) | option_pages(docs))
    pages = sorted(file.relative_to(docs).as_posix() for file in docs.rglob("*.md"))
    pages += [*sorted(PROJECT.values()), *MADE]
    named = set()

    def collect(entries):
        for entry in entries:
            if isinstance(entry, str):
                named.add(entry)
            else:
                for value in entry.values():
                    collect(value if isinstance(value, list) else [value])

    def expand(entries):
        for entry in entries:
            if isinstance(entry, dict):
                yield {key: list(expand(value)) if isinstance(value, list) else value
                       for key, value in entry.items()}
            elif "*" in entry:
                yield from (page for page in pages if fnmatch.fnmatch(page, entry)
                            and page.count("/") == entry.count("/")
                            and page not in named)
            else:
                yield entry

    collect(config.nav)
    config.nav = list(expand(config.nav))
    return config


def on_files(files, config):
    for source, place in PROJECT.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / source)))
    for place, text in MADE.items():
        files.append(File.generated(config, place, content=text))
    return files


def sample():
    """The call of the compiler in README's sample, which scripts/update-readme keeps
    up to date."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.split("<!-- sample: scripts/update-readme -->\n")[1]
    assert block.startswith("```\n"), "README's sample is no block of code"
    return block.split("\n\n")[0] + "\n```"


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    # The repository shows the sample in README, and the site on its front page.
    markdown = markdown.replace(" [README](../README.md) has an example.", "") \
        .replace("<!-- sample of README -->", sample())
    original = "docs/cli.md" if here in MADE else next(
        (source for source, place in PROJECT.items() if place == here), "docs/" + here)

    def link(match):
        if match["code"]:
            return match[0]
        target = posixpath.normpath(
            posixpath.join(posixpath.dirname(original), match["path"]))
        site = MOVED.get(target, target.removeprefix("docs/")
                         if target.startswith("docs/") else None)
        if site is None: # of the repository, and not of the site
            text = match["text"]
            return text if f"`{target}`" == text else f"{text} (`{target}`)"
        path = posixpath.relpath(site, posixpath.dirname(here) or ".")
        # The front page has other parts than README.
        anchor = "" if site == "index.md" else match["anchor"] or ""
        return f"{match['image']}[{match['text']}]({path}{anchor})"

    return LINK.sub(link, markdown)
