// A browser of the application in tests: a signed-in person who reads pages and sends forms, without scripts.
import { signIn } from "#test/features/sessions/factory.ts";
import type { TestApp } from "#test/support/app.ts";

interface Visited {
  readonly status: number;
  readonly location: string | null;
  readonly body: string;
}

/** The pages as a person sees them; `send` posts a form with the origin of our pages, or with another one. */
export async function visitorOf(app: TestApp, { id: userId }: { readonly id: string }) {
  const { cookie } = await signIn(app, { userId });
  const ask = async (path: string, init: RequestInit, headers: Record<string, string> = {}): Promise<Visited> => {
    const response = await fetch(app.url + path, {
      ...init,
      redirect: "manual",
      headers: { accept: "text/html", cookie, ...headers },
    });
    return { status: response.status, location: response.headers.get("location"), body: await response.text() };
  };
  return {
    cookie,
    read: (path: string) => ask(path, {}),
    send: (path: string, fields: Readonly<Record<string, string>>, origin: string | null = app.url) =>
      ask(path, { method: "POST", body: new URLSearchParams(fields) }, origin === null ? {} : { origin }),
  };
}

/** The value of a field of a form, or the text of an area. */
export function fieldIn(body: string, name: string): string | undefined {
  const area = new RegExp(`<textarea name="${name}"[^>]*>\\n?([^<]*)<`).exec(body)?.[1];
  const input = new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(body)?.[1];
  return (area ?? input)?.replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)));
}

/** The text of a page without its tags. */
export const textOf = (body: string): string =>
  body
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, " ");
