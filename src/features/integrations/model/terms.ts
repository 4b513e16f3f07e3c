// The terms of a version: the rights it gets in installations, and those an installation has not agreed to.
import type { Block } from "#src/features/integrations/model/manifest/manifest.ts";
import type { IntegrationTarget } from "#src/generated/prisma/enums.ts";

export interface Terms {
  readonly number: number;
  readonly scopes: readonly string[];
  readonly contentSecurityPolicy: string | null;
  readonly target: IntegrationTarget;
  readonly blocks: readonly Block[];
}

export interface Agreed extends Pick<Terms, "scopes" | "contentSecurityPolicy"> {
  /** The terms of the agreed version. */
  readonly agreed: Terms | null;
  /** The terms of the version that runs. */
  readonly running: Terms | null;
}

/** The terms that do not apply until the installation agrees to them. */
export interface PendingTerms {
  readonly scopes: readonly string[];
  /** Null if the policy is the agreed one; empty if the version has no policy. */
  readonly contentSecurityPolicy: string | null;
  /** Languages of fenced code and prefixes of addresses that turn into blocks. */
  readonly blocks: readonly string[];
  /** Null if the target adds no places. */
  readonly target: IntegrationTarget | null;
}

export function pendingTerms({ scopes, contentSecurityPolicy, agreed, running }: Agreed): PendingTerms {
  if (!running) return { scopes: [], contentSecurityPolicy: null, blocks: [], target: null };
  const known = new Set(agreed ? replacedBy(agreed.blocks) : []);
  const isWider = agreed !== null && agreed.target !== "all" && running.target !== agreed.target;
  return {
    scopes: running.scopes.filter((scope) => !scopes.includes(scope)),
    contentSecurityPolicy:
      running.contentSecurityPolicy === contentSecurityPolicy ? null : (running.contentSecurityPolicy ?? ""),
    blocks: replacedBy(running.blocks).filter((text) => !known.has(text)),
    target: isWider ? running.target : null,
  };
}

/** The texts that blocks replace: languages of fenced code, and prefixes of addresses. */
const replacedBy = (blocks: readonly Block[]): string[] => [
  ...new Set(
    blocks.flatMap(({ markdown, urlUnfurl = [] }) =>
      markdown?.codeblock === undefined ? urlUnfurl : [markdown.codeblock, ...urlUnfurl],
    ),
  ),
];

/** Scopes to read the sites that an installation is on. */
export const siteScopes: readonly string[] = ["site:metadata:read", "site:visitor:auth"];

/** The scope to sign in the visitors of sites. */
export const signInScope = "site:visitor:auth";

/** Scopes to read the spaces that an installation is active on, and to get their events. */
export const readingScopes: readonly string[] = ["space:content:read", "space:content:write", "space:metadata:read"];
