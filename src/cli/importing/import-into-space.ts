// The work of `npm run import`: opens the source, imports it as a user, and prints the outcome.
import { SingleBar } from "cli-progress";
import { DomainError, found } from "#src/base/errors.ts";
import { asUser } from "#src/cli/database/as-user.ts";
import { firstAdmin } from "#src/cli/database/first-admin.ts";
import { openSource } from "#src/cli/importing/import-source.ts";
import type { Database } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { namedBy } from "#src/features/content/reads/revisions.ts";
import { changeRequestsOfSpace } from "#src/features/change-requests/reads/change-requests.ts";
import type { ContentPlace } from "#src/features/content/commands/lock.ts";
import { importContent, type Imported } from "#src/features/imports/commands/import-content.ts";
import type { ImportWarningKind } from "#src/features/imports/model/warnings.ts";
import type { Progress, Report } from "#src/features/imports/model/open-import.ts";
import { spaces } from "#src/features/spaces/reads.ts";

/** The options of the command. */
interface Given {
  readonly space: string;
  readonly source: string;
  readonly progress: boolean;
  readonly static?: string | undefined;
  /** The number of warnings of each kind to print, or `all`. */
  readonly warnings: string;
  readonly "change-request"?: string | undefined;
  readonly replace?: boolean | undefined;
  readonly message?: string | undefined;
  readonly as?: string | undefined;
}

/** Imports from a path or an address, and prints the outcome. */
export async function importIntoSpace(path: string, values: Given): Promise<void> {
  const bar = new SingleBar({ format: "reading [{bar}] {value} of {total} pages", noTTYOutput: true });
  const onProgress = ({ found, read, written }: Progress) => {
    if (values.progress) return void process.stdout.write(`found ${found}, read ${read}, written ${written}\n`);
    if (!bar.isActive) bar.start(found, read);
    bar.setTotal(found);
    bar.update(read);
  };
  const started = performance.now();
  const email = values.as ?? ((database: Database) => firstAdminOf(database, values.space));
  const imported = await asUser(email, async (context) => {
    const { message, replace } = values;
    const target = await targetOf(context, values.space, values["change-request"]);
    const open = (report: Report, { organizationId }: ContentPlace) =>
      openSource(path, { source: values.source, statics: values.static, context, organizationId, report });
    return importContent(context, { ...target, open, message, replace, onProgress });
  }).finally(() => bar.stop());
  process.stdout.write(summaryOf(imported, { ms: performance.now() - started, shown: values.warnings }));
}

async function firstAdminOf(database: Database, spaceId: string): Promise<string> {
  const space = await database.prisma.space.findFirst({ where: { id: spaceId, deletedAt: null } });
  if (!space) throw new DomainError("NOT_FOUND", `no space has the id ${spaceId}`);
  return firstAdmin(database, space.organizationId);
}

async function targetOf(context: Context, spaceId: string, text: string | undefined) {
  if (text === undefined) return { spaceId };
  const space = await context.reader.found(spaces, spaceId, project(["id", "isAccessible"]));
  const asked = { key: namedBy(text), projection: project(["id"]) };
  const changeRequest = await context.reader.pick(changeRequestsOfSpace, space, asked);
  return { changeRequestId: found(changeRequest, "change request").id };
}

function summaryOf(imported: Imported, { ms, shown }: { ms: number; shown: string }): string {
  const { revisionId, pageCount, fileCount, linkCount, warningCount } = imported;
  return [
    `Imported ${counted(pageCount, "page")} and ${counted(fileCount, "file")} in ${(ms / 1000).toFixed(1)} s, ` +
      `with ${counted(linkCount, "link")} between them.`,
    `The revision is ${revisionId}.`,
    ...(warningCount > 0 ? [`${counted(warningCount, "warning")}:`, ...warningLines(imported, shown)] : []),
    "",
  ].join("\n");
}

const headings: Readonly<Record<ImportWarningKind, string>> = {
  omitted: "left out",
  link: "links and includes without a target",
  converted: "converted",
  frontMatter: "front matter",
  contents: "table of contents",
};

/** The warnings by kind, and how many more there are of each. */
function warningLines({ warnings, warningCounts }: Imported, shown: string): string[] {
  const most = shown === "all" ? Infinity : Number(shown);
  return warningCounts.flatMap(({ kind, count }) => {
    const lines = warnings
      .filter((warning) => warning.kind === kind)
      .slice(0, most)
      .map(({ path, line, message }) => `    ${[path, line ?? []].flat().join(":")} ${message}`);
    const rest = count - lines.length;
    const more = rest > 0 ? [`    and ${rest} more${shown === "all" ? "" : " (--warnings all)"}`] : [];
    return [`  ${headings[kind]}: ${count}`, ...lines, ...more];
  });
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
