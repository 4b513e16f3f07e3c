// No text runs a script as HTML: payloads of public lists in every place of a text, checked in the parsed result
// against a list of what HTML of texts may contain, and opened in a browser.
import naughty from "big-list-of-naughty-strings/blns.json" with { type: "json" };
import type { Element, Nodes } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";
import { expect, test } from "vitest";
import { chromiumPath, closePages, openBrowser } from "#test/support/browser.ts";
import { shown } from "#test/platform/html/shown.ts";
import { payloads, places } from "#test/platform/html/xss-payloads.ts";

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

const listed = (text: string) => new Set(text.trim().split(/\s+/));

const elements = listed(`
  a abbr b blockquote br caption cite code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input
  ins kbd label li mark ol p picture pre q rp rt ruby s samp section small source span strike strong sub summary sup
  table tbody td tfoot th thead tr tt u ul var
  math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder mover
  munderover mmultiscripts mtable mtr mtd menclose`);

const attributes = listed(`
  align alt ariaDescribedBy ariaHidden ariaLabel checked className cite colSpan dataBlock dataFootnoteBackref
  dataFootnoteRef dataFootnotes dataLanguage dataOptions dataTitle dataView dataHidden dataCardTarget dataCardCover
  dataType dir disabled height href htmlFor id lang loading media name open reversed role rowSpan scope src srcSet start
  tabIndex title type value width`);

/** Attributes of MathML, which KaTeX makes. */
const ofMath = listed(`
  accent accentunder columnalign columnspacing columnlines display displaystyle encoding fence form height linebreak linethickness
  lspace mathcolor mathbackground mathsize mathvariant maxsize minsize movablelimits notation rowspacing rowlines rspace
  scriptlevel separator stretchy symmetric width depth voffset xmlns columnAlign columnSpacing rowSpacing
  displayStyle mathVariant lineThickness scriptLevel minSize maxSize accentUnder mathColor mathBackground`);

const protocols = [
  "http:",
  "https:",
  "mailto:",
  "tel:",
  "page:",
  "space:",
  "user:",
  "collection:",
  "openapi:",
  "file:",
];

/** As a browser reads it, and after the cleaning that some frontends do. */
const isAddress = (text: string): boolean =>
  [text, text.replaceAll(/[\p{Cc}\p{Cf}\p{Z}\\]/gu, "")].every((one) => {
    const url = URL.parse(one, "https://example.com/page");
    return !url || protocols.includes(url.protocol);
  });

/** What a tree contains that HTML of texts may not. */
function faultsIn(node: Nodes, isMath = false): string[] {
  if (node.type === "comment" || node.type === "doctype") return [node.type];
  if (!("children" in node)) return [];
  const inMath = isMath || (node.type === "element" && node.tagName === "math");
  const own = node.type === "element" ? faultsOf(node, inMath) : [];
  return [...own, ...node.children.flatMap((child) => faultsIn(child, inMath))];
}

function faultsOf({ tagName, properties }: Element, isMath: boolean): string[] {
  const faults = elements.has(tagName) ? [] : [`<${tagName}>`];
  for (const [name, value] of Object.entries(properties)) {
    if (!attributes.has(name) && !(isMath && ofMath.has(name))) faults.push(`${tagName} ${name}`);
    if (["href", "src", "srcSet", "cite"].includes(name) && !isAddress(String(value)))
      faults.push(`${tagName} ${name}=${String(value)}`);
  }
  return faults;
}

const publicList = naughty.filter((text) => /<|javascript:|onerror|alert/i.test(text));

test("has enough payloads", () => {
  expect(new Set(payloads).size).toBeGreaterThan(150);
  expect(publicList.length).toBeGreaterThan(80);
});

test.each(Object.keys(places))("a payload as %s becomes only allowed elements, attributes and addresses", (name) => {
  const place = places[name] ?? ((payload: string) => payload);
  const wrong = [...payloads, ...publicList].flatMap((payload) => {
    const html = shown(place(payload));
    const faults = faultsIn(parser.parse(html));
    return faults.length === 0 ? [] : [{ payload, faults, html }];
  });
  expect(wrong).toEqual([]);
});

test("an id of an author becomes the name of a link, which is not taken for an element of the frame", () => {
  const html = shown('<p id="search" name="cookie">x</p>\n\n<a name="top" id="user">y</a>\n\n<h2 id="main">Z</h2>');
  expect(html).not.toMatch(/\sid="(?:search|user|main)"/);
  expect(html.match(/<\w+[^>]*\sname="[^"]*"/g)).toEqual(
    ["search", "user", "top", "main"].map((name) => `<a name="${name}"`),
  );
});

test.skipIf(chromiumPath === undefined)(
  "no payload runs in a browser, even if everything is clicked",
  async () => {
    const inText = [...payloads, ...publicList].map(shown);
    const elsewhere = Object.values(places).flatMap((place) => payloads.map((payload) => place(payload)));
    const all = [...new Set([...inText, ...elsewhere.filter((_text, index) => index % 7 === 0).map(shown)])];
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const ran: string[] = [];
      page.on("dialog", (dialog) => {
        ran.push(dialog.message());
        void dialog.dismiss();
      });
      await page.route("**/*", (route) =>
        route.request().url() === "http://127.0.0.1/"
          ? route.fulfill({
              contentType: "text/html; charset=utf-8",
              body: `<!doctype html><meta charset=utf-8><title>x</title><main>${all.map((html) => `<article>${html}</article>`).join("")}</main>`,
            })
          : route.abort(),
      );
      await page.goto("http://127.0.0.1/", { waitUntil: "domcontentloaded" });
      const counts = await page.evaluate(() => {
        const found = [...document.querySelectorAll<HTMLElement>("main *")];
        const addresses = found.map((element) => (element instanceof HTMLAnchorElement ? element.protocol : ""));
        for (const element of found) {
          for (const kind of [
            "click",
            "mouseover",
            "focus",
            "pointerenter",
            "animationstart",
            "toggle",
            "error",
            "load",
          ]) {
            const event = new Event(kind, { bubbles: true, cancelable: true });
            if (kind === "click") element.addEventListener("click", (one) => one.preventDefault(), { once: true });
            element.dispatchEvent(event);
          }
        }
        return {
          articles: document.querySelectorAll("main > article").length,
          scripts: document.querySelectorAll("main script, main iframe, main svg, main style, main object").length,
          protocols: [...new Set(addresses)].toSorted(),
        };
      });
      expect(counts.articles).toBe(all.length);
      expect(counts.scripts).toBe(0);
      expect(
        counts.protocols.filter(
          (protocol) => !/^(?::?|https?:|mailto:|tel:|page:|space:|user:|collection:|openapi:|file:)$/.test(protocol),
        ),
      ).toEqual([]);
      expect(ran).toEqual([]);
    } finally {
      await closePages(browser);
    }
  },
  120_000,
);
