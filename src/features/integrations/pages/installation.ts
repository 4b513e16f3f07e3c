// The page of an installation of an integration: its settings and terms, where it is installed, and its events.
import type { Answer } from "#src/features/integrations/views/installation-answer.ts";
import { installationView } from "#src/features/integrations/views/installation.ts";
import { selectionsIn } from "#src/features/integrations/views/selections.ts";
import { settingsIn } from "#src/features/integrations/views/setting-fields.ts";
import { organizationFrame } from "#src/features/organizations/views/organization-frame.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { hereOf } from "#src/features/users/views/app-lists.ts";
import { type Asked, defineForm, definePage, type Form, type Page } from "#src/pages/page.ts";

const here = (_answer: object, asked: Asked): string => hereOf(asked);
const installationIn = ({ named }: Asked) => ({ installationId: named["installation"] });

const ofInstallation: Readonly<Record<string, Form<never>>> = {
  settings: defineForm({
    mutation: `mutation Configure($input: UpdateInstallationInput!) { updateInstallation(input: $input) { installation { id } } }`,
    variables: (fields, asked) => ({ input: { ...installationIn(asked), configuration: settingsIn(fields) } }),
    then: here,
  }),
  places: defineForm({
    mutation: `mutation ChoosePlaces($input: UpdateInstallationInput!) { updateInstallation(input: $input) { installation { id } } }`,
    variables: (fields, asked) => ({ input: { ...installationIn(asked), ...selectionsIn(fields) } }),
    then: here,
  }),
  agree: defineForm({
    mutation: `mutation AgreeToTerms($input: UpdateInstallationInput!) { updateInstallation(input: $input) { installation { id } } }`,
    variables: (fields, asked) => ({
      input: { ...installationIn(asked), agreedVersion: Number(fields.get("version")) },
    }),
    then: here,
  }),
  pin: defineForm({
    mutation: `mutation PinVersion($input: UpdateInstallationInput!) { updateInstallation(input: $input) { installation { id } } }`,
    variables: (fields, asked) => {
      const version = fields.get("version");
      return { input: { ...installationIn(asked), pinnedVersion: version === null ? null : Number(version) } };
    },
    then: here,
  }),
  pause: defineForm({
    mutation: `mutation Pause($input: PauseInstallationInput!) { pauseInstallation(input: $input) { installation { id } } }`,
    variables: (_fields, asked) => ({ input: installationIn(asked) }),
    then: here,
  }),
  resume: defineForm({
    mutation: `mutation Resume($input: ResumeInstallationInput!) { resumeInstallation(input: $input) { installation { id } } }`,
    variables: (_fields, asked) => ({ input: installationIn(asked) }),
    then: here,
  }),
  uninstall: defineForm<{ readonly uninstallIntegration: { readonly organization: { readonly id: string } | null } }>({
    mutation: `mutation Uninstall($input: UninstallIntegrationInput!) {
      uninstallIntegration(input: $input) { organization { id } }
    }`,
    variables: (_fields, asked) => ({ input: installationIn(asked) }),
    then: ({ uninstallIntegration: { organization } }) =>
      organization ? `/app/orgs/${organization.id}/integrations` : "/app",
  }),
};

const ofPlaces: Readonly<Record<string, Form<never>>> = {
  addSpace: defineForm({
    mutation: `mutation InstallOnSpace($input: InstallIntegrationOnSpaceInput!) {
      installIntegrationOnSpace(input: $input) { integrationSpace { id } }
    }`,
    variables: (fields, asked) => ({ input: { ...installationIn(asked), spaceId: fields.get("place") } }),
    then: here,
  }),
  space: defineForm({
    mutation: `mutation ConfigureOnSpace($input: UpdateIntegrationSpaceInput!) {
      updateIntegrationSpace(input: $input) { integrationSpace { id } }
    }`,
    variables: (fields) => ({ input: { integrationSpaceId: fields.get("of"), configuration: settingsIn(fields) } }),
    then: here,
  }),
  removeSpace: defineForm({
    mutation: `mutation UninstallFromSpace($input: UninstallIntegrationFromSpaceInput!) {
      uninstallIntegrationFromSpace(input: $input) { deletedId }
    }`,
    variables: (fields) => ({ input: { integrationSpaceId: fields.get("of") } }),
    then: here,
  }),
  addSite: defineForm({
    mutation: `mutation InstallOnSite($input: InstallIntegrationOnSiteInput!) {
      installIntegrationOnSite(input: $input) { integrationSite { id } }
    }`,
    variables: (fields, asked) => ({ input: { ...installationIn(asked), siteId: fields.get("place") } }),
    then: here,
  }),
  site: defineForm({
    mutation: `mutation ConfigureOnSite($input: UpdateIntegrationSiteInput!) {
      updateIntegrationSite(input: $input) { integrationSite { id } }
    }`,
    variables: (fields) => ({ input: { integrationSiteId: fields.get("of"), configuration: settingsIn(fields) } }),
    then: here,
  }),
  removeSite: defineForm({
    mutation: `mutation UninstallFromSite($input: UninstallIntegrationFromSiteInput!) {
      uninstallIntegrationFromSite(input: $input) { deletedId }
    }`,
    variables: (fields) => ({ input: { integrationSiteId: fields.get("of") } }),
    then: here,
  }),
  retry: defineForm({
    mutation: `mutation RetryEvent($input: RetryIntegrationEventInput!) { retryIntegrationEvent(input: $input) { event { id } } }`,
    variables: (fields) => ({ input: { eventId: fields.get("event") } }),
    then: (_answer, asked) => `${hereOf(asked)}#events`,
  }),
};

const statuses = ["FAILURE", "PENDING", "SUCCESS"];

export const installationPage: Page = definePage<Answer>({
  path: "/app/integrations/:name/installations/:installation",
  query: `query Installation(
    $installation: ID!, $status: IntegrationEventStatus, $events: String, $spaces: String, $sites: String
  ) {
    node(id: $installation) { ... on IntegrationInstallation {
      id integrationName status version agreedVersion pinnedVersion createdAt createdBy { displayName }
      scopes pendingScopes pendingBlocks pendingTarget pendingContentSecurityPolicy configuration
      spaceSelection siteSelection externalIds urls { publicEndpoint }
      integration { id title version target configurations }
      organization {
        ...OrganizationFrame
        spaces(first: 100) { nodes { id title } }
        sites(first: 100) { nodes { id title } }
      }
      spaces(first: 25, after: $spaces) {
        nodes { id status configuration place: space { id title } } pageInfo { hasNextPage endCursor }
      }
      sites(first: 25, after: $sites) {
        nodes { id status configuration place: site { id title } } pageInfo { hasNextPage endCursor }
      }
      events(first: 20, after: $events, status: $status) {
        nodes { id type status tries createdAt durationMs nextTryAt payload logs { level message timestamp } }
        pageInfo { hasNextPage endCursor }
      }
    } }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { installation }, search }) => ({
    installation,
    status: statuses.find((one) => one === search.get("status")) ?? null,
    events: search.get("events"),
    spaces: search.get("spaces"),
    sites: search.get("sites"),
  }),
  view: installationView,
  forms: { ...ofInstallation, ...ofPlaces },
});
