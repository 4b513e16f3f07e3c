// The kind of computed pages that are made from OpenAPI specifications: from the latest version of one.
import { buffer } from "node:stream/consumers";
import { project } from "#src/db/reading/entity.ts";
import { sql } from "#src/db/connection/database.ts";
import { defineComputed } from "#src/features/content/commands/computed.ts";
import { specEvents, specFarewellEvents } from "#src/features/openapi/events.ts";
import { pagesVersion } from "#src/features/openapi/model/pages/made-pages.ts";
import { makeInThread } from "#src/features/openapi/model/pages/pages-maker.ts";
import { findSpecOfName } from "#src/features/openapi/reads/specs.ts";
import { openSpecDocument } from "#src/features/openapi/reads/spec-document.ts";

export const openApiPages = defineComputed({
  type: "builtin:openapi",
  current: sql`(select o."lastVersionId" || ${`/${pagesVersion}`} from "OpenApiSpec" o
    where o."organizationId" = c."organizationId" and (o."slug" = c.spec or o.id = c.spec))`,
  follows: [specEvents.versionAdded, specFarewellEvents.deleted],
  isSeen: async (context, { organizationId, spec: name }) =>
    (await findSpecOfName(context, { organizationId, name }, project([]))) !== null,
  async make(at, page) {
    const [versionId = ""] = page.made.split("/");
    const document = await openSpecDocument(at, versionId);
    if (!document) return { made: page.made, text: "", pages: [] }; // deleted meanwhile: it will be made anew
    return makeInThread({ ...page, json: await buffer(document) });
  },
});
