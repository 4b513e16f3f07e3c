// Responses of other servers in tests: a page at each URL of docs.example.com that
// ends with .md, as Markdown or HTML depending on Accept. No test leaves the machine.
import { FetchError } from "#src/net/fetch-error.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

const text = "High water comes twice a day.";

/** Replaces requests to other servers. */
export const exampleFetch: SafeFetch = async (address, { headers } = {}) => {
  const url = new URL(address);
  if (url.hostname !== "docs.example.com") throw new FetchError("connection");
  const answer = (status: number, type: string, body: string) => ({
    url: url.href,
    status,
    headers: new Headers({ "content-type": type }),
    body: Buffer.from(body),
  });
  if (!url.pathname.endsWith(".md")) return answer(404, "text/plain", "There is nothing.");
  if (headers?.["accept"]?.includes("html"))
    return answer(200, "text/html", `<html><body><main><h1>Tides</h1><p>${text}</p></main></body></html>`);
  return answer(200, "text/markdown", `# Tides\n\n${text}\n`);
};

/** A page that can be imported. */
export const examplePage = { url: "https://docs.example.com/tides.md", source: "markdown" } as const;
