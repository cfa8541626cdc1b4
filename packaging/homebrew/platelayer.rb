# Untested: no Homebrew has built this formula yet. packaging/README.md has the steps.
class Platelayer < Formula
  include Language::Python::Virtualenv

  desc "Print, check and assemble 18xx railway games from JSON definitions"
  homepage "https://github.com/platelayer/platelayer"
  url "https://pypi.org/packages/source/p/platelayer/platelayer-1.1.0.tar.gz"
  sha256 "SHA256_OF_THE_SOURCE_ARCHIVE"
  license all_of: ["MIT", "OFL-1.1", "Zlib", "CC0-1.0", "Apache-2.0", "CC-BY-4.0", "Unicode-3.0"]

  depends_on "cairo"
  depends_on "pillow"
  depends_on "python@3.13"
  depends_on "qpdf"

  # The Python packages, by `brew update-python-resources platelayer`:
  # click jsonschema msgspec reportlab pikepdf svgwrite tinycss2 cairosvg cairocffi pypdfium2 budoux segno
  # and what these need. cairo is there, so pypdfium2 may be left out.

  def install
    virtualenv_install_with_resources
  end

  test do
    system bin/"platelayer", "check", "--quick", "18eu"
    system bin/"platelayer", "draw", "18eu", "tile:57", "-o", "57.png"
    assert_path_exists testpath/"57.png"
  end
end
