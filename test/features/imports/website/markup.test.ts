// Notes, tabs, tables, tasks and players of websites by what made them, as Markdown.
import { describe, expect, test } from "vitest";
import { compact, lossesOfHtml, markdownOfHtml } from "#test/features/imports/website/html.ts";

const hint = (style: string, text: string) => `{% hint style="${style}" %}\n${text}\n{% endhint %}`;

describe("notes of a website become hints", () => {
  test.each([
    [
      "Starlight, obsidianmd/obsidian-clipper#650",
      `<aside class="starlight-aside starlight-aside--caution" aria-label="Caution"><p class="starlight-aside__title">Caution</p><div><p>It deletes all.</p></div></aside>`,
      hint("warning", "It deletes all."),
    ],
    [
      "Sphinx and MkDocs",
      `<div class="admonition note"><p class="admonition-title">Note</p><p>A</p></div>`,
      hint("info", "A"),
    ],
    [
      "Sphinx with a title",
      `<div class="admonition-own admonition"><p class="admonition-title">My own</p><p>A</p></div>`,
      hint("info", "**My own**\nA"),
    ],
    [
      "Docusaurus, kepano/defuddle#371",
      `<div class="theme-admonition theme-admonition-danger admonition_xJq3 alert alert--danger"><div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg></svg></span>danger</div><div class="admonitionContent_BuS1"><p>A</p></div></div>`,
      hint("danger", "A"),
    ],
    [
      "VitePress",
      `<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>A</p></div><div class="warning custom-block"><p class="custom-block-title">Read this</p><p>B</p></div>`,
      `${hint("success", "A")}\n${hint("warning", "**Read this**\nB")}`,
    ],
    [
      "GitHub, kepano/defuddle#45",
      `<div class="markdown-alert markdown-alert-important"><p class="markdown-alert-title"><svg></svg>Important</p><p>A</p></div>`,
      hint("info", "A"),
    ],
    [
      "AsciiDoctor",
      `<div class="admonitionblock warning"><table><tbody><tr><td class="icon"><i class="fa icon-warning" title="Warning"></i></td><td class="content"><div class="title">Hot</div><p>A</p></td></tr></tbody></table></div>`,
      hint("warning", "**Hot**\nA"),
    ],
    [
      "Confluence",
      `<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">Hot</p><span class="aui-icon confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>A</p></div></div>`,
      hint("warning", "**Hot**\nA"),
    ],
    [
      "Mintlify",
      `<div class="callout my-4 flex" data-callout-type="tip"><div data-component-part="callout-icon"><svg></svg></div><div><p>A</p></div></div>`,
      hint("success", "A"),
    ],
    [
      "Bootstrap",
      `<div class="alert alert-success" role="alert"><strong>Done.</strong> A</div>`,
      hint("success", "**Done.** A"),
    ],
    ["Hugo Book", `<blockquote class="book-hint info"><p>A</p></blockquote>`, hint("info", "A")],
    ["Docsify", `<p class="tip">A</p>`, hint("success", "A")],
    ["Microsoft Learn", `<div class="NOTE"><p>Note</p><p>A</p></div>`, hint("info", "A")],
    [
      "MDN",
      `<div class="notecard warning"><p><strong>Warning:</strong> A</p></div>`,
      hint("warning", "**Warning:** A"),
    ],
    ["Notion", `<figure class="callout"><div>💡</div><div>A</div></figure>`, hint("info", "💡\nA")],
    [
      "Quarto",
      `<div class="callout callout-style-default callout-note"><div class="callout-header"><div class="callout-title-container">Own</div></div><div class="callout-body-container callout-body"><p>A</p></div></div>`,
      hint("info", "**Own**\nA"),
    ],
    ["the role of notes", `<div role="note" aria-label="Warning"><p>A</p></div>`, hint("warning", "A")],
    ["an aside without a name stays text", `<aside><p>Beside the text.</p></aside>`, "Beside the text."],
    [
      "an aside of links is navigation",
      `<p>A</p><aside><ul><li><a href="https://a.example/">All</a></li></ul></aside>`,
      "A",
    ],
    ["a quotation keeps its source", `<blockquote><p>A</p><footer>B</footer></blockquote>`, "> A\n>\n> B"],
    [
      "a section called release notes stays one",
      `<section class="release-notes"><h2>R</h2><p>A</p></section>`,
      "## R\nA",
    ],
    ["text in a form stays", `<form><p>A</p><input type="search"><button>Go</button></form>`, "A"],
  ])("%s", (_source, html, text) => {
    expect(compact(markdownOfHtml(html))).toBe(text);
  });
});

