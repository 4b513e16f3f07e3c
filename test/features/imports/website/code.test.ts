// Code of websites by what made it: its lines, without the numbers, prompts, buttons and labels beside it.
import { describe, expect, test } from "vitest";
import { markdownOfHtml } from "#test/features/imports/website/html.ts";

/** The tool or the public report (owner/repository#number), the HTML, and the fence. */
const blocks: readonly (readonly [source: string, html: string, info: string, code: string])[] = [
  [
    "Docusaurus, Project-HAMi/website#665",
    `<pre class="prism-code language-bash"><code><span class="token-line">mkdir one<br></span><span class="token-line"><br></span><span class="token-line">cd one<br></span></code></pre>`,
    "bash",
    "mkdir one\n\ncd one",
  ],
  [
    "Docusaurus with numbers and a title",
    `<div class="language-js codeBlockContainer_Ckt0 theme-code-block"><div class="codeBlockTitle_Ktv7">src/App.js</div><div class="codeBlockContent_biex"><pre class="prism-code language-js"><code class="codeBlockLinesWithNumbering_o6Pm"><span class="token-line codeLine_lJS_"><span class="codeLineNumber_Tfdd"></span><span class="codeLineContent_feaV">a<br></span></span><span class="token-line codeLine_lJS_"><span class="codeLineNumber_Tfdd"></span><span class="codeLineContent_feaV">b<br></span></span></code></pre><div class="buttonGroup__atx"><button>Copy</button></div></div></div>`,
    'js title="src/App.js"',
    "a\nb",
  ],
  ["tox-dev/turbohtml#395", "<pre>one<br>two</pre>", "", "one\ntwo"],
  [
    "blocks, obsidianmd/obsidian-clipper#405",
    `<pre lang="bash"><div>a</div><div>b</div><div></div><div>c</div></pre>`,
    "bash",
    "a\nb\n\nc",
  ],
  [
    "spans without line ends",
    `<pre><code><span class="line">a</span><span class="line">b</span></code></pre>`,
    "",
    "a\nb",
  ],
  [
    "Shiki",
    `<pre class="shiki"><code><span class="line"><span>a</span></span>\n<span class="line"></span>\n<span class="line">b</span></code></pre>`,
    "",
    "a\n\nb",
  ],
  [
    "Pygments inline, Python-Markdown/markdown#394",
    `<pre><span></span><span class="linenos">1</span>x = 1\n<span class="linenos">2</span>y = 2\n</pre>`,
    "",
    "x = 1\ny = 2",
  ],
  [
    "Pygments table in Sphinx",
    `<div class="highlight-python notranslate"><div class="highlight"><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span class="normal">1</span>\n<span class="normal">2</span></pre></div></td><td class="code"><div><pre><span></span><span class="k">a</span> = 1\nb = 2\n</pre></div></td></tr></table></div></div>`,
    "python",
    "a = 1\nb = 2",
  ],
  [
    "Rouge table in Jekyll",
    `<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre><span class="k">def</span> a\n  1\n</pre></td></tr></tbody></table></code></pre></div></div>`,
    "ruby",
    "def a\n  1",
  ],
  [
    "Chroma table, McShelby/hugo-theme-relearn#569",
    `<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="cl">package main\n</span></span><span class="line"><span class="cl">42\n</span></span></code></pre></td></tr></table></div></div>`,
    "go",
    "package main\n42",
  ],
  [
    "Chroma inline",
    `<div class="highlight"><pre class="chroma"><code class="language-go"><span class="line"><span class="ln">1</span><span class="cl">package main\n</span></span><span class="line"><span class="ln">2</span><span class="cl">42\n</span></span></code></pre></div>`,
    "go",
    "package main\n42",
  ],
  [
    "Hexo",
    `<figure class="highlight js"><figcaption><span>app.js</span></figcaption><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">const a = 1;</span><br><span class="line">42</span><br></pre></td></tr></table></figure>`,
    'js title="app.js"',
    "const a = 1;\n42",
  ],
  [
    "SyntaxHighlighter in WordPress",
    `<div class="syntaxhighlighter jscript"><table><tbody><tr><td class="gutter"><div class="line number1">1</div><div class="line number2">2</div></td><td class="code"><div class="container"><div class="line"><code class="js keyword">var</code> <code class="js plain">a = 1;</code></div><div class="line"><code class="js spaces">&nbsp;&nbsp;</code><code class="js plain">b();</code></div></div></td></tr></tbody></table></div>`,
    "javascript",
    "var a = 1;\n  b();",
  ],
  [
    "GitHub",
    `<table class="highlight tab-size js-file-line-container"><tr><td class="blob-num" data-line-number="1"></td><td class="blob-code">x = 1</td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">42</td></tr></table>`,
    "",
    "x = 1\n42",
  ],
  [
    "highlight.js with line numbers",
    `<pre><code class="hljs javascript"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code" data-line-number="1">let a;</td></tr><tr><td class="hljs-ln-numbers" data-line-number="2"><div class="hljs-ln-n"></div></td><td class="hljs-ln-code" data-line-number="2">42</td></tr></tbody></table></code></pre>`,
    "javascript",
    "let a;\n42",
  ],
  [
    "Expressive Code in Starlight",
    `<div class="expressive-code"><figure class="frame has-title"><figcaption class="header"><span class="title">src/main.ts</span></figcaption><pre data-language="ts"><code><div class="ec-line"><div class="gutter"><div class="ln" aria-hidden="true">1</div></div><div class="code"><span>let</span> a</div></div><div class="ec-line"><div class="gutter"><div class="ln">2</div></div><div class="code">42</div></div></code></pre><div class="copy"><button title="Copy to clipboard"><div></div></button></div></figure></div>`,
    'ts title="src/main.ts"',
    "let a\n42",
  ],
  [
    "a terminal of Expressive Code",
    `<figure class="frame is-terminal"><figcaption class="header"><span class="title"></span><span class="sr-only">Terminal window</span></figcaption><pre data-language="sh"><code><div class="ec-line"><div class="code">npm i</div></div></code></pre></figure>`,
    "sh",
    "npm i",
  ],
  [
    "VitePress",
    `<div class="language-js line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">js</span><pre class="shiki"><code><span class="line">a</span>\n<span class="line">b</span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>`,
    "js",
    "a\nb",
  ],
  [
    "rehype-pretty-code",
    `<figure data-rehype-pretty-code-figure=""><figcaption data-rehype-pretty-code-title="">a.ts</figcaption><pre data-language="ts"><code style="display:grid"><span data-line="">const a = 1</span>\n<span data-line="">const b = 2</span></code></pre></figure>`,
    'ts title="a.ts"',
    "const a = 1\nconst b = 2",
  ],
  [
    "Pandoc",
    `<pre class="sourceCode bash"><code class="sourceCode bash"><span id="cb1-1"><a href="#cb1-1"></a>ls</span>\n<span id="cb1-2"><a href="#cb1-2"></a>pwd</span></code></pre>`,
    "bash",
    "ls\npwd",
  ],
  [
    "Google's prettify",
    `<pre class="prettyprint linenums lang-js"><ol class="linenums"><li class="L0"><code>a</code></li><li class="L1"><code>b</code></li></ol></pre>`,
    "js",
    "a\nb",
  ],
  [
    "Prism with its toolbar",
    `<div class="code-toolbar"><pre class="line-numbers language-css"><code class="language-css">p { }\nq { }<span aria-hidden="true" class="line-numbers-rows"><span></span><span></span></span></code></pre><div class="toolbar"><div class="toolbar-item"><span>CSS</span></div><div class="toolbar-item"><button><span>Copy</span></button></div></div></div>`,
    "css",
    "p { }\nq { }",
  ],
  [
    "prompts that cannot be selected",
    `<pre class="command-line language-bash"><span class="command-line-prompt"><span data-prompt="$"></span></span><code><span class="prompt">$ </span>npm i\n<span style="user-select:none">user@host:~$ </span>npm start\n<span class="unselectable">&gt;&gt;&gt; </span>1</code></pre>`,
    "bash",
    "npm i\nnpm start\n1",
  ],
  [
    "AsciiDoctor",
    `<div class="listingblock"><div class="title">Example</div><div class="content"><pre class="highlight"><code class="language-ruby" data-lang="ruby">puts 1</code></pre></div></div>`,
    'ruby title="Example"',
    "puts 1",
  ],
  [
    "a macro of Confluence",
    `<div class="code panel"><div class="codeContent panelContent"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int a;</pre></div></div>`,
    "java",
    "int a;",
  ],
  [
    "a column of numbers without a table",
    `<div class="flex"><pre class="line-numbers">1\n2</pre><pre class="code"><code>a\n42</code></pre></div>`,
    "",
    "a\n42",
  ],
  [
    "react-syntax-highlighter",
    `<pre><code style="white-space:pre"><span style="display:flex"><span class="linenumber react-syntax-highlighter-line-number">1</span><span>a</span></span><span style="display:flex"><span class="linenumber">2</span><span>b</span></span></code></pre>`,
    "",
    "a\nb",
  ],
  [
    "a bar above the code",
    `<div class="sourceCode"><div class="code-header"><span>python</span><div class="copy-btn">Copy code</div></div><pre><code>x</code></pre></div>`,
    "python",
    "x",
  ],
  [
    "numbers that are the code",
    `<div data-language="js"><pre><code class="language-js">42\n1</code></pre></div>`,
    "js",
    "42\n1",
  ],
  ["signs of HTML", "<pre><code>a &lt;b&gt; &amp;amp; `c`</code></pre>", "", "a <b> &amp; `c`"],
];

describe("code of a website keeps its lines and its language, and nothing else", () => {
  test.each(blocks)("%s", (_source, html, info, code) => {
    expect(markdownOfHtml(html)).toBe(`\`\`\`${info}\n${code}\n\`\`\`\n`);
  });
});

test("code within a line stays in the line", () => {
  expect(markdownOfHtml("<p>Run <code>a</code> or <code>b<br>c</code>.</p>")).toBe("Run `a` or `b c`.\n");
});
