// What other servers answer in tests that ask no server of their own: a page at each address of docs.example.com that
// ends with .md, as Markdown or for who asks for HTML as such. No test leaves the machine.
import { FetchError } from "#src/net/fetch-error.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

const text = "High water comes twice a day.";

/** Stands for the way to other servers. */
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

/** Something that can be imported there. */
export const examplePage = { url: "https://docs.example.com/tides.md", source: "markdown" } as const;
