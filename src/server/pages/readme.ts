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

/** What a thread makes of a task, once: the call after a failure tries again. */
export function madeOnce<Task, Made extends object>(pool: ThreadPool<Task, Made>, task: Task, failure: string) {
  const make = async () => {
    const { answers, ended } = await pool.run([task], 60_000);
    if (!answers[0]) throw new Error(`${failure}: ${ended}.`);
    return answers[0];
  };
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make();
    made.catch(() => (made = undefined));
    return made;
  };
}

export const readmeText: Handler = async ({ request, response }) => {
  const type = texts.require(request);
  addVary(response, "accept");
  send(response, 200, type, await readFile(path, "utf8"));
};

const texts = new Offer(["text/markdown; charset=utf-8", "text/plain; charset=utf-8"]);

export function readmePage(serve: ServePage): Handler {
  const render = madeOnce(pool, path, "The README could not be shown");
  return serve(async () => {
    const { html: text, chapters } = await render();
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
