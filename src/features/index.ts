// The registry of features, in order of dependency: a feature imports only from the features before it.
import { users } from "#src/features/users/index.ts";
import { organizations } from "#src/features/organizations/index.ts";
import { tokens } from "#src/features/tokens/index.ts";
import { sessions } from "#src/features/sessions/index.ts";
import { audit } from "#src/features/audit/index.ts";
import { inviteLinks } from "#src/features/invite-links/index.ts";
import { invitations } from "#src/features/invitations/index.ts";
import { collections } from "#src/features/collections/index.ts";
import { spaces } from "#src/features/spaces/index.ts";
import { content } from "#src/features/content/index.ts";
import { imports } from "#src/features/imports/index.ts";
import { openapi } from "#src/features/openapi/index.ts";
import { templates } from "#src/features/templates/index.ts";
import { teams } from "#src/features/teams/index.ts";
import { members } from "#src/features/members/index.ts";
import { grants } from "#src/features/grants/index.ts";
import { changeRequests } from "#src/features/change-requests/index.ts";
import { links } from "#src/features/links/index.ts";
import { pdfs } from "#src/features/pdfs/index.ts";
import { reviews } from "#src/features/reviews/index.ts";
import { comments } from "#src/features/comments/index.ts";
import { activity } from "#src/features/activity/index.ts";
import { sites } from "#src/features/sites/index.ts";
import { publishedSites } from "#src/features/published-sites/index.ts";
import { agents } from "#src/features/agents/index.ts";
import { saml } from "#src/features/saml/index.ts";
import { oidc } from "#src/features/oidc/index.ts";
import { search } from "#src/features/search/index.ts";
import { integrations } from "#src/features/integrations/index.ts";
import { translations } from "#src/features/translations/index.ts";
import type { Feature } from "#src/features/feature.ts";

export const features: readonly Feature[] = [
  users,
  organizations,
  tokens,
  sessions,
  audit,
  inviteLinks,
  invitations,
  collections,
  spaces,
  content,
  imports,
  openapi,
  templates,
  teams,
  members,
  grants,
  changeRequests,
  links,
  pdfs,
  translations,
  reviews,
  comments,
  activity,
  sites,
  publishedSites,
  search,
  integrations,
  saml,
  oidc,
  agents,
];

/** The part `key`, which exactly one feature defines. */
export function partOf<Key extends "scripts" | "visitorSignIn" | "translator" | "openedBy" | "pathOfHost">(
  key: Key,
): NonNullable<Feature[Key]> {
  const part = features.map((feature) => feature[key]).find((each) => each !== undefined);
  if (!part) throw new Error(`No feature has ${key}.`);
  return part;
}
