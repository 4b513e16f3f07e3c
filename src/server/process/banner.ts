// What is printed when docgraph is ready: every address, where the data are, and a line to paste.

export interface BannerFacts {
  readonly url: string;
  readonly data: string;
  readonly demoToken: string | undefined;
  /** The file that has it. */
  readonly demoTokenFile: string;
  /** Whether a person reads it: what goes to a file or another program has no token. */
  readonly isTerminal: boolean;
  /** Whether there is no organization yet. */
  readonly isEmpty: boolean;
}

/** What to do first with a database of one's own. */
export const howToSetUp =
  'make the first organization and its admin with: npm run -s setup -- --organization "Acme" --email me@example.com';

const query =
  "{ organizations { nodes { title spaces(first: 3) { nodes { title changeRequests(first: 3) { nodes { number subject comments { totalCount } } } } } } } }";

/** Some lines of text, readable at a glance. */
export function banner({ url, data, isEmpty, ...facts }: BannerFacts): string {
  const [shown, inShell] = demoTokenIn(facts);
  const rows = [
    ["GraphQL", `${url}/graphql   (GraphiQL in a browser)`],
    ["REST", `${url}/v1`],
    ["WebSocket", `${url.replace(/^http/, "ws")}/graphql`],
    ["Data", data],
    ["Token", shown ?? (isEmpty ? howToSetUp : "make one with: npm run -s token -- <email>")],
  ] as const;
  const table = rows.map(([name, value]) => `  ${name.padEnd(11)}${value}`).join("\n");
  return `
  docgraph is ready

${table}

  Try it:
  curl -s ${url}/graphql -H "authorization: Bearer ${inShell}" -H "content-type: application/json" -d '${JSON.stringify({ query })}'
`;
}

/** The token of the demo as a person reads it, and as the line to paste has it. */
function demoTokenIn({ demoToken, demoTokenFile: file, isTerminal }: Omit<BannerFacts, "url" | "data" | "isEmpty">) {
  if (demoToken === undefined) return [undefined, "$TOKEN"] as const;
  return isTerminal ? ([demoToken, demoToken] as const) : ([`${file}   (in this file)`, `$(cat '${file}')`] as const);
}
