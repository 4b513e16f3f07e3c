// The list of all codes of errors at `/reference/errors`, from the tables that the code itself goes by.
import { errorCodes, requestCodes } from "#src/base/errors.ts";
import type { Handler } from "#src/http/exchange.ts";
import { prose, type ServePage } from "#src/server/pages/site.ts";
import { html, type Html } from "#src/http/html.ts";

interface Row {
  readonly status: number;
  readonly message: string;
  readonly remedy: string;
}

/** Makes the page. */
export const errorsReference = (serve: ServePage): Handler =>
  serve(async () => ({
    title: "Errors",
    body: html`<main id="main">
      <h1>Errors</h1>
      <p>
        Every refusal has a code that stays: <code>extensions.code</code> in GraphQL, over HTTP, WebSocket and
        server-sent events alike, and the same word as <code>error.type</code> in <a href="/reference/rest">/v1</a>,
        where <code>error.code</code> repeats the status. Messages are for people and may change.
      </p>
      <h2 id="codes">Everywhere</h2>
      ${table(errorCodes)}
      <h2 id="requests">Requests of GraphQL, before they run</h2>
      <p>
        The status is that of answers as <code>application/graphql-response+json</code>. As
        <code>application/json</code>, which older clients ask for, they are 200, but for what is refused as HTTP.
      </p>
      ${table(requestCodes)}
    </main>`,
  }));

const table = (codes: Readonly<Record<string, Row>>): Html =>
  html`<table class="codes">
    <thead>
      <tr>
        <th scope="col">Code</th>
        <th scope="col">Status</th>
        <th scope="col">What it means</th>
        <th scope="col">What to do</th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(codes).map(
        ([code, { status, message, remedy }]) =>
          html`<tr id="${code}">
            <th scope="row"><code>${code}</code></th>
            <td>${status}</td>
            <td>${prose(message)}</td>
            <td>${prose(remedy)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
