// The blocks of every dialect become the same few views, and nothing of their source is shown.
import { describe, expect, test } from "vitest";
import { shown } from "#test/platform/html/shown.ts";

const lines = (...all: readonly string[]): string => all.join("\n");
const hint = (style: string, ...inside: readonly string[]) =>
  `<div class="hint hint-${style}" role="note">${inside.join("")}</div>`;
const title = (text: string) => `<div class="hint-title">${text}</div>`;

describe("a hint", () => {
  test.each([
    ["GitBook", '{% hint style="warning" %}\nText\n{% endhint %}', hint("warning", "<p>Text</p>")],
    ["GitBook in one line", '{% hint style="info" %} Text {% endhint %}', hint("info", "<p>Text</p>")],
    ["GitHub", "> [!CAUTION]\n> Text", hint("warning", title("Caution"), "<p>Text</p>")],
    ["Obsidian", "> [!tip] A title\n> Text", hint("success", title("A title"), "<p>Text</p>")],
    ["Docusaurus", ":::note[A **title**]\nText\n:::", hint("info", title("A <strong>title</strong>"), "<p>Text</p>")],
    ["VitePress", "::: danger STOP\nText\n:::", hint("danger", title("STOP"), "<p>Text</p>")],
    ["Pandoc", "::: {.warning}\nText\n:::", hint("warning", "<p>Text</p>")],
    ["MkDocs", '!!! tip "A title"\n    Text', hint("success", title("A title"), "<p>Text</p>")],
    ["MkDocs without a title", "!!! warning\n\n    Text", hint("warning", title("Warning"), "<p>Text</p>")],
    ["Mintlify", "<Warning>\nText\n</Warning>", hint("warning", "<p>Text</p>")],
    ["Mintlify in one line", "<Note>Text</Note>", hint("info", "<p>Text</p>")],
  ])("of %s", (_dialect, markdown, html) => {
    expect(shown(markdown)).toBe(html);
  });

  test("contains blocks of other dialects, lists and code", () => {
    const markdown = lines(
      '{% hint style="danger" %}',
      "- one",
      "",
      ":::tip",
      "```md",
      "{% hint %}",
      "```",
      ":::",
      "{% endhint %}",
    );
    const html = shown(markdown);
    expect(html).toContain('<div class="hint hint-danger" role="note"><ul>');
    expect(html).toContain('<div class="hint hint-success" role="note"><div class="code" data-language="md">');
    expect(html).toContain("{% hint %}</code>");
  });

  test("is in the item of a list, and in a quote", () => {
    const inItem = lines("1. One", "", "   {% hint %}", "   Text", "   {% endhint %}", "2. Two");
    expect(shown(inItem)).toMatch(/<li>\s*<p>One<\/p>\s*<div class="hint hint-info" role="note"><p>Text<\/p><\/div>/);
    expect(shown("> {% hint %}\n> Text\n> {% endhint %}")).toMatch(/^<blockquote>\s*<div class="hint hint-info"/);
  });
});

const tabSet = (...tabs: readonly (readonly [string, string])[]) => {
  const parts = tabs.map(([name, html], index) => {
    const id = `tab_1_${index + 1}`;
    const checked = index === 0 ? " checked" : "";
    return `<input type="radio" class="tab" name="tab_1" id="${id}"${checked}><label for="${id}" class="tab-title">${name}</label><div class="tab-panel">${html}</div>`;
  });
  return `<div class="tab-set">${parts.join("")}</div>`;
};

describe("tabs", () => {
  const both = tabSet(["One", "<p>First</p>"], ["Two", "<p>Second</p>"]);
  const code = (language: string) =>
    `<div class="code" data-language="${language}"><pre tabindex="0"><code class="hljs language-${language}">x</code></pre></div>`;
  test.each([
    [
      "GitBook",
      '{% tabs %}\n{% tab title="One" %}\nFirst\n{% endtab %}\n\n{% tab title="Two" %}\nSecond\n{% endtab %}\n{% endtabs %}',
      both,
    ],
    ["MkDocs", '=== "One"\n\n    First\n\n=== "Two"\n\n    Second', both],
    ["Mintlify", '<Tabs>\n<Tab title="One">\nFirst\n</Tab>\n<Tab title="Two">\nSecond\n</Tab>\n</Tabs>', both],
    [
      "Docusaurus",
      '<Tabs>\n  <TabItem value="a" label="One">\n  First\n  </TabItem>\n  <TabItem value="b" label="Two">\n  Second\n  </TabItem>\n</Tabs>',
      both,
    ],
    [
      "VitePress",
      "::: code-group\n```go [a.go]\nx\n```\n```yaml\nx\n```\n:::",
      tabSet(["a.go", code("go")], ["YAML", code("yaml").replace(">x<", '><span class="hljs-string">x</span><')]),
    ],
  ])("of %s", (_dialect, markdown, html) => {
    expect(shown(markdown)).toBe(html);
  });

  test("show the samples of a computed page", () => {
    const html = shown("## Code samples\n\n```sh\ncurl x\n```\n\n```js\nfetch()\n```\n\n## More");
    expect(html).toContain('<div class="tab-set">');
    expect(html).toContain(">Shell</label>");
    expect(html).toContain('<h2 id="more">');
  });
});

