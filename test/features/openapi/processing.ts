// Processing specifications in tests: started by a request, with waiting for its events; and by the job.
import { pino } from "pino";
import { type Clock, systemClock } from "#src/base/time.ts";
import { processDueSources } from "#src/features/openapi/commands/process-source.ts";
import { done, listen } from "#test/live/kinds.ts";
import type { Person } from "#test/features/members/factory.ts";
import type { TestApp } from "#test/support/app.ts";

/** Processes all sources that are due by this clock. Returns their number. */
export function processSpecs(app: TestApp, clock: Clock = systemClock): Promise<number> {
  const { database, files, fetch } = app;
  const log = pino({ level: "silent" });
  return processDueSources({ database, files, fetch, clock, log, readTxtRecords: async () => [] });
}

/** The selection of a specification. */
export interface SeenSpec {
  readonly id: string;
  readonly title: string | null;
  readonly processingState: string;
  readonly lastProcessErrorCode: string | null;
  readonly lastProcessError: string | null;
  readonly nextProcessAt: string | null;
  readonly lastVersion: SeenVersion | null;
  readonly versions: { readonly nodes: readonly { readonly number: number }[] };
}

interface SeenVersion {
  readonly id: string;
  readonly number: number;
  readonly openapi: string;
  readonly title: string;
  readonly apiVersion: string;
  readonly pathCount: number;
  readonly operationCount: number;
  readonly modelCount: number;
  readonly warningCount: number;
  readonly warnings: readonly {
    readonly message: string;
    readonly path: string;
    readonly line: number | null;
    readonly column: number | null;
    readonly pointer: string | null;
  }[];
  readonly url: string;
  readonly files: readonly { readonly path: string; readonly size: number; readonly url: string }[];
  readonly content: { readonly url: string; readonly filesystem: Readonly<Record<string, unknown>> };
}

const seen = /* GraphQL */ `
  query ($organizationId: ID!, $slug: String!) {
    openApiSpec(organizationId: $organizationId, slug: $slug) {
      id
      title
      processingState
      lastProcessErrorCode
      lastProcessError
      nextProcessAt
      lastVersion {
        id
        number
        openapi
        title
        apiVersion
        pathCount
        operationCount
        modelCount
        warningCount
        warnings {
          message
          path
          line
          column
          pointer
        }
        url
        files {
          path
          size
          url
        }
        content {
          url
          filesystem
        }
      }
      versions {
        nodes {
          number
        }
      }
    }
  }
`;

/** Sets sources of specifications as a user with the right to, and waits until they are processed. */
export async function openDesk(app: TestApp, { organizationId, person }: { organizationId: string; person: Person }) {
  const kinds = "kinds: [OPEN_API_SPEC_PROCESSED]";
  const stream = await listen(app, person, `openApiEvents(of: { organizationId: "${organizationId}" }, ${kinds})`);
  const read = async (slug: string): Promise<SeenSpec> => {
    const { openApiSpec } = await app.as(person.token).query<{ openApiSpec: SeenSpec }>(seen, { organizationId, slug });
    return openApiSpec;
  };
  const after = async (deed: Promise<unknown>, slug: string): Promise<SeenSpec> => {
    await stream.delivers(deed, { __typename: "OpenApiSpecProcessed", actor: null });
    return read(slug);
  };
  const mutate = (name: string, slug: string, input: object) =>
    done(app, person.token, name, { organizationId, slug, ...input });
  return {
    read,
    /** The specification after processing the source that the operation has set. */
    after,
    /** The specification after processing this source. */
    put: (slug: string, input: object) => after(mutate("putOpenApiSpec", slug, input), slug),
    refresh: (slug: string) => after(mutate("refreshOpenApiSpec", slug, {}), slug),
    /** The same for a source that the job processes at this time. */
    runJob: (slug: string, clock: Clock) => after(processSpecs(app, clock), slug),
  };
}

/** A text as a source. */
export const text = (document: unknown) => ({
  source: { text: typeof document === "string" ? document : JSON.stringify(document) },
});

/** Prevents any processing of specifications from now on: no response depends on its progress. */
export async function leaveSpecsAlone({ database }: Pick<TestApp, "database">): Promise<void> {
  await database.pool.query(`
    create function leave_alone() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger leave_alone before update on "OpenApiSpec" for each row when (new.lease is not null) execute function leave_alone()`);
}
