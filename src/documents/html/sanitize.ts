// The elements, attributes and protocols that texts may use: all others are removed. Views of blocks, colours of code
// and formulas are added afterwards, from texts only.
import rehypeSanitize, { defaultSchema, type Options } from "rehype-sanitize";

const languageClass = /^language-[\w+#.-]{1,30}$/;

const ours = ["abbr", "caption", "cite", "figcaption", "figure", "mark", "small", "u"];

/** The number of a heading among those with names. */
const named: [string, RegExp] = ["dataNamed", /^\d{1,6}$/];

const protocols = ["http", "https", "mailto", "tel", "page", "space", "user", "collection", "openapi", "file"];
const imageProtocols = ["http", "https", "file"];

/**
 * Ids are only those of footnotes: an id of an author could be taken for one of the frame around the text, so it
 * becomes the name of a link (`heading-names.ts`). Styles,
 * event handlers and frames are never allowed.
 */
const schema: Options = {
  tagNames: [...(defaultSchema.tagNames ?? []), ...ours],
  strip: ["script", "style", "template", "noscript", "noembed", "noframes", "xmp", "plaintext", "title", "textarea"],
  clobber: [],
  clobberPrefix: "",
  ancestors: {
    ...defaultSchema.ancestors,
    summary: ["details"],
    figcaption: ["figure"],
    source: ["picture"],
  },
  required: { input: { disabled: true, type: "checkbox" } },
  protocols: { href: protocols, src: imageProtocols, srcSet: imageProtocols, cite: ["http", "https"] },
  attributes: {
    "*": ["title", "lang", "dir", ["id", /^note_[\w%.-]{1,200}$/, "footnote-label"]],
    a: [
      "href",
      "dataFootnoteRef",
      "dataFootnoteBackref",
      "ariaLabel",
      ["dataPlace", /^\d{1,6}$/],
      ["ariaDescribedBy", "footnote-label"],
      ["className", "button", "primary", "secondary", "data-footnote-backref"],
    ],
    blockquote: ["cite"],
    code: [["className", languageClass, "math-inline", "math-display"], "dataTitle", "dataOptions"],
    details: ["open"],
    div: [["dataBlock", /^\d{1,6}$/], "dataTitle", ["align", "left", "center", "right"]],
    h1: [named],
    h2: [["className", "sr-only"], named],
    h3: [named],
    h4: [named],
    h5: [named],
    h6: [named],
    img: ["src", "alt", ["width", /^\d{1,5}%?$/], ["height", /^\d{1,5}$/], ["align", "left", "center", "right"]],
    input: [["type", "checkbox"], "checked", ["disabled", true]],
    li: [
      ["className", "task-list-item"],
      ["value", /^\d{1,9}$/],
    ],
    mark: [["className", /^(?:back|ink)-(?:red|orange|yellow|green|blue|purple|pink|gray)$/]],
    ol: [["className", "contains-task-list"], ["start", /^\d{1,9}$/], "reversed"],
    p: [["align", "left", "center", "right"]],
    section: ["dataFootnotes", ["className", "footnotes"]],
    source: ["srcSet", ["media", "(prefers-color-scheme: dark)", "(prefers-color-scheme: light)"]],
    table: [["dataView", "cards"]],
    td: [
      ["align", "left", "center", "right"],
      ["colSpan", /^\d{1,3}$/],
      ["rowSpan", /^\d{1,3}$/],
    ],
    th: [
      ["align", "left", "center", "right"],
      ["colSpan", /^\d{1,3}$/],
      ["rowSpan", /^\d{1,3}$/],
      ["scope", "col", "row"],
      "dataHidden",
      "dataCardTarget",
      "dataCardCover",
      ["dataType", /^[\w-]{1,30}$/],
    ],
    ul: [["className", "contains-task-list"]],
  },
};

/** The plugin that removes everything else. */
export function sanitizing(): ReturnType<typeof rehypeSanitize> {
  return rehypeSanitize(schema);
}
