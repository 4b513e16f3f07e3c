// A browser of the application in tests: a signed-in person who reads pages and sends forms, without scripts.
import { signIn } from "#test/features/sessions/factory.ts";
import type { TestApp } from "#test/support/app.ts";

interface Visited {
  readonly status: number;
  readonly location: string | null;
  /** What the next page says of the form that was sent. */
  readonly notice: string;
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
    const notice = /docgraph_notice=([^;]*)/.exec(response.headers.getSetCookie().join())?.[1] ?? "";
    const { status } = response;
    const location = response.headers.get("location");
    return { status, location, notice: decodeURIComponent(notice), body: await response.text() };
  };
  return {
    cookie,
    read: (path: string) => ask(path, {}),
    /** Sends a form with files after its fields, as browsers do. */
    sendFiles: (path: string, fields: Readonly<Record<string, string>>, files: readonly File[], origin = app.url) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      for (const file of files) body.append("file", file);
      return ask(path, { method: "POST", body }, { origin });
    },
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
