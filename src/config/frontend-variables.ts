// The variables of the environment that say which frontends may call, and what they may send.
import { resolve } from "node:path";
import { z } from "zod";
import { listOf, onOff, variable } from "#src/config/variable.ts";

/** Whether the text is scheme, host and perhaps port, as browsers write it into the header Origin. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

export const frontendVariables = {
  ALLOWED_ORIGINS: variable({
    schema: listOf((origin) => origin === "*" || isOrigin(origin)),
    about:
      "Other origins whose pages may call from a browser: a list with commas between, or * for all. Outside of production localhost may, too.",
    wants: "origins like https://docs.example.com with commas between, or *",
  }),
  TRUSTED_DOCUMENTS_FILES: variable({
    schema: listOf().transform((paths) => paths?.map((path) => resolve(path))),
    about:
      "The manifests of the documents of frontends, which clients name by their ids: files, or folders of them, with commas between. npm run documents makes one.",
    wants: "paths with commas between",
  }),
  TRUSTED_DOCUMENTS: variable({
    schema: z.enum(["also", "only"]),
    fallback: "also",
    about: "With only, GraphQL takes no other documents than those of TRUSTED_DOCUMENTS_FILES; /v1 stays as it is.",
    wants: "also or only",
  }),
  BATCHING: onOff("With on, a request of GraphQL may hold up to 10 operations, as a JSON array."),
  ALLOWED_HOSTS: variable({
    schema: listOf((host) => /^(\*|[\w.-]+(:\d{1,5})?|\[[\da-f:]+\](:\d{1,5})?)$/i.test(host)).transform((hosts) =>
      hosts?.map((host) => host.toLowerCase()),
    ),
    about:
      "Names of hosts by which docgraph is asked, beside localhost and that of PUBLIC_URL: a list with commas between, or * for all. By default * where HOST is more than this machine, and none where it is not: so no page on the web can rebind a name of its own to it.",
    wants: "hosts like docs.example.com or docs.example.com:8080 with commas between, or *",
  }),
  GRAPHIQL: variable({
    schema: z.enum(["on", "off"]).optional(),
    about: "Whether GraphiQL is served at /graphql to browsers. By default everywhere but in production.",
    wants: "on or off",
  }),
};
