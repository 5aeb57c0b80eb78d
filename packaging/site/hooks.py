"""Hooks of MkDocs: patterns in the navigation, and what lies outside docs/.

Files of the project's root that pages link to become pages below project/. Other
links out of docs/ lead nowhere on a site, and are shown as paths of the repository.
"""

import fnmatch
import posixpath
import re
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


def on_config(config):
    """Replaces patterns of the navigation by pages that it does not name."""
    docs = Path(config.docs_dir)
    pages = sorted(file.relative_to(docs).as_posix() for file in docs.rglob("*.md"))
    pages += sorted(PROJECT.values())
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
    original = next((source for source, place in PROJECT.items() if place == here),
                    "docs/" + here)

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
