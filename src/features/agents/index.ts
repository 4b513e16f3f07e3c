// The feature "agents": what agents read of published sites, and the tools by which they read and write content.
import { textRoutes } from "#src/features/agents/http/texts.ts";
import { graphToolsRoute } from "#src/features/agents/http/graph-route.ts";
import { siteToolsRoute } from "#src/features/agents/http/site-tools.ts";
import type { Feature } from "#src/features/feature.ts";

export const agents: Feature = {
  name: "agents",
  routes: [],
  http: (gateway) => [graphToolsRoute(gateway), siteToolsRoute(gateway), ...textRoutes(gateway)],
};
