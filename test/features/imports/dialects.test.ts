// Dialects of other tools in imported texts: modules, components, shortcodes, includes and encodings.
import { describe, expect, test } from "vitest";
import { planOf } from "#test/features/imports/files.ts";

/** The imported text of a page beside some other files, and the warnings. */
async function importText(path: string, text: string | Buffer) {
  const { texts, warnings } = await planOf({
    [path]: text,
    "code/notes.md": "# A\n\none\n\n## Second one\n\ntwo\n\n## Third\n\nthree\n",
    "part.md": "---\ntitle: P\n---\nA part with [b](b.md).\n",
    "_hidden.mdx": "Hidden part.\n",
    "b.md": "",
    "code/x.js": "one\n// #region r\ntwo\n// #endregion r\nthree\n",
    "img/p.png": Buffer.of(1),
  });
  return { text: texts["page"], warnings };
}

const code = (line: string) => `The code \`${line}\` is left out.`;

/** facebook/docusaurus#4735 and #4646: code of MDX in pages. */
describe("MDX", () => {
  test.each<[what: string, before: string, after: string, ...warnings: string[]]>([
    [
      "an import and its component",
      "import A from '@x/a';\n\n# T\n\n<A x={1} />\n",
      "# T\n\n",
      code("import A from '@x/a';"),
      "The component <A> is left out.",
    ],
    ["an import of several lines", "import {\n  a,\n  b,\n} from 'x';\n\ntext\n", "text\n", code("import {")],
    ["an export", "export const x = {\n  a: [1],\n\n  b: `}`,\n};\n\ntext\n", "text\n", code("export const x = {")],
    ["comments and blanks in braces", "a{' '}b {/* gone */}c\n", "a b c\n"],
    ["an id of a heading, which stays", "## H {/* #id */}\n", "## H {/* #id */}\n"],
    [
      "code, which stays",
      "```js\nimport a from 'b';\n<Foo />\n```\n`<Foo />`\n",
      "```js\nimport a from 'b';\n<Foo />\n```\n`<Foo />`\n",
    ],
    [
      "an imported image",
      "import p from './img/p.png';\n\n<img src={p} style={{width: 1}} className=\"x\" />\n",
      '<img src="file:img/p.png" class="x" />\n',
      code("import p from './img/p.png';"),
    ],
    ["a required image", "<img src={require('./img/p.png').default} />\n", '<img src="file:img/p.png" />\n'],
    ["an address of the site", "<Image alt=\"P\" src={useBaseUrl('/img/p.png')} />\n", "![P](<file:img/p.png>)\n"],
    ["a link", '<Link to="b.md">**b**</Link>\n', '<a href="page:b">**b**</a>\n'],
    [
      "tabs with their labels elsewhere",
      "<Tabs items={['npm', 'yarn']}>\n  <Tabs.Tab>\n\none\n\n  </Tabs.Tab>\n  <Tabs.Tab>two</Tabs.Tab>\n</Tabs>\n",
      '{% tabs %}\n{% tab title="npm" %}\n\none\n\n{% endtab %}\n{% tab title="yarn" %}two{% endtab %}\n{% endtabs %}\n',
    ],
    [
      "tabs with values",
      '<Tabs>\n<TabItem value="a" label="Ay">x</TabItem>\n</Tabs>\n',
      '{% tabs %}\n{% tab title="Ay" %}x{% endtab %}\n{% endtabs %}\n',
    ],
    [
      "an admonition",
      '<Admonition type="danger" title="Hot">\n\nDo not.\n\n</Admonition>\n',
      '{% hint style="danger" title="Hot" %}\n\nDo not.\n\n{% endhint %}\n',
    ],
    [
      "a component with text in it",
      "<Box a={{b: '>'}}>\n\ninside\n\n</Box>\n",
      "\ninside\n\n",
      "The component <Box> is left out; the text in it stays.",
    ],
    ["a card with an address", '<LinkCard title="The b" href="b.md" />\n', "[The b](<page:b>)\n"],
    [
      "a part",
      "import Part from './_hidden.mdx';\n\n<Part />\n",
      "Hidden part.\n",
      code("import Part from './_hidden.mdx';"),
    ],
    ["a fragment", "<>\n\ntext\n\n</>\n", "\ntext\n\n"],
  ])("is read with %s", async (_what, before, after, ...warnings) => {
    const { text, warnings: given } = await importText("page.mdx", before);
    expect(text).toBe(after);
    expect(given.map((warning) => warning.replace(/^page\.mdx:\d+ /, ""))).toEqual(warnings);
  });

  test("is also in Markdown that imports modules, and warnings have the lines of the file", async () => {
    const { text, warnings } = await importText(
      "page.md",
      "---\ntitle: T\n---\n\nimport A from 'a'\n\n[g](gone.md)\n\n<A>x</A>\n",
    );
    expect(text).toBe("[g](gone.md)\n\nx\n");
    expect(warnings).toEqual([
      `page.md:5 ${code("import A from 'a'")}`,
      "page.md:9 The component <A> is left out; the text in it stays.",
      "page.md:7 The link target gone.md does not exist in the import.",
    ]);
  });

  test.each(["import this into that\n", "    import a from 'b'\n", "a <Foo> b\n", "export it\n"])(
    "is not in %j",
    async (text) => {
      expect(await importText("page.md", text)).toEqual({ text, warnings: [] });
    },
  );
});

