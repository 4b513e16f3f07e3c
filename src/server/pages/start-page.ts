// The page at `/`: what docgraph is, the current user, three examples that run or the first step of an empty
// installation, and links to everything else.
import { Lexer, Source, TokenKind } from "graphql";
import type { Database } from "#src/db/connection/database.ts";
import type { Handler } from "#src/http/exchange.ts";
import type { ServePage } from "#src/server/pages/site.ts";
import { type FindWho, type Who, whoBar } from "#src/server/pages/who.ts";
import { html, type Html } from "#src/http/html.ts";

/** An operation that runs in the page. `$spaceId` and `$input` are filled by `assets/start.js`. */
interface Example {
  readonly id: string;
  readonly title: string;
  readonly says: Html;
  readonly action: string;
  readonly document: string;
}

/** The examples, in the order in which they are shown. A test runs each of them. */
export const examples: readonly Example[] = [
  {
    id: "query",
    title: "Ask",
    says: html`All data of a page in one request: nested lists cost one SQL statement per level.`,
    action: "Run",
    document: `query Overview {
  organizations(first: 1) {
    nodes {
      title
      spaces(first: 3) {
        nodes {
          title
          changeRequests(first: 2, statuses: [OPEN]) {
            totalCount
            nodes { number subject createdBy { displayName } }
          }
        }
      }
    }
  }
}`,
  },
  {
    id: "subscription",
    title: "Listen",
    says: html`Comments on <b data-space>a space</b>, as they come, on a WebSocket. Start it, and change something.`,
    action: "Start",
    document: `subscription Comments($spaceId: ID!) {
  commentEvents(of: { spaceId: $spaceId }) {
    __typename
    ... on CommentPosted {
      actor { displayName }
      comment { body { markdown } postedAt }
    }
  }
}`,
  },
  {
    id: "mutation",
    title: "Change",
    says: html`Posts a comment on <b data-space>a space</b> that is visible to you. Its subscribers are notified.`,
    action: "Post the comment",
    document: `mutation PostComment($input: CreateCommentInput!) {
  createComment(input: $input) {
    comment {
      id
      body { markdown }
      postedBy { displayName }
      permissions { edit delete }
    }
  }
}`,
  },
];

interface Given {
  readonly findWho: FindWho;
  readonly hasGraphiql: boolean;
  /** The address of the application. */
  readonly application: string;
  readonly database: Pick<Database, "prisma">;
}

export function startPage(serve: ServePage, { findWho, hasGraphiql, application, database }: Given): Handler {
  const find = firstStepFinder(database);
  return serve(async (exchange) => {
    const who = await findWho(exchange);
    const step = await find();
    return {
      title: "docgraph",
      scripts: ["graphql-ws.js"],
      modules: ["start.js"],
      body: html`${whoBar(who)}
        <main id="main" class="start">
          ${introductionOf(hasSession(who) ? application : signInFor(application))}
          ${step ? firstStepOf(step, who, application) : html`${tokenOf(who)} ${tryIt()}`} ${wayOn(hasGraphiql)}
        </main>`,
    };
  });
}

/** What an installation needs before the examples return anything. */
type FirstStep = "set up" | "create a space";

/** Finds the first step; null once a space exists, which is not checked again. */
function firstStepFinder({ prisma }: Pick<Database, "prisma">): () => Promise<FirstStep | null> {
  let hasSpace = false;
  return async () => {
    hasSpace ||= (await prisma.space.findFirst({ select: { id: true } })) !== null;
    if (hasSpace) return null;
    const organization = await prisma.organization.findFirst({ select: { id: true } });
    return organization === null ? "set up" : "create a space";
  };
}

const hasSession = ({ person, token }: Who): boolean => person !== null && token === null;

const signInFor = (address: string): string => `/sign-in?${new URLSearchParams({ returnTo: address }).toString()}`;

function firstStepOf(step: FirstStep, who: Who, application: string): Html {
  if (step === "set up")
    return html`<section class="token" aria-labelledby="first-step">
      <h2 id="first-step">First step: set up</h2>
      <p>This docgraph has no users yet. Create the first organization and its admin where docgraph is installed:</p>
      <pre tabindex="0"><code>npm run -s setup -- --organization "Acme" --email me@example.com</code></pre>
      <p>Then <a href="${signInFor(application)}">sign in</a> with that e-mail address.</p>
    </section>`;
  return html`<section class="token" aria-labelledby="first-step">
    <h2 id="first-step">First step: create a space</h2>
    <p>A space contains the pages of one documentation. Create it empty or from a template, and invite people.</p>
    ${
      hasSession(who)
        ? html`<p><a class="act" href="${application}">Create a space</a></p>`
        : html`<p><a class="act" href="${signInFor(application)}">Sign in to create a space</a></p>`
    }
  </section>`;
}

