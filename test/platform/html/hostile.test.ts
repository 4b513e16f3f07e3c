// Texts made to be slow or to become huge as HTML: each is converted or refused within the limits of the threads.
import { expect, test } from "vitest";
import { DomainError } from "#src/base/errors.ts";
import { convert } from "#src/documents/convert.ts";

const nested = (text: string, count: number) => text.repeat(count);
const inTags = (count: number) => `${"{% hint %}\n".repeat(count)}x\n` + "{% endhint %}\n".repeat(count);

test.each([
  ["quotes", nested(">", 3_000), "refused"],
  ["elements", nested("<div>", 20_000), "refused"],
  ["hints", inTags(500), "refused"],
  ["admonitions", Array.from({ length: 40 }, (_, depth) => `${"    ".repeat(depth)}!!! note`).join("\n"), "converted"],
  ["wide tables", `|${"a|".repeat(2_000)}\n|${"-|".repeat(2_000)}\n${"|a|\n".repeat(500)}`, "refused"],
  ["references to a long address", `[a]: https://example.com/${"x".repeat(50_000)}\n\n${"[a] ".repeat(30)}`, "refused"],
  ["a long word of code", `\`\`\`ts\n${"a".repeat(100_000)}\n\`\`\``, "converted"],
  ["dollars", nested("$a ", 3_000), "converted"],
  ["formulas of endless macros", nested("$\\def\\a{\\a\\a}\\a$ ", 50), "converted"],
  ["open tags", nested("{% ", 10_000), "converted"],
  ["open components", nested("<Card ", 5_000), "converted"],
  ["ends of containers", nested(":::\n", 10_000), "converted"],
  ["containers", nested("::: note\n", 2_000), "converted"],
  ["footnotes", `${"[^1] ".repeat(1_000)}\n\n[^1]: a`, "converted"],
  ["headings", nested("# a\n\n", 800), "converted"],
])(
  "%s in great numbers",
  async (_what, text, outcome) => {
    const [html] = await convert([{ to: "html", text }]);
    expect(html instanceof DomainError ? "refused" : "converted").toBe(outcome);
    if (typeof html === "string") expect(html.length).toBeLessThan(60 * text.length + 10_000);
  },
  60_000,
);
