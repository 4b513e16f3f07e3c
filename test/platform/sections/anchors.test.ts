// The names of headings: those that docgraph gives, and those of other tools and of authors. Each name leads to its
// heading in links, and browsers find it in the HTML.
import { expect, test } from "vitest";
import { sectionsIn } from "#src/documents/sections/sections.ts";
import { shown } from "#test/platform/html/shown.ts";

/** By the tool: its name of a heading in a text. */
const cases: readonly (readonly [source: string, markdown: string, names: readonly string[]])[] = [
  ["GitHub (GitbookIO/gitbook)", "## dispatch(action)", ["dispatch-action", "dispatchaction"]],
  ["Docusaurus", "## Why isn't it?", ["why-isn-t-it", "why-isnt-it"]],
  ["MkDocs (mkdocs/mkdocs)", "## markdown_extensions", ["markdown-extensions", "markdown_extensions"]],
  ["GitHub's numbers", "## Response\n\n## Response", ["response", "response-2", "response-1"]],
  ["Python-Markdown's numbers", "## Response\n\n## Response", ["response-2", "response_1"]],
  ["GitHub, two blanks for a sign", "## Build & run", ["build-run", "build--run"]],
  ["GitLab, one", "## Tips / tricks", ["tips-tricks"]],
  ["GitBook, a number first", "## 1. Install it", ["1-install-it", "id-1.-install-it"]],
  ["GitBook, an ampersand", "## Import & export", ["import-export", "import-and-export"]],
  ["Python-Markdown, without accents", "## Ünïted Café ß", ["united-cafe-ß", "united-cafe"]],
  ["VitePress (vuejs/vitepress)", "## 2nd `step_one`", ["2nd-step-one", "_2nd-step-one"]],
  ["markdown-it-anchor", "## What's new?", ["what-s-new", "what's-new?"]],
  ["kramdown, Jekyll", "## 3. Use it_all", ["3-use-it-all", "use-itall"]],
  ["Pandoc", "## 4.2 Hello.World", ["4-2-hello-world", "hello.world"]],
  ["mdBook (rust-lang/mdBook)", "## The `fn` keyword!", ["the-fn-keyword"]],
  ["Docutils", "## 5 Things", ["5-things", "things"]],
  ["GitHub, HTML in the heading", "## H<sub>2</sub>O", ["h-2-o", "h2o"]],
  ["an explicit id", "## Custom {#my-id}", ["my-id", "custom"]],
  ["an explicit id in other letters", "## Custom {#myId .wide}", ["myid", "custom"]],
  ["an id with an underscore", "## Custom {#my_id}", ["custom", "my_id"]],
  ["kramdown's attributes", "## Custom {: #my-id }", ["my-id"]],
  ["kramdown's attributes below", "## Custom\n{: #my-id}", ["custom", "my-id"]],
  ["MDX", "## Custom {/* #my-id */}", ["my-id"]],
  ["GitBook's export", '### Section header <a href="#space-header" id="space-header"></a>', ["space-header"]],
  ["an id before the heading", '<a id="free"></a>\n\n## Custom', ["custom", "free"]],
  ["a name before the heading", "<a name='old_name'></a>\n## Custom", ["custom", "old_name"]],
  ["an unquoted name in the heading", "## <a name=old>Custom</a>", ["old", "custom"]],
  ["an id of a website", '<h2 id="site-id">Custom</h2>\n\nText', ["site-id"]],
  ["a place in the text", 'Text <span id="spot"></span> text', ["spot"]],
  ["a heading with references", "# Caf&#xE9; &mdash; one", ["cafe-one", "café--one"]],
  ["a heading in a hint", '{% hint style="info" %}\n## In it\n{% endhint %}', ["in-it"]],
];

test.each(cases)("%s: %j has the names %j", (_source, markdown, names) => {
  const { sections, places } = sectionsIn(markdown);
  const known = [...sections.flatMap(({ anchor, aliases }) => [anchor?.toLowerCase(), ...aliases]), ...places];
  expect(known).toEqual(expect.arrayContaining([...names]));
  const html = shown(markdown).replaceAll("&#x27;", "'");
  for (const name of names)
    expect(
      [`id="${name}"`, `name="${name}"`].some((one) => html.includes(one)),
      name,
    ).toBe(true);
});

test("the name that docgraph makes does not change for a text with other names", () => {
  const anchors = (markdown: string) => sectionsIn(markdown).sections.map(({ anchor }) => anchor);
  expect(anchors("# A\n\n# A\n\n# A-1\n\n# `b_c` & *d*\n\n# !\n\n# {#x}")).toEqual([
    "a",
    "a-2",
    "a-1",
    "b-c-d",
    "section",
    "x",
  ]);
});

test("a name belongs to the first heading that has it, and the names of docgraph come first", () => {
  expect(sectionsIn("# A\n\n# A\n\n# A 1").sections.map(({ anchor, aliases }) => [anchor, aliases])).toEqual([
    ["a", []],
    ["a-2", ["a_1"]],
    ["a-1", []],
  ]);
  expect(shown("[x](#dispatchaction) [y](#Dispatch%20Action)\n\n# dispatch(action)")).toContain(
    '<a href="#dispatch-action">x</a> <a href="#dispatch-action">y</a>',
  );
});

test("names of authors cannot become ids of elements around the text", () => {
  expect(shown('<p id="app_root">x</p>\n\n<div id="__proto__">y</div>')).toBe(
    '<p><a name="app_root"></a>x</p>\n<div><a name="__proto__"></a>y</div>',
  );
});
