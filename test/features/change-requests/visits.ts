// A signed-in browser without scripts: reads pages of the application, and sends their forms.
import { signIn } from "#test/features/sessions/factory.ts";
import type { TestApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

/** The text of a page or of a part of it, without tags. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*(>|$)/g, " ")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, " ")
    .trim();

/** The elements with a name whose tag contains a text; they do not contain others of that name. */
export const elementsIn = (body: string, name: string, containing = ""): string[] =>
  (body.match(new RegExp(`<${name}[\\s>].*?</${name}>`, "gs")) ?? []).filter((one) => one.includes(containing));

export async function visitAs(app: TestApp, { id }: Person) {
  const { cookie } = await signIn(app, { userId: id });
  const request = async (path: string, options: RequestInit = {}) => {
    const headers = { accept: "text/html", cookie, ...(options.headers as Record<string, string>) };
    const answer = await fetch(app.url + path, { ...options, headers, redirect: "manual" });
    return { status: answer.status, to: answer.headers.get("location"), body: await answer.text() };
  };
  return {
    read: (path: string) => request(path),
    /** Sends a form; with another `origin`, as a page elsewhere does. */
    send: (path: string, form: string, fields: Record<string, string> = {}, origin: string | null = app.url) =>
      request(path, {
        method: "POST",
        body: new URLSearchParams({ form, ...fields }),
        headers: origin === null ? {} : { origin },
      }),
  };
}