const tabs = (...parts: readonly (readonly [title: string, text: string])[]) =>
  [
    "{% tabs %}",
    ...parts.map(([title, text]) => `{% tab title="${title}" %}\n${text}\n{% endtab %}`),
    "{% endtabs %}",
  ].join("\n");

describe("what a website shows after a click stays below its label", () => {
  test.each([
    [
      "Docusaurus",
      `<div class="tabs-container"><ul role="tablist"><li role="tab">npm</li><li role="tab">yarn</li></ul><div><div role="tabpanel"><p>A</p></div><div role="tabpanel" hidden><p>B</p></div></div></div>`,
      tabs(["npm", "A"], ["yarn", "B"]),
    ],
    [
      "Starlight",
      `<starlight-tabs><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#p-1" id="tab-1">1</a></li><li class="tab"><a role="tab" href="#p-2">2</a></li></ul><div id="p-1" role="tabpanel"><p>A</p></div><div id="p-2" role="tabpanel" hidden><p>B</p></div></starlight-tabs>`,
      tabs(["1", "A"], ["2", "B"]),
    ],
    [
      "VitePress",
      `<div class="vp-code-group"><div class="tabs"><input type="radio" id="t1"><label for="t1">npm</label><input type="radio" id="t2"><label for="t2">pnpm</label></div><div class="blocks"><div class="language-sh active"><span class="lang">sh</span><pre><code>a</code></pre></div><div class="language-sh"><span class="lang">sh</span><pre><code>b</code></pre></div></div></div>`,
      tabs(["npm", "```sh\na\n```"], ["pnpm", "```sh\nb\n```"]),
    ],
    [
      "MkDocs Material",
      `<div class="tabbed-set"><input type="radio" id="a"><input type="radio" id="b"><div class="tabbed-labels"><label for="a">C</label><label for="b">C++</label></div><div class="tabbed-content"><div class="tabbed-block"><p>A</p></div><div class="tabbed-block"><p>B</p></div></div></div>`,
      tabs(["C", "A"], ["C++", "B"]),
    ],
    [
      "sphinx-design",
      `<div class="sd-tab-set"><input type="radio" id="a"><label for="a">1</label><div class="sd-tab-content"><p>A</p></div><input type="radio" id="b"><label for="b">2</label><div class="sd-tab-content"><p>B</p></div></div>`,
      tabs(["1", "A"], ["2", "B"]),
    ],
    [
      "Bootstrap, two sets among text",
      `<ul role="tablist"><li><button data-bs-target="#a" role="tab">1</button></li></ul><div class="tab-content"><div class="tab-pane" id="a"><p>A</p></div></div><p>Between</p><ul role="tablist"><li><button data-bs-target="#b" role="tab">2</button></li></ul><div class="tab-content"><div class="tab-pane" id="b"><p>B</p></div></div><p>After</p>`,
      `${tabs(["1", "A"])}\nBetween\n${tabs(["2", "B"])}\nAfter`,
    ],
    [
      "Relearn",
      `<div class="tab-panel"><div class="tab-nav"><button>1</button><button>2</button></div><div class="tab-content"><div class="tab-content-text"><p>A</p></div><div class="tab-content-text"><p>B</p></div></div></div>`,
      tabs(["1", "A"], ["2", "B"]),
    ],
    [
      "details",
      `<details><summary>More <b>of it</b></summary><p>A</p></details>`,
      "<details>\n<summary>More of it</summary>\nA\n</details>",
    ],
    [
      "an accordion",
      `<h3><button aria-controls="q">Why?</button></h3><div id="q" hidden><p>A</p></div>`,
      "### Why?\nA",
    ],
    [
      "a part that a button opens",
      `<p>A</p><button aria-controls="m">More</button><div id="m" style="display:none"><p>B</p></div>`,
      "A\n<details>\n<summary>More</summary>\nB\n</details>",
    ],
    ["text that a search within the page finds", `<div hidden="until-found"><p>A</p></div><div hidden>B</div>`, "A"],
  ])("%s", (_source, html, text) => {
    expect(compact(markdownOfHtml(html))).toBe(text);
  });
});