const introductionOf = (start: string): Html =>
  html`<div class="intro">
    <h1>Documentation, as one graph</h1>
    <p>
      docgraph keeps the documentation of teams in spaces, with change requests, comments, reviews and published sites,
      and serves all of it by <a href="/reference/graphql">GraphQL</a>, <a href="/reference/rest">REST</a> and live
      events: the same data and the same rights, whichever way you ask.
    </p>
    <p><a class="act" href="${start}">Open the application</a></p>
  </div>`;

function tokenOf({ person, token }: Who): Html {
  if (token !== null && person)
    return html`<section class="token" aria-labelledby="your-token">
      <h2 id="your-token">Your token</h2>
      <p>Of the demo; shown on this machine alone. Programs send it as <code>Authorization: Bearer …</code>.</p>
      <p class="copied"><code>${token}</code><button type="button" data-copy="${token}">Copy</button></p>
      <p>
        To open the application as ${person.name}, sign in with the link that
        <code>npm run -s login -- ${person.email}</code> prints.
      </p>
    </section>`;
  if (person)
    return html`<section class="token" aria-labelledby="your-token">
      <h2 id="your-token">A token for programs</h2>
      <p>
        Pages here ask with your session. Programs send a token: <code>createApiToken</code> makes one, and this button
        one that is good for ten minutes.
      </p>
      <p class="copied"><code data-made>…</code><button type="button" data-make>Make one</button></p>
    </section>`;
  return html``;
}

const exampleOf = ({ id, title, says, action, document }: Example): Html =>
  html`<article id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title">${title}</h3>
    <p>${says}</p>
    ${graphqlText(document)}
    <div class="run">
      <button type="button" data-run="${document}">${action}</button>
      <span role="status"></span>
    </div>
    <div class="answer" role="log" tabindex="0" aria-label="${title}: the answer"></div>
  </article>`;

const tryIt = (): Html =>
  html`<section aria-labelledby="try">
    <h2 id="try">Try it</h2>
    <div class="examples">${examples.map(exampleOf)}</div>
  </section>`;

const places = [
  ["/docs", "Documentation", "How to start, use, run and change docgraph; with a search."],
  ["/graphql", "GraphiQL", "Write operations with completion, and see every message of a subscription."],
  ["/reference/graphql", "GraphQL reference", "Every operation and type, with its description."],
  ["/reference/rest", "REST reference", "The operations of /v1, with a form to run them."],
  ["/v1/openapi.json", "openapi.json", "The same for programs: OpenAPI 3.1 with examples."],
  ["/reference", "Reference", "Settings, limits, metrics, events, permissions, routes and errors."],
  ["/v1", "/v1", "The index of REST: version, description and lists to start from."],
  ["/healthz", "/healthz", "Whether the process runs."],
  ["/readyz", "/readyz", "Whether it can serve: database, migrations, replicas."],
] as const;

const wayOn = (hasGraphiql: boolean): Html =>
  html`<section aria-labelledby="on">
    <h2 id="on">Further</h2>
    <ul class="places">
      ${places
        .filter(([path]) => hasGraphiql || path !== "/graphql")
        .map(([path, name, says]) => html`<li><a href="${path}">${name}</a><span>${says}</span></li>`)}
    </ul>
  </section>`;

const words: ReadonlySet<string> = new Set(["query", "mutation", "subscription", "fragment", "on"]);

const classes: Readonly<Record<string, string>> = {
  [TokenKind.STRING]: "string",
  [TokenKind.BLOCK_STRING]: "string",
  [TokenKind.INT]: "number",
  [TokenKind.FLOAT]: "number",
  [TokenKind.DOLLAR]: "variable",
};

/** A document as a block of code. Throws a syntax error of GraphQL. */
function graphqlText(text: string): Html {
  const lexer = new Lexer(new Source(text));
  const pieces: Html[] = [];
  let end = 0;
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    const own = token.kind === TokenKind.NAME ? classOfName(token.value, token.prev?.kind) : classes[token.kind];
    const written = text.slice(token.start, token.end);
    pieces.push(
      html`${text.slice(end, token.start)}`,
      own ? html`<span class="${own}">${written}</span>` : html`${written}`,
    );
    end = token.end;
  }
  return html`<pre tabindex="0"><code>${pieces}${text.slice(end)}</code></pre>`;
}

function classOfName(name: string, before: TokenKind | undefined): string {
  if (words.has(name)) return "word";
  if (before === TokenKind.DOLLAR) return "variable";
  return /^[A-Z]/.test(name) ? "type" : "";
}
