// Formulas, headings, footnotes and elements within lines of websites, as Markdown.
import { describe, expect, test } from "vitest";
import { compact, markdownOfHtml } from "#test/features/imports/website/html.ts";

const katex = (tex: string, display = "") =>
  `<span class="katex"><span class="katex-mathml"><math${display}><semantics><mi>x</mi><annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span>`;

describe("formulas of a website keep their source", () => {
  test.each([
    ["KaTeX", `<p>A ${katex("x_{1}*y*")} B</p>`, "A $$x_{1}*y*$$ B"],
    ["KaTeX on a line", `<span class="katex-display">${katex("a=b", ' display="block"')}</span>`, "$$\na=b\n$$"],
    [
      "scripts of MathJax 2",
      `<p>A <span class="MathJax_Preview">x</span><script type="math/tex">a_1</script></p><script type="math/tex; mode=display">b</script>`,
      "A $$a_1$$\n$$\nb\n$$",
    ],
    [
      "MathJax 3",
      `<p><mjx-container><mjx-math></mjx-math><mjx-assistive-mml><math><msqrt><mi>x</mi></msqrt></math></mjx-assistive-mml></mjx-container></p>`,
      "$$\\sqrt{x}$$",
    ],
    [
      "MathML",
      `<p><math><msup><mi>x</mi><mn>2</mn></msup><mo>≤</mo><mfrac><mn>1</mn><mi>y</mi></mfrac></math></p>`,
      "$$x^{2}\\le \\frac{1}{y}$$",
    ],
    [
      "Sphinx",
      `<p>A <span class="math notranslate">\\(x_1\\)</span></p><div class="math notranslate">\\[a=b\\]</div>`,
      "A $$x_1$$\n$$\na=b\n$$",
    ],
    ["arithmatex", `<p><span class="arithmatex">\\(q\\)</span></p>`, "$$q$$"],
    ["WordPress", `<p><img class="latex" alt="x^2" src="https://a.example/latex.php?x"></p>`, "$$x^2$$"],
    ["GitHub", `<p><math-renderer>$z$</math-renderer></p>`, "$$z$$"],
    [
      "Wikipedia",
      `<p><span class="mwe-math-element"><math alttext="{\\displaystyle E=mc^2}"><mi>E</mi></math><img class="mwe-math-fallback-image-inline" alt="E"></span></p>`,
      "$$E=mc^2$$",
    ],
  ])("%s", (_source, html, text) => {
    expect(compact(markdownOfHtml(html))).toBe(text);
  });

  test("a script of the page draws formulas in its text; other dollars are dollars", () => {
    const html = "<p>A \\(x\\) and $$y$$ for $5 and $10</p>";
    expect(compact(markdownOfHtml(html, true))).toBe("A $$x$$ and\n$$\ny\n$$\nfor $5 and $10");
    expect(compact(markdownOfHtml("<p>$a$ {% hint %} {{ x }}</p><p>::: tip</p>"))).toBe(
      "\\$a\\$ \\{% hint %} \\{{ x }}\n\\::: tip",
    );
  });
});

test("elements within lines keep their meaning", () => {
  const html = `<p>H<sub>2</sub>O x<sup>2</sup> <mark>m</mark> <b>Note: </b>text <i> it</i>x <a name="q">named</a> <a href="javascript:x()">js</a> <ruby>漢<rt>kan</rt></ruby> long<wbr>word <!-- c --></p>`;
  expect(markdownOfHtml(html)).toBe(
    "H<sub>2</sub>O x<sup>2</sup> <mark>m</mark> **Note:** text *it*x named js 漢(kan) longword\n",
  );
});

test("footnotes become footnotes", () => {
  const html = `<p>A<sup><a href="https://a.example/#fn1">1</a></sup></p><section data-footnotes><ol><li id="fn1"><p>B <a href="https://a.example/#r1" class="data-footnote-backref">↩</a></p></li></ol></section>`;
  expect(compact(markdownOfHtml(html))).toBe("A[^1]\n[^1]: B");
});

test("headings keep ids that neither our anchors nor those of GitHub equal", () => {
  const html = `<h2 id="getting_started">Start here</h2><section id="files--folders"><span id="old"></span><h2>Files &amp; folders</h2></section><h2 id="example">Example</h2><h2 id="example-1">Example</h2><h2 id="x.y">Z <a href="#x.y" class="anchor">#</a></h2><h2><br></h2>`;
  expect(compact(markdownOfHtml(html)).split("\n")).toEqual([
    "## Start here {#getting_started}",
    '## <a id="old"></a>Files & folders',
    "## Example",
    "## Example",
    "## Z {#x.y}",
  ]);
});
