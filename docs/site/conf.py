"""Configuration of the documentation site, for Sphinx. The target `site` of the build sets the environment."""

import os

from pygments.lexers.special import TextLexer

project = "semla"
version = release = os.environ["SEMLA_VERSION"]

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "nbsphinx"]
root_doc = "index"
# Pages that list the files of a folder are for readers of the source code.
exclude_patterns = ["README.md", "api/README.md", "api/main.md", "examples", "guide/README.md", "man", "site"]
myst_heading_anchors = 4  # links to headings work as on a page of the repository

breathe_projects = {"semla": os.environ["SEMLA_DOXYGEN_XML"]}
breathe_default_project = "semla"
breathe_domain_by_extension = {"h": "c"}
autodoc_member_order = "bysource"
nbsphinx_execute = "always"
nbsphinx_timeout = 120

html_theme = "furo"
html_title = f"semla {version}"
html_show_copyright = False


def setup(app):
    app.add_lexer("mermaid", TextLexer)
