"""The examples of docs/python.md and of the package's own documentation give what they say."""

import doctest
import os
import re

import semla


def test_the_page():
    path = os.path.join(os.environ["SEMLA_PROJECT"], "docs", "python.md")
    with open(path, encoding="utf-8") as page:
        text = re.sub(r"^```.*$", "", page.read(), flags=re.M)
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", path, 0)
    assert len(test.examples) > 25
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize().failed == 0


def test_the_package():
    assert doctest.testmod(semla).failed == 0 and semla.__doc__.count(">>>") > 2