const row = (cell: string) => `<table><tr><th>k</th><th>v</th></tr><tr><td>a</td><td>${cell}</td></tr></table>`;
const inRow = (cell: string) => `| k | v |\n| - | - |\n| a | ${cell} |`;
const asHtml = (cell: string) => expect.stringMatching(/^<table>\n[^]*<\/table>$/) && expect.stringContaining(cell);

describe("a table of a website stays one, whatever its cells contain", () => {
  test.each([
    ["a list, mysticmind/reversemarkdown-net#21", row("<ul><li>one</li><li>two</li></ul>"), inRow("one<br>two")],
    [
      "a numbered list, outline/outline#11183",
      row("<ol><li>one</li><li><b>two</b></li></ol>"),
      inRow("1. one<br>2. **two**"),
    ],
    ["paragraphs, jelovirt/org.lwdita#76", row("<p>one</p><p>two | x</p>"), inRow("one<br>two \\| x")],
    ["breaks, matthewwithanm/python-markdownify#238", row("one<br>two<br/>"), inRow("one<br>two")],
    ["blocks, aqueeb/confluence2md#6", row("<div>one</div><div><div>two</div></div>"), inRow("one<br>two")],
    ["a heading", row("<h4>one</h4>two"), inRow("**one**<br>two")],
    ["code of one line", row("<pre><code>npm i</code></pre><p>two</p>"), inRow("`npm i`<br>two")],
    [
      "a link around blocks",
      row(`<a href="https://a.example/"><p>one</p><p>two</p></a>`),
      inRow("[one](https://a.example/)<br>[two](https://a.example/)"),
    ],
    ["a formula", row(`<span class="math">\\(a|b\\)</span>`), inRow("$$a\\|b$$")],
    ["a player", row(`<iframe src="https://a.example/v"></iframe>`), inRow("[a.example/v](https://a.example/v)")],
    ["a box", row(`<input type="checkbox" checked>`), inRow("☑")],
    ["code of several lines", row("<pre><code>one\n\ntwo</code></pre>"), asHtml("<pre>one&#10;&#10;two</pre>")],
    [
      "a nested list",
      row("<ul><li>one<ul><li>two</li></ul></li></ul>"),
      asHtml("<ul><li>one<ul><li>two</li></ul></li></ul>"),
    ],
    ["a nested table", row("<table><tr><td>one</td><td>two</td></tr></table>"), asHtml("<td>one</td><td>two</td>")],
    ["a note", row(`<div class="note"><p>one</p></div>`), asHtml("<td><p>one</p></td>")],
    [
      "an expandable part",
      row("<details><summary>one</summary>two</details>"),
      asHtml("<details><summary>one</summary>two</details>"),
    ],
    [
      "a caption",
      `<table><caption>Cap</caption><tr><th>k</th></tr><tr><td>a</td></tr><tr><td>b</td></tr></table>`,
      "Cap\n| k |\n| - |\n| a |\n| b |",
    ],
    [
      "a layout",
      `<table role="presentation"><tr><td><h2>H</h2><p>A</p></td><td><p>B</p></td></tr></table>`,
      "## H\nA\nB",
    ],
  ])("%s", (_source, html, text) => {
    const markdown = compact(markdownOfHtml(html));
    expect(markdown).toEqual(text);
    if (markdown.startsWith("<table>")) expect(markdownOfHtml(html).trim()).not.toContain("\n\n"); // which would end it
  });
});

