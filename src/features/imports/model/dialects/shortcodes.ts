// Shortcodes of Hugo and Zola in a text: addresses, figures, code and blocks; others are left out and their text stays.
import { styleOf } from "#src/documents/html/block-names.ts";
import { type DialectRule, type Edit, quoted } from "#src/features/imports/model/dialects/edits.ts";
import { shorten } from "#src/features/imports/model/warnings.ts";

const shortcode = /\{\{([<%])\s*(\/?)\s*([\w.-][\w./-]{0,99})([^{}]{0,1000}?)\s*(\/?)\s*[>%]\}\}/g;

interface Parameters {
  readonly named: ReadonlyMap<string, string>;
  readonly positional: readonly string[];
}

const parameter = /(?:([\w-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|'([^']*)'|([^\s"'`=]+))/g;

function parametersOf(text: string): Parameters {
  const named = new Map<string, string>();
  const positional: string[] = [];
  for (const [, name, double, raw, single, bare] of text.matchAll(parameter)) {
    const value = double?.replaceAll(/\\(.)/g, "$1") ?? raw ?? single ?? bare ?? "";
    if (name === undefined) positional.push(value);
    else named.set(name.toLowerCase(), value);
  }
  return { named, positional };
}

/** The parameter with one of these names, else the one at this position. */
const get = ({ named, positional }: Parameters, names: readonly string[], at = 0): string | undefined =>
  names.map((name) => named.get(name)).find((value) => value !== undefined) ??
  (named.size === 0 ? positional[at] : undefined);

type Written = { readonly start: string; readonly end?: string };

const embed = (url: string): Written => ({ start: `{% embed url="${url}" %}` });

/** The code in it may contain fences. */
const fence = (language = ""): Written => ({
  start: `\`\`\`\`${/^[\w+#-]{1,40}$/.test(language) ? language : ""}`,
  end: "````",
});

const hint = (of: Parameters, own: string | null = null): Written => {
  const said = own ?? get(of, ["type", "style", "color", "level", "kind"]) ?? "info";
  const title = quoted(get(of, ["title"], own === null ? 1 : 0) ?? "");
  const style = styleOf(said === "primary" || said === "secondary" ? "info" : said) ?? "info";
  return { start: `{% hint style="${style}"${title === "" ? "" : ` title="${title}"`} %}`, end: "{% endhint %}" };
};

/** Shortcodes of Hugo and its usual themes, as the Markdown that means the same. */
const known: Readonly<Record<string, (of: Parameters) => Written>> = {
  ref: (of) => ({ start: get(of, ["path"]) ?? "" }),
  relref: (of) => ({ start: get(of, ["path"]) ?? "" }),
  figure: (of) => {
    const [source = "", shown = ""] = [get(of, ["src"]), get(of, ["alt", "caption", "title"], 1)];
    return { start: `![${shown.replaceAll(/[[\]]/g, "\\$&")}](<${source}>)` };
  },
  img: (of) => ({ start: `![${get(of, ["alt", "title"], 1) ?? ""}](<${get(of, ["src", "name"]) ?? ""}>)` }),
  youtube: (of) => embed(`https://www.youtube.com/watch?v=${get(of, ["id"]) ?? ""}`),
  vimeo: (of) => embed(`https://vimeo.com/${get(of, ["id"]) ?? ""}`),
  gist: (of) => embed(`https://gist.github.com/${of.positional.slice(0, 2).join("/")}`),
  tweet: (of) =>
    embed(`https://x.com/${get(of, ["user"]) ?? "i"}/status/${get(of, ["id"], 1) ?? of.positional[0] ?? ""}`),
  highlight: (of) => fence(get(of, ["lang"])),
  code: (of) => fence(get(of, ["lang", "language", "codelang"]) ?? get(of, ["file"])?.replace(/^.*[./]/s, "")),
  "code-toggle": () => fence("yaml"),
  codeblock: (of) => fence(get(of, ["lang", "language"])),
  output: () => fence(),
  funcsig: () => fence(),
  nohighlight: () => fence(),
  mermaid: () => ({ start: "```mermaid", end: "```" }),
  details: (of) => ({
    start: `<details>\n<summary>${get(of, ["title", "summary"]) ?? "Details"}</summary>\n`,
    end: "\n</details>",
  }),
  expand: (of) => ({
    start: `<details>\n<summary>${get(of, ["title"]) ?? "Expand me..."}</summary>\n`,
    end: "\n</details>",
  }),
  tabs: () => ({ start: "{% tabs %}", end: "{% endtabs %}" }),
  tabpane: () => ({ start: "{% tabs %}", end: "{% endtabs %}" }),
  tab: (of) => ({
    start: `{% tab title="${quoted(get(of, ["title", "name", "header"]) ?? "Tab")}" %}`,
    end: "{% endtab %}",
  }),
  button: (of) => ({ start: `<a href="${get(of, ["href", "relref", "url", "link"]) ?? ""}">`, end: "</a>" }),
};

const styles = ["note", "info", "tip", "warning", "caution", "danger", "important", "success", "error"];
const hints = ["notice", "alert", "callout", "hint", "admonition"];

function writtenOf(name: string, of: Parameters): Written | null {
  const lower = name.toLowerCase();
  if (hints.includes(lower)) return hint(of);
  if (styles.includes(lower)) return hint(of, lower);
  return Object.hasOwn(known, lower) ? (known[lower]?.(of) ?? null) : null;
}

/** Whether a shortcode ends later in a text. */
function endsIn(text: string): (name: string, from: number) => boolean {
  const last = new Map<string, number>();
  for (const { 2: slash, 3: name = "", index } of text.matchAll(shortcode)) if (slash === "/") last.set(name, index);
  return (name, from) => (last.get(name) ?? 0) > from;
}

/** Replaces each shortcode; one in `/*` and `*\/` is an example, which loses these marks. */
export const shortcodes: DialectRule = {
  sign: /\{\{[<%]/,
  edits(text, isCode) {
    const open: { name: string; end: string }[] = [];
    const hasEnd = endsIn(text);
    const edits: Edit[] = [];
    for (const { 0: found, 2: slash, 3: name = "", 4: rest = "", 5: closed, index } of text.matchAll(shortcode)) {
      if (isCode(index)) continue;
      const span = { start: index, end: index + found.length };
      if (slash === "/") {
        const at = open.findLastIndex((one) => one.name === name);
        edits.push({ ...span, text: at === -1 ? "" : (open[at]?.end ?? "") });
        if (at !== -1) open.splice(at);
        continue;
      }
      const isWhole = closed !== "/" && hasEnd(name, index);
      const known = writtenOf(name, parametersOf(rest));
      const written = known?.end?.startsWith("```") && !isWhole ? null : known;
      if (closed !== "/") open.push({ name, end: written?.end ?? "" });
      const warning = written ? null : `The shortcode ${shorten(name)} is left out; the text in it stays.`;
      edits.push({ ...span, text: written?.start ?? "", warning });
    }
    return [...edits, ...examplesIn(text, isCode)];
  },
};

const example = /\{\{([<%])\/\*([^]{0,1000}?)\*\/([>%])\}\}/g;

const examplesIn = (text: string, isCode: (at: number) => boolean): Edit[] =>
  Array.from(text.matchAll(example), ({ 0: found, 1: left = "", 2: inner = "", 3: right = "", index }) => ({
    start: index,
    end: index + found.length,
    text: isCode(index) ? found : `{{${left}${inner}${right}}}`,
  }));