test("an expandable part is `details`", () => {
  const html = (inside: string) => `<details class="expandable"><summary>Title</summary>${inside}</details>`;
  expect(shown("::: details Title\nText\n:::")).toBe(html("<p>Text</p>"));
  expect(shown('<Accordion title="Title">\nText\n</Accordion>')).toBe(html("<p>Text</p>"));
  expect(shown('??? note "Title"\n    Text')).toContain("<summary>Title</summary><p>Text</p></details>");
  expect(shown('???+ note "Title"\n    Text')).toMatch(/^<details class="[^"]*" open>/);
  expect(shown("<details>\n\n<summary>Title</summary>\n\n**Text**\n\n</details>")).toContain("<strong>Text</strong>");
});

test("steps are a list", () => {
  const html = shown(
    "{% stepper %}\n{% step %}\n### One\nA\n{% endstep %}\n{% step %}\nB\n{% endstep %}\n{% endstepper %}",
  );
  expect(html).toMatch(
    /^<ol class="steps"><li class="step"><h3 id="one">One<a class="anchor".*<li class="step"><p>B<\/p><\/li><\/ol>$/,
  );
  expect(shown('<Steps>\n<Step title="One">\nA\n</Step>\n</Steps>')).toBe(
    '<ol class="steps"><li class="step"><div class="step-title">One</div><p>A</p></li></ol>',
  );
});

test("embedded content, references to pages and files are links", () => {
  const link = (name: string, href: string, text: string) => `<p class="${name}"><a href="${href}">${text}</a></p>`;
  expect(shown('{% embed url="https://www.example.com/v" %}')).toBe(
    link("embed", "https://www.example.com/v", "example.com/v"),
  );
  expect(shown('{% embed url="https://example.com/v" %}\nThe *film*\n{% endembed %}')).toBe(
    link("embed", "https://example.com/v", "The film"),
  );
  expect(shown('{% content-ref url="a.md" %}\n[Page](a.md)\n{% endcontent-ref %}')).toBe(
    link("reference", "a.md", "Page"),
  );
  expect(shown('{% file src="a/b.pdf" %}')).toBe(link("file", "a/b.pdf", "b.pdf"));
  expect(shown('<iframe src="https://example.com/v" title="Film"></iframe>')).toBe(
    '<a href="https://example.com/v">Film</a>',
  );
});

test("blocks of documents that Markdown does not have, and of integrations, are shown by their content", () => {
  const embed = '<p class="embed"><a href="https://example.com/v">example.com/v</a></p>';
  expect(shown('<!-- docgraph:node {"type":"embed","data":{"url":"https://example.com/v"}} -->')).toBe(embed);
  expect(shown('```integration:figma/embed\n{"url":"https://example.com/v"}\n```')).toBe(embed);
  expect(shown('```integration:mermaid/diagram\n{"content":"graph TD"}\n```')).toContain("graph TD</code>");
  expect(shown("```integration:x/y\n{}\n```")).toBe("");
  const note = '<!-- docgraph:next blockquote {"type":"hint","data":{"style":"warning"}} -->';
  expect(shown(`${note}\n\n> Text`).trim()).toBe(hint("warning", "<p>Text</p>"));
});

test("cards are links, from GitBook's tables and from components", () => {
  const table =
    '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><strong>A</strong></td><td>Text</td><td><a href="a.md">a.md</a></td><td><a href="a.png">a.png</a></td></tr></tbody></table>';
  expect(shown(table)).toBe(
    '<div class="cards"><a class="card" href="a.md"><img src="a.png" alt="" class="card-image"><div class="card-title"><strong>A</strong></div><div class="card-text">Text</div></a></div>',
  );
  expect(
    shown('<CardGroup cols={2}>\n<Card\n  title="A"\n  icon="x"\n  href="/a"\n>\n  See [b](/b)\n</Card>\n</CardGroup>'),
  ).toBe('<div class="cards"><a class="card" href="/a"><div class="card-title">A</div><p>See b</p></a></div>');
});

