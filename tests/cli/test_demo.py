"""``maxmargin demo``."""


def test_demo(inside):
    code, out, _ = inside("demo")
    assert code == 0
    assert "1797 images of handwritten digits" in out
    assert "adjusted Rand index" in out
