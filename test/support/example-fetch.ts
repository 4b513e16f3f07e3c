// Responses of other servers in tests: a page at each URL of docs.example.com that
// ends with .md, as Markdown or HTML depending on Accept. No test leaves the machine.
import { FetchError } from "#src/net/fetch-error.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

const text = "High water comes twice a day.";

/** The issuer of an OpenID provider whose configuration can be read. */
export const exampleIssuer = "https://login.example.com";

const openIdConfiguration = {
  issuer: exampleIssuer,
  authorization_endpoint: `${exampleIssuer}/authorize`,
  token_endpoint: `${exampleIssuer}/token`,
  jwks_uri: `${exampleIssuer}/keys`,
};

const answer = (url: URL, status: number, type: string, body: string) => ({
  url: url.href,
  status,
  headers: new Headers({ "content-type": type }),
  body: Buffer.from(body),
});

/** Replaces requests to other servers. */
export const exampleFetch: SafeFetch = async (address, { headers } = {}) => {
  const url = new URL(address);
  if (url.origin === exampleIssuer) return answer(url, 200, "application/json", JSON.stringify(openIdConfiguration));
  if (url.hostname !== "docs.example.com") throw new FetchError("connection");
  if (!url.pathname.endsWith(".md")) return answer(url, 404, "text/plain", "There is nothing.");
  if (headers?.["accept"]?.includes("html"))
    return answer(url, 200, "text/html", `<html><body><main><h1>Tides</h1><p>${text}</p></main></body></html>`);
  return answer(url, 200, "text/markdown", `# Tides\n\n${text}\n`);
};

/** A page that can be imported. */
export const examplePage = { url: "https://docs.example.com/tides.md", source: "markdown" } as const;
