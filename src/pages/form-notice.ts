// The notice that the page after a form shows once, such as `Saved.`: it travels in a cookie that the page deletes.
import { percentDecoded } from "#src/base/url-text.ts";
import type { Exchange } from "#src/http/exchange.ts";

const name = "docgraph_notice";

/** The notice appears on the next page, unless that takes longer than a minute. */
const seconds = 60;

/** The longest notice that is shown, in characters. */
const longest = 200;

/** Stores the notice for the next page of the application. */
export const noticeLater = ({ response }: Exchange, text: string): void =>
  void response.appendHeader("set-cookie", cookieOf(encodeURIComponent(text), seconds));

/** The notice of the form that led here, and its end; null without one. */
export function noticeOf({ request, response }: Exchange): string | null {
  const [, value = ""] = new RegExp(`(?:^|; *)${name}=([^;]*)`).exec(request.headers.cookie ?? "") ?? [];
  if (value === "") return null;
  // A request that refreshes the page in the background leaves the notice to the page that people see.
  if ((request.headers["sec-fetch-dest"] ?? "document") !== "document") return null;
  response.appendHeader("set-cookie", cookieOf("", 0));
  return percentDecoded(value)?.slice(0, longest) ?? null;
}

const cookieOf = (value: string, maxAge: number): string =>
  `${name}=${value}; Path=/app; Max-Age=${maxAge}; HttpOnly; SameSite=Lax`;
