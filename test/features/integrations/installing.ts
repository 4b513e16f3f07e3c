// Installing integrations as an admin through the API, shared by the tests of installations.
import { addIntegration } from "#test/features/integrations/factory.ts";
import { done } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";

/** The properties that the integrations of these tests declare. */
export const configurations = {
  account: {
    properties: {
      apiUrl: { type: "string" },
      apiKey: { type: "string" },
      tries: { type: "number", default: 3 },
      region: { type: "string", enum: ["eu", "us"] },
      quiet: { type: "boolean" },
    },
    required: ["apiUrl", "tries"],
  },
  space: { properties: { board: { type: "string" } }, required: ["board"] },
};

/** The compared selection of an installation and of its spaces and sites. */
const installationFields = `id status spaceSelection siteSelection configuration externalIds spaceCount
  spaces(first: 100) { nodes { id spaceId status configuration externalIds } }
  sites(first: 100) { nodes { id siteId status configuration externalIds } }`;

interface Placed {
  readonly id: string;
  readonly status: string;
  readonly configuration: object | null;
  readonly externalIds: string[];
}

export interface Installation extends Placed {
  readonly spaceSelection: string;
  readonly siteSelection: string;
  readonly spaceCount: number;
  readonly spaces: { readonly nodes: (Placed & { readonly spaceId: string })[] };
  readonly sites: { readonly nodes: (Placed & { readonly siteId: string })[] };
}

type Row<Name extends string> = Record<Name, { readonly id: string }>;

/** An app, and organizations with integrations in it. */
export async function useInstallations() {
  const { app, world } = await useApp();
  return {
    app,
    world,
    /** An organization with a public integration that is not installed, and operations as its admin. */
    scene: async (given: Partial<Parameters<typeof addIntegration>[1]> = {}) => {
      const made = await world.organization();
      const organizationId = made.organization.id;
      const integration = await world.insert((rows) =>
        addIntegration(rows, { organizationId, visibility: "public", ...given }),
      );
      const { token } = made.admin;
      const does = <Answer = object>(name: string, input: object, selection = "__typename") =>
        done<Answer>(app, token, name, { answer: selection, ...input });
      const installed = { integrationName: integration.name, organizationId };
      return {
        ...made,
        organizationId,
        integration,
        installed,
        does,
        refusal: (name: string, input: object) =>
          app
            .as(token)
            .refusal(
              `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { __typename } }`,
              { input },
            ),
        install: async (input: object = {}) =>
          (
            await does<{ installation: Installation }>(
              "installIntegration",
              { ...installed, ...input },
              `installation { ${installationFields} }`,
            )
          ).installation,
        shown: async (id: string) =>
          (
            await app
              .as(token)
              .query<{ node: Installation }>(
                `{ node(id: "${id}") { ... on IntegrationInstallation { ${installationFields} } } }`,
              )
          ).node,
        newSpace: async (title = "Space") =>
          (await does<Row<"space">>("createSpace", { organizationId, title }, "space { id }")).space.id,
        newSite: async () =>
          (await does<Row<"site">>("createSite", { organizationId, title: "Site" }, "site { id }")).site.id,
      };
    },
  };
}
