// The fields of installations and versions about terms: what an organization agreed to, and what waits for that.
import { pendingTerms } from "#src/features/integrations/model/terms.ts";
import { IntegrationInstallation } from "#src/features/integrations/type/installation.ts";
import { IntegrationVersion } from "#src/features/integrations/type/integration.ts";
import { IntegrationScope, IntegrationTarget } from "#src/features/integrations/type/parts.ts";
import { builder } from "#src/graph/schema/builder.ts";

// Scopes are stored only in the forms that are read here.
type Scope = typeof IntegrationScope.$inferType;

const pendingColumns = ["scopes", "contentSecurityPolicy", "running", "agreed"] as const;

builder.prismaObjectFields(IntegrationInstallation, (t) => ({
  version: t.valueOrNull(
    "Int",
    "The number of the version that runs; null if its runtime has none.",
    ["version"],
    (row) => row.version,
  ),
  agreedVersion: t.exposeInt("agreedVersion", {
    description: "The version whose policy, blocks and target an admin of the organization agreed to last.",
  }),
  pinnedVersion: t.exposeInt("pinnedVersion", {
    nullable: true,
    description: "The version that runs until it is unpinned; null if the latest version of the runtime runs.",
  }),
  allowsDevMode: t.exposeBoolean("allowsDevMode", {
    description: "Whether the publisher's tunnel receives its events while development mode is on with `all`.",
  }),
  scopes: t.value(
    [IntegrationScope],
    "The scopes that it has: those that an admin of the organization agreed to, as far as its version asks for them.",
    ["scopes"],
    ({ scopes }) => scopes as Scope[],
  ),
  contentSecurityPolicy: t.exposeString("contentSecurityPolicy", {
    nullable: true,
    description: "The policy that is sent with what its script answers; null without one.",
  }),
  pendingScopes: t.value(
    [IntegrationScope],
    "The scopes that its version asks for, and that it gets when an admin agrees to that version.",
    pendingColumns,
    (row) => pendingTerms(row).scopes as Scope[],
  ),
  pendingContentSecurityPolicy: t.valueOrNull(
    "String",
    "The policy of its version, if an admin has not agreed to it: empty if the version has none. Null if nothing waits.",
    pendingColumns,
    (row) => pendingTerms(row).contentSecurityPolicy,
  ),
  pendingBlocks: t.value(
    ["String"],
    "Languages of fenced code, and starts of addresses, that become blocks when an admin agrees to its version.",
    pendingColumns,
    (row) => [...pendingTerms(row).blocks],
  ),
  pendingTarget: t.valueOrNull(
    IntegrationTarget,
    "The target of its version, if that adds spaces or sites to which an admin has not agreed. Null if nothing waits.",
    pendingColumns,
    (row) => pendingTerms(row).target,
  ),
}));

type PublishedManifest = { readonly scopes?: readonly Scope[]; readonly contentSecurityPolicy?: string | null };

/** Manifests are written only by publications, in this form. */
const manifestOf = ({ manifest }: { readonly manifest: unknown }): PublishedManifest => manifest as PublishedManifest;

builder.prismaObjectFields(IntegrationVersion, (t) => ({
  scopes: t.value([IntegrationScope], "The scopes that it asks for.", ["manifest"], (row) => [
    ...(manifestOf(row).scopes ?? []),
  ]),
  contentSecurityPolicy: t.valueOrNull(
    "String",
    "The policy that is sent with what its script answers; null without one.",
    ["manifest"],
    (row) => manifestOf(row).contentSecurityPolicy ?? null,
  ),
  scriptHash: t.exposeString("script", {
    nullable: true,
    description: "SHA-256 of its script, in hexadecimal; null if its events go to an address instead.",
  }),
}));
