// A signed-in user who reads the pages under /app/ and sends their forms, as a browser without scripts does.
import { signIn } from "#test/features/sessions/factory.ts";
import type { TestApp } from "#test/support/app.ts";

/** The text of a page without its elements. */
export const textOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*(>|$)/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'")
    .trim();

const valuesOf = ([name, value]: [string, string | readonly string[]]): string[][] =>
  [value].flat().map((one) => [name, one]);

/** The pages as one user sees them; `null` is signed out. */
export async function readerOf(app: TestApp, user: { readonly id: string } | null) {
  const session = user && (await signIn(app, { userId: user.id }));
  const headers = { accept: "text/html", ...(session && { cookie: session.cookie }) };
  const request = async (path: string, options: RequestInit) => {
    const answer = await fetch(app.url + path, { redirect: "manual", ...options });
    const body = await answer.text();
    return { status: answer.status, to: answer.headers.get("location"), headers: answer.headers, body };
  };
  return {
    session,
    read: (path: string) => request(path, { headers }),
    /**
     * Sends a form of the page, a field with several values by a list; `origin` is that of the page it is on, null to
     * send none.
     */
    send: (
      path: string,
      form: string,
      fields: Readonly<Record<string, string | readonly string[]>> = {},
      { origin = app.url }: { readonly origin?: string | null } = {},
    ) =>
      request(path, {
        method: "POST",
        headers: { ...headers, ...(origin !== null && { origin }) },
        body: new URLSearchParams([["form", form], ...Object.entries(fields).flatMap(valuesOf)]),
      }),
  };
}
