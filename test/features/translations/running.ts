// Running translations in tests: creating one, editing its source, and reading the results.
import { pino } from "pino";
import { type Clock, systemClock } from "#src/base/time.ts";
import type { Translator } from "#src/base/translator.ts";
import { translations } from "#src/features/translations/index.ts";
import { type Edit, editAs } from "#test/features/content/edits.ts";
import type { Person } from "#test/features/members/factory.ts";
import type { Client, TestApp } from "#test/support/app.ts";

/** Runs all translations that are due, as the job does. */
export async function runTranslations(
  app: TestApp,
  translator: Translator | undefined,
  clock: Clock = systemClock,
): Promise<void> {
  const { database, files, fetch, charge } = app;
  const log = pino({ level: "silent" });
  const context = { database, files, fetch, translator, charge, clock, log, readTxtRecords: async () => [] };
  for (const job of translations.jobs ?? []) await job.run(context);
}

/** A page of the translated space in tests. */
export interface SeenPage {
  readonly pageId: string;
  readonly title: string;
  readonly path: string;
  readonly description: string | null;
  readonly markdown: string | null;
}

export interface SeenTranslation {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly errorCode: string | null;
  readonly nextRunAt: string | null;
  readonly warnings: readonly { readonly page: string; readonly message: string }[];
  readonly stats: Readonly<Record<"runs" | "totalWords" | "totalPages" | "latestWords" | "latestPages", number>>;
  readonly progress: { readonly pages: number; readonly donePages: number };
  readonly result: { readonly spaceId: string; readonly revisionId: string | null };
}

const seen = `id status error errorCode nextRunAt warnings { page message } stats { runs totalWords totalPages latestWords latestPages }
  progress { pages donePages } result { spaceId revisionId }`;

/** Creates the translation of a space into Spanish. */
export async function openDesk(
  app: TestApp,
  { organizationId, spaceId, person }: { organizationId: string; spaceId: string; person: Person },
) {
  const as: Client = app.as(person.token);
  const create = `mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation { ${seen} } } }`;
  const input = { organizationId, language: "ES", source: { spaceId } };
  const { createTranslation } = await as.query<{ createTranslation: { translation: SeenTranslation } }>(create, {
    input,
  });
  const { id, result } = createTranslation.translation;
  const pagesIn = async (of: string): Promise<readonly SeenPage[]> => {
    const query = `{ ${of} { content { allPages { pageId title path description markdown } } } }`;
    const answer = await as.query<Record<string, { content: { allPages: readonly SeenPage[] } }>>(query);
    return Object.values(answer)[0]?.content.allPages ?? [];
  };
  return {
    as,
    id,
    targetId: result.spaceId,
    edit: (...edits: Edit[]) => editAs(as, { spaceId }, ...edits),
    editTarget: (...edits: Edit[]) => editAs(as, { spaceId: result.spaceId }, ...edits),
    /** The translation in its present state. */
    async see(): Promise<SeenTranslation> {
      const query = `{ node(id: "${id}") { ... on Translation { ${seen} } } }`;
      return (await as.query<{ node: SeenTranslation }>(query)).node;
    },
    sources: () => pagesIn(`space(id: "${spaceId}")`),
    pages: () => pagesIn(`space(id: "${result.spaceId}")`),
    pagesOf: (changeRequestId: string) => pagesIn(`changeRequest(id: "${changeRequestId}")`),
    /** The change requests of the translated space. */
    async changeRequests(): Promise<readonly { id: string; status: string; subject: string }[]> {
      const query = `{ space(id: "${result.spaceId}") { changeRequests { nodes { id status subject } } } }`;
      type Answer = { space: { changeRequests: { nodes: { id: string; status: string; subject: string }[] } } };
      return (await as.query<Answer>(query)).space.changeRequests.nodes;
    },
  };
}