describe("code", () => {
  test.each([
    [
      "GitBook's block",
      '{% code title="a.ts" overflow="wrap" %}\n```ts\nx\n```\n{% endcode %}',
      /class="code wraps".*code-title">a\.ts</,
    ],
    ["title in the meta", '```ts title="a.ts"\nx\n```', /code-title">a\.ts</],
    ["file name alone in the meta", "```ts src/a.ts\nx\n```", /code-title">src\/a\.ts</],
    [
      "line numbers",
      "```ts showLineNumbers\nx\ny\n```",
      /class="code numbered".*code-numbers" aria-hidden="true">1\n2</,
    ],
    ["colours", "```ts\nconst x = 1;\n```", /<span class="hljs-keyword">const<\/span>/],
    ["an unknown language", "```nope\n<x>\n```", /language-nope">&#x3C;x></],
  ])("with %s", (_what, markdown, html) => {
    expect(shown(markdown)).toMatch(html);
  });

  test("of a request has a badge of its method", () => {
    const badge = '<span class="method method-get">GET</span> <code>/users/{id}</code>';
    expect(shown("```http\nGET /users/{id}\n```")).toBe(`<div class="endpoint">${badge}</div>`);
    expect(shown("`GET /users/{id}`")).toBe(`<p><span class="endpoint">${badge}</span></p>`);
    expect(shown("`GET it`")).toBe("<p><code>GET it</code></p>");
  });
});

test("formulas are MathML, and prices are not formulas", () => {
  expect(shown("$a^2$ and $$b$$")).toMatch(/^<p><math xmlns="[^"]*"><mrow><msup>.*<\/math> and <math/);
  expect(shown("$$\na\n$$")).toMatch(/^<div class="formula" tabindex="0"><math [^>]*display="block"/);
  expect(shown("$$a$$")).toMatch(/^<div class="formula"/);
  expect(shown("Costs $5, $6 or $7.")).toBe("<p>Costs $5, $6 or $7.</p>");
  expect(shown("$\\frac{$")).toBe('<p><code class="formula-error">\\frac{</code></p>');
  expect(shown("$a$")).not.toContain("annotation");
});

test("images have variants for the dark scheme, and load when they are near", () => {
  const picture =
    '<picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt="A" width="20"></picture>';
  expect(shown(picture)).toBe(
    '<p><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt="A" width="20" loading="lazy"></picture></p>',
  );
  expect(shown("![A](https://example.com/a.png#gh-dark-mode-only)")).toContain('class="only-dark"');
});

test("coloured texts keep their colours as classes", () => {
  expect(shown('<mark style="color:red;">a</mark>')).toBe('<p><mark class="ink-red">a</mark></p>');
  expect(shown('<mark style="background-color:blue;">a</mark>')).toBe('<p><mark class="back-blue">a</mark></p>');
  expect(shown('<mark class="x" style="color:url(x)">a</mark>')).toBe("<p><mark>a</mark></p>");
});

test("tables scroll, tasks have names, and footnotes link back", () => {
  expect(shown("| a |\n|--:|\n| b |")).toMatch(/^<div class="table" tabindex="0"><table>[^]*<td align="right">b/);
  expect(shown("- [x] a\n- [ ] b")).toContain('<input type="checkbox" checked disabled aria-label="Done"> a');
  const html = shown("a[^1]\n\n[^1]: note");
  for (const name of ["note_fn-1", "note_fnref-1"]) {
    expect(html).toContain(`id="${name}"`);
    expect(html).toContain(`href="#${name}"`);
  }
});

test.each([
  ["front matter", "---\ntitle: A\ntags: [a]\n---\n\nText", "<p>Text</p>"],
  ["attributes of a heading", "## Title {#x .y}", /^<h2 id="x">Title<a/],
  ["the name of a heading", '## Title <a href="#x" id="x"></a>', /^<h2 id="x">Title <a class="anchor" href="#x"/],
  ["a comment", "<!-- secret -->\n\nText", "<p>Text</p>"],
  ["a note of docgraph", '<!-- docgraph:next paragraph {"data":{"align":"center"}} -->\n\nText', "<p>Text</p>"],
  ["an include", '{% include "../a.md" %}\n\nText', "<p>Text</p>"],
  ["an unknown block", "{% updates %}\nText\n{% endupdates %}", "<p>Text</p>"],
  ["a block without its end", "{% hint %}\nText", "<p>Text</p>"],
  ["an end without its block", "Text\n{% endhint %}", "<p>Text</p>"],
  ["a tag within a line", "A {% hint %} B", "<p>A  B</p>"],
  ["the name of an icon", '<i class="fa-leaf">:leaf:</i> Text', "<p> Text</p>"],
  ["an unknown container", "::: wide\nText\n:::", "<p>Text</p>"],
])("shows nothing of %s", (_what, markdown, html) => {
  if (typeof html === "string") expect(shown(markdown).trim()).toBe(html);
  else expect(shown(markdown)).toMatch(html);
});
