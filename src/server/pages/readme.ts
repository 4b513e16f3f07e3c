// The README as a page, with its chapters beside it. It is made in a thread, once, and kept.
import { fileURLToPath } from "node:url";
import { readFile } from "node:fs/promises";
import { ThreadPool } from "#src/runtime/threads.ts";
import type { Handler } from "#src/http/exchange.ts";
import { send } from "#src/http/send.ts";
import { addVary, Offer } from "#src/http/negotiation.ts";
import type { ServePage } from "#src/server/pages/site.ts";
import { html, Html } from "#src/http/html.ts";

/** The README as HTML. What is in it is ours, and raw HTML in it is left out. */
export interface Rendered {
  readonly html: string;
  readonly chapters: readonly { readonly level: number; readonly title: string; readonly anchor: string }[];
}

const path = fileURLToPath(new URL("../../../README.md", import.meta.url));

const pool = new ThreadPool<string, Rendered>(new URL("readme-thread.ts", import.meta.url), {
  threads: 1,
  megabytes: 128,
});

const timeLimitMs = 60_000;

async function render(): Promise<Rendered> {
  const { answers, ended } = await pool.run([path], timeLimitMs);
  const [rendered] = answers;
  if (!rendered) throw new Error(`The README could not be shown: ${ended}.`);
  return rendered;
}

/** The text itself, for programs. */
export const readmeText: Handler = async ({ request, response }) => {
  const type = texts.require(request);
  addVary(response, "accept");
  send(response, 200, type, await readFile(path, "utf8"));
};

const texts = new Offer(["text/markdown; charset=utf-8", "text/plain; charset=utf-8"]);

/** The page. */
export function readmePage(serve: ServePage): Handler {
  let rendered: Promise<Rendered> | undefined;
  return serve(async () => {
    rendered ??= render();
    rendered.catch(() => (rendered = undefined)); // the next one tries again
    const { html: text, chapters } = await rendered;
    return {
      title: "README",
      body: html`<div class="aside">
        <nav aria-label="Chapters">
          <ul>
            ${chapters.map(
              ({ level, title, anchor }) =>
                html`<li>${level === 3 ? html`&emsp;` : ""}<a href="#${anchor}">${title}</a></li>`,
            )}
          </ul>
        </nav>
        <main id="main" class="prose">${new Html(text)}</main>
      </div>`,
    };
  });
}
