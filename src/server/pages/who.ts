// The user of a page, and the token for its examples: that of a session, or the demo's on this machine.
import { nobody } from "#src/access/viewer.ts";
import type { Viewers } from "#src/access/viewers.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { ContextOf, Exchange } from "#src/http/exchange.ts";
import { isOfThisMachine } from "#src/http/client-address.ts";
import { html, type Html } from "#src/http/html.ts";

export interface Who {
  /** Name and e-mail address; null if not signed in. */
  readonly person: { readonly name: string; readonly email: string } | null;
  /** The token that the page may use and show; null if it uses the cookie of a session, or nothing. */
  readonly token: string | null;
}

/** Identifies the user. An invalid cookie or token counts as missing. */
export type FindWho = (exchange: Exchange) => Promise<Who>;

export interface WhoOptions {
  readonly database: Pick<Database, "prisma">;
  readonly viewers: Pick<Viewers, "byAuthorization">;
  readonly ofPage: ContextOf;
  /** The token of the demo, if it may be shown to clients on this machine. */
  readonly demoToken: string | undefined;
}

export function whoFinder({ database, viewers, ofPage, demoToken }: WhoOptions): FindWho {
  const personOf = async (viewerOf: () => Promise<{ readonly userId: string }>) => {
    try {
      const { userId: id } = await viewerOf();
      if (id === nobody.userId) return null;
      const user = await database.prisma.user.findUnique({ where: { id }, select: { displayName: true, email: true } });
      return user && { name: user.displayName, email: user.email };
    } catch (error) {
      if (error instanceof DomainError && error.code === "UNAUTHENTICATED") return null;
      throw error;
    }
  };
  return async (exchange) => {
    const person = await personOf(async () => (await ofPage(exchange)).viewer);
    if (person || demoToken === undefined || !isOfThisMachine(exchange.request)) return { person, token: null };
    return { person: await personOf(() => viewers.byAuthorization(`Bearer ${demoToken}`)), token: demoToken };
  };
}

/** Shows the current user, and accepts another token, which stays in this tab (`assets/who.js`). */
export function whoBar({ person, token }: Who): Html {
  return html`<section
    id="who"
    aria-label="Who is asking"
    class="who"
    ${token === null ? "" : html`data-token="${token}"`}
    ${person ? html`data-person` : ""}
  >
    <p role="status">${person ? html`You are <b>${person.name}</b> <span>${person.email}</span>` : noOne}</p>
    <form autocomplete="off">
      <label for="token">API token</label>
      <input
        id="token"
        name="token"
        type="password"
        autocomplete="off"
        placeholder="dg_…"
        spellcheck="false"
        required
      />
      <button>Use</button>
    </form>
    <button type="button" data-forget hidden>Forget the token</button>
  </section>`;
}

const noOne = html`You are not signed in: <a href="/sign-in">sign in</a>, or use an API token.`;
