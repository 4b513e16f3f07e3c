// Query parameters of lists in the description of the public client: a filter that /v1 does not know would be ignored.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { queryNames } from "#src/rest/route.ts";

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}
type Operation = { readonly parameters?: readonly Parameter[] };
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Parameters of lists that /v1 does not have; answers name them in `x-docgraph-unknown-parameters`. */
const unknown: Readonly<Record<string, readonly string[]>> = {
  getReviewsByChangeRequestId: ["format", "outdated"],
  listChangeRequests: ["creator", "orderBy", "requestedReviewer", "topic"],
  listChangeRequestsForOrganization: ["finding", "orderBy", "site", "styleguideRun", "topic"],
  listIntegrationInstallationSites: ["extended"],
  listIntegrationInstallationSpaces: ["extended"],
  listIntegrationSites: ["extended"],
  listIntegrationSpaces: ["extended"],
  listOrganizationInstallations: ["search"],
  listOrganizationIntegrations: [
    "blockDomain",
    "blocks",
    "category",
    "contentSources",
    "owner",
    "scope",
    "search",
    "target",
  ],
  listSites: ["type"],
};

test("lists have every filter of the public client, except those that are named here", async () => {
  const at = new URL("../spec/openapi.json", import.meta.resolve("@gitbook/api"));
  const { paths, components } = JSON.parse(await readFile(at, "utf8")) as Description; // OpenAPI
  const missing: Record<string, string[]> = {};
  let compared = 0;
  for (const route of features.flatMap(({ routes }) => routes)) {
    const { [route.path.slice("/v1".length)]: { get, ...item } = {} } = paths;
    if (!route.list || route.method !== "GET" || !get) continue;
    compared++;
    const own = [...(get.parameters ?? []), ...((item["parameters"] ?? []) as readonly Parameter[])];
    const known = new Set(queryNames(route));
    const names = own
      .map((parameter) => (parameter.$ref ? components.parameters[parameter.$ref.split("/").at(-1) ?? ""] : parameter))
      .flatMap((parameter) => (parameter?.in === "query" && !known.has(parameter.name) ? parameter.name : []));
    if (names.length > 0) missing[route.operationId] = names.toSorted();
  }
  expect(compared).toBeGreaterThan(20);
  expect(missing).toEqual(unknown);
});