const hiddenComment = "A comment is left out: readers do not see it.";

describe("shortcodes and tags of other tools", () => {
  test.each<[before: string, after: string, ...warnings: string[]]>([
    ['[b]({{< ref "b.md#x" >}}) [b]({{% relref "b" %}})', "[b](page:b#x) [b](page:b)"],
    ['{{< figure src="/img/p.png" alt="A [p]" width="3" >}}', "![A \\[p\\]](<file:img/p.png>)"],
    ["{{< youtube abc_1 >}}", '{% embed url="https://www.youtube.com/watch?v=abc_1" %}'],
    ['{{% notice warning "Mind" %}}\nx\n{{% /notice %}}', '{% hint style="warning" title="Mind" %}\nx\n{% endhint %}'],
    ['{{< callout type="info" >}}x{{< /callout >}}', '{% hint style="info" %}x{% endhint %}'],
    ["{{< highlight go >}}\na\n{{< /highlight >}}", "````go\na\n````"],
    ["a %%hidden *b*%% c `%%d%%` 5%% to 7%% e", "a  c `%%d%%` 5%% to 7%% e", hiddenComment],
    ["a %% hidden %% b", "a  b", hiddenComment],
    ["a\n\n%%\nhidden\n\nb\n%%\n\n```\n%%\nx\n%%\n```", "a\n\n\n```\n%%\nx\n%%\n```", hiddenComment],
    [
      '{{< code file="a/b.html" >}}\n<a href="{{ .Permalink }}">\n{{</ code >}}',
      '````html\n<a href="{{ .Permalink }}">\n````',
    ],
    ['{{< code-toggle file="config" >}}\n# a\n{{< /code-toggle >}}', "````yaml\n# a\n````"],
    ["{{< output >}}\n```\nx\n```\n{{< /output >}}", "````\n```\nx\n```\n````"],
    ["{{< code-toggle x />}}\n# a\n", "\n# a\n", "The shortcode code-toggle is left out; the text in it stays."],
    [
      '{{< tabs >}}{{< tab "A" >}}\nx\n{{< /tab >}}{{< /tabs >}}',
      '{% tabs %}{% tab title="A" %}\nx\n{% endtab %}{% endtabs %}',
    ],
    ["{{< box >}}in{{< /box >}}", "in", "The shortcode box is left out; the text in it stays."],
    ["{{</* example */>}} `{{< code >}}`", "{{< example >}} `{{< code >}}`"],
    [
      "[b]({{ site.baseurl }}/b.html) [b]({{ '/b/' | relative_url }}) [b]({% link b.md %})",
      "[b](page:b) [b](page:b) [b](page:b)",
    ],
    ["{% highlight ruby %}\na\n{% endhighlight %}", "```ruby\na\n```"],
    ["{% raw %}\n{{ x }}\n{% endraw %}\n", "{{ x }}\n"],
    ["{% include toc.html %}x", "x", "The include toc.html is left out."],
    [
      '{% hint style="info" %}\nx\n{% endhint %}\n\n{{ variable }}',
      '{% hint style="info" %}\nx\n{% endhint %}\n\n{{ variable }}',
    ],
    ['![p](img/p.png){ width=300 } [b](b.md){:target="_blank"}', "![p](file:img/p.png) [b](page:b)"],
    ["# H {#id}\n\n{: .note }\ntext {#x} `a`{.b}", "# H {#id}\n\ntext {#x} `a`"],
    ["[[toc]]\nx", "\nx", "The table of contents of the page is left out: every page shows its own."],
    ["<script setup>\nlet a\n</script>\nx", "x", "The script or style is left out."],
    ["![l](pathname:///img/p.png) ![l](@/img/p.png)", "![l](file:img/p.png) ![l](file:img/p.png)"],
  ])("are converted: %j", async (before, after, ...warnings) => {
    const { text, warnings: given } = await importText("page.md", before);
    expect(text).toBe(after);
    expect(given.map((warning) => warning.replace(/^page\.md:\d+ /, ""))).toEqual(warnings);
  });
});