describe("tasks of a website keep their boxes", () => {
  test.each([
    [
      "xberg-io/html-to-markdown#24",
      `<li><input type="checkbox" checked disabled> A</li><li><input type="checkbox" disabled> B</li>`,
    ],
    ["in paragraphs", `<li><p><input type="checkbox" checked> A</p></li><li><p><input type="checkbox"> B</p></li>`],
    [
      "in labels",
      `<li><label><input type="checkbox" checked> A</label></li><li><label><input type="checkbox"> B</label></li>`,
    ],
    [
      "MkDocs Material",
      `<li><label><input type="checkbox" checked><span></span></label> A</li><li><label><input type="checkbox"><span></span></label> B</li>`,
    ],
    [
      "Notion",
      `<li><div class="checkbox checkbox-on"></div> <span>A</span></li><li><div class="checkbox checkbox-off"></div> <span>B</span></li>`,
    ],
    [
      "AsciiDoctor",
      `<li><p><i class="fa fa-check-square-o"></i> A</p></li><li><p><i class="fa fa-square-o"></i> B</p></li>`,
    ],
    ["Confluence", `<li data-inline-task-id="1" class="checked">A</li><li data-inline-task-id="2">B</li>`],
    [
      "the role of boxes",
      `<li><span role="checkbox" aria-checked="true"></span>A</li><li><span role="checkbox" aria-checked="false"></span>B</li>`,
    ],
  ])("%s", (_source, items) => {
    expect(compact(markdownOfHtml(`<ul>${items}</ul>`)).replaceAll(/ {2,}/g, " ")).toBe("- [x] A\n- [ ] B");
  });
});

const embed = (url: string) => `{% embed url="${url}" %}`;
const v = "https://a.example/v.mp4";

describe("what a text cannot hold is embedded by its address, or reported", () => {
  test.each([
    [
      "a frame",
      `<iframe src="https://www.youtube.com/embed/abc" title="Tour"></iframe>`,
      embed("https://www.youtube.com/embed/abc"),
      [],
    ],
    ["a film, EvitanRelta/markgh#82", `<video controls><source src="${v}"></video>`, embed(v), []],
    ["a film within a paragraph", `<p>A <video src="${v}"></video> B</p>`, `A\n${embed(v)}\nB`, []],
    ["a sound", `<audio src="https://a.example/a.mp3"></audio>`, embed("https://a.example/a.mp3"), []],
    [
      "a document",
      `<object data="https://a.example/a.pdf" type="application/pdf"></object>`,
      embed("https://a.example/a.pdf"),
      [],
    ],
    [
      "a film of an accelerated page",
      `<amp-youtube data-videoid="abcdef"></amp-youtube>`,
      embed("https://www.youtube.com/watch?v=abcdef"),
      [],
    ],
    [
      "a poster without a film",
      `<video poster="https://a.example/p.png"></video>`,
      "![](https://a.example/p.png)",
      ["It has 1 frame or player without a web address."],
    ],
    ["a counter is not shown", `<p>A</p><iframe src="https://a.example/" width="0" height="0"></iframe>`, "A", []],
    ["a canvas", `<p>A</p><canvas></canvas>`, "A", ["It has 1 drawing made by JavaScript, which cannot be imported."]],
    [
      "a frame without an address",
      `<p>A</p><iframe srcdoc="x"></iframe>`,
      "A",
      ["It has 1 frame or player without a web address."],
    ],
    [
      "a form",
      `<p>A</p><input type="text"><input type="email">`,
      "A",
      ["It has 2 form fields, which cannot be imported."],
    ],
    ["an emoji", `<p><img class="emoji" alt="🎉" src="https://a.example/e.png"> A</p>`, "🎉 A", []],
    [
      "a drawing",
      `<svg viewBox="0 0 300 200"><title>D</title></svg>`,
      expect.stringMatching(/^!\[D\]\(data:image\/svg\+xml;base64,/),
      [],
    ],
    ["an icon is not needed", `<p>A <svg viewBox="0 0 24 24"><path d="M0"/></svg></p>`, "A", []],
  ])("%s", (_source, html, text, losses) => {
    expect(compact(markdownOfHtml(html))).toEqual(text);
    expect(lossesOfHtml(html)).toEqual(losses);
  });
});
