// openapi-fetch over /v1, with types from its description: comments are listed page by page, written as Markdown and as
// rich documents, changed and deleted.
import createClient from "openapi-fetch";
import { authorization, gateway, organizationId, spaceId } from "../settings.ts";
import type { components, paths } from "../v1.ts";

const client = createClient<paths>({ baseUrl: gateway, headers: { authorization } });

type RichDocument = components["schemas"]["RichDocument"];
type Node = components["schemas"]["RichDocumentNode"];

const task: RichDocument = {
  object: "document",
  nodes: [
    {
      object: "block",
      type: "list-tasks",
      nodes: [
        {
          object: "block",
          type: "list-item",
          data: { checked: true },
          nodes: [
            {
              object: "block",
              type: "paragraph",
              nodes: [
                { object: "text", leaves: [{ text: "Read", marks: [{ type: "bold" }] }, { text: " " }] },
                {
                  object: "inline",
                  type: "link",
                  data: { ref: { kind: "url", url: "https://docs.example.com/" } },
                  nodes: [{ object: "text", leaves: [{ text: "this" }] }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

/** The targets of the links of a document. */
function linksOf(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.object === "text") return [];
    const { ref } = node.object === "inline" ? (node.data ?? {}) : {};
    return [...(ref?.kind === "url" ? [ref.url] : []), ...linksOf(node.nodes ?? [])];
  });
}

const list = document.body.appendChild(document.createElement("ol"));

function show(text: string): void {
  list.appendChild(document.createElement("li")).textContent = text;
}

/** The body of a response, which must be successful. */
function answered<Data>({ data, error }: { data?: Data; error?: components["schemas"]["Error"] }): Data {
  if (data === undefined) throw new Error(error?.error.message);
  return data;
}

async function comments(): Promise<string[]> {
  const texts: string[] = [];
  for (let page: string | undefined, isLast = false; !isLast; isLast = page === undefined) {
    const query = { limit: 2, order: "asc" as const, ...(page !== undefined && { page }) };
    const path = { spaceId };
    const { items, next } = answered(await client.GET("/v1/spaces/{spaceId}/comments", { params: { path, query } }));
    texts.push(...items.map(({ body }) => body?.markdown ?? ""));
    page = next?.page;
  }
  return texts;
}

async function run(): Promise<void> {
  const organization = answered(
    await client.GET("/v1/orgs/{organizationId}", { params: { path: { organizationId } } }),
  );
  show(`Organization: ${organization.title}`);
  const written = answered(
    await client.POST("/v1/spaces/{spaceId}/comments", {
      params: { path: { spaceId } },
      body: { body: { document: task } },
    }),
  );
  const path = { spaceId, commentId: written.id };
  const read = answered(
    await client.GET("/v1/spaces/{spaceId}/comments/{commentId}", { params: { path, query: { format: "document" } } }),
  );
  show(`Links: ${linksOf(read.body?.document?.nodes ?? []).join(" ")}`);
  const asMarkdown = answered(
    await client.GET("/v1/spaces/{spaceId}/comments/{commentId}", { params: { path, query: { format: "markdown" } } }),
  );
  show(`Markdown: ${asMarkdown.body?.markdown?.trim()}`);
  answered(
    await client.PUT("/v1/spaces/{spaceId}/comments/{commentId}", {
      params: { path },
      body: { body: { markdown: "Changed" }, resolved: true },
    }),
  );
  show(`Comments: ${(await comments()).join(", ")}`);
  await client.DELETE("/v1/spaces/{spaceId}/comments/{commentId}", { params: { path } });
  show(`Comments: ${(await comments()).join(", ")}`);
  const { error } = await client.GET("/v1/spaces/{spaceId}/comments/{commentId}", { params: { path } });
  show(`Then: ${error?.error.type} ${error?.error.message}`);
}

void run();