describe("includes", () => {
  test.each<[before: string, after: string, ...warnings: string[]]>([
    ["{{#include part.md}}\n\nx", "A part with [b](page:b).\n\nx"],
    ["```js\n{{#include code/x.js:1:2}}\n```", "```js\none\n// #region r\n```"],
    ["<<< @/code/x.js#r", "```js\ntwo\n```"],
    ["<<< ./code/x.js{1,2 ts:line-numbers}", "```ts\none\n// #region r\ntwo\n// #endregion r\nthree\n```"],
    ["<!--@include: ./part.md-->", "A part with [b](page:b)."],
    ['--8<-- "part.md"', "A part with [b](page:b)."],
    ["{! part.md !}", "A part with [b](page:b)."],
    ['{% include "part.md" %}', "A part with [b](page:b)."],
    ['{{% readfile file="/part.md" markdown="true" %}}', "A part with [b](page:b)."],
    ["{{< include part.md >}}", "A part with [b](page:b)."],
    ["![[part]]", "A part with [b](page:b)."],
    ["![[code/notes#Second One|x]]", "## Second one\n\ntwo"],
    ["![[page]]", "[page](page:page)", "page.md:1 The embedded page page becomes a link."],
    ["![[part#none]]", "[part > none](page:part#none)", "page.md:1 The embedded page part#none becomes a link."],
    ["> x\n\n`![[part]]`\n\n```\n![[part]]\n```", "> x\n\n`![[part]]`\n\n```\n![[part]]\n```"],
    ['  --8<-- "gone.md"', '  --8<-- "gone.md"', "page.md:1 The included file gone.md does not exist in the import."],
    ['--8<-- "page.md"', '--8<-- "page.md"', "page.md:1 The included file page.md includes itself."],
    ["```\n<<< @/code/x.js\n```", "```\n<<< @/code/x.js\n```"],
    ["\\{{#include part.md}}", "\\{{#include part.md}}"],
    [
      '--8<-- "part.md"\n[g](gone.md)',
      "A part with [b](page:b).\n[g](gone.md)",
      "page.md:2 The link target gone.md does not exist in the import.",
    ],
  ])("are replaced by their files: %j", async (before, after, ...warnings) => {
    expect(await importText("page.md", before)).toEqual({ text: after, warnings });
  });
});

/** doccano/doccano#2296 and ThalesGroup/fred#1898: one file in another encoding. */
describe("a text that is not in UTF-8", () => {
  const guessed = (encoding: string) => [`page.md It is not in UTF-8, and was read as ${encoding}.`];
  test.each<[what: string, bytes: Buffer, text: string, ...warnings: string[]]>([
    ["Latin-1", Buffer.from("Gr\xfc\xdfe", "latin1"), "Grüße", ...guessed("Windows-1252")],
    ["Windows-1252", Buffer.from("\x93q\x94 \x80 \x96", "latin1"), "“q” € –", ...guessed("Windows-1252")],
    ["UTF-8 with a mark", Buffer.from("\ufeffü"), "ü"],
    ["UTF-16 with a mark", Buffer.from("\ufeffGrüße", "utf16le"), "Grüße"],
    ["UTF-16 of the other order", Buffer.from("\ufeffGrüße", "utf16le").swap16(), "Grüße"],
    ["UTF-16 without a mark", Buffer.from("# Plain text here", "utf16le"), "# Plain text here", ...guessed("UTF-16LE")],
    ["UTF-8 cut in a character", Buffer.from("ü").subarray(0, 1), "Ã", ...guessed("Windows-1252")],
    ["no characters at all", Buffer.of(), ""],
  ])("is read as %s", async (_what, bytes, text, ...warnings) => {
    expect(await importText("page.md", bytes)).toEqual({ text, warnings });
  });
});
