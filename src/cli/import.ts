// `npm run import -- --space <id> <folder|zip|address>`: imports Markdown files or a website; docgraph may run or not.
import { SingleBar } from "cli-progress";
import { DomainError, found } from "#src/base/errors.ts";
import { asUser, firstAdmin } from "#src/cli/database/as-user.ts";
import { runCommand, type Values } from "#src/cli/command.ts";
import { openSource } from "#src/cli/import-source.ts";
import type { Database } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { namedBy } from "#src/features/content/reads/revisions.ts";
import { changeRequestsOfSpace } from "#src/features/change-requests/reads/change-requests.ts";
import type { ContentPlace } from "#src/features/content/commands/lock.ts";
import { importContent, type Imported } from "#src/features/imports/commands/import-content.ts";
import type { Progress, Report } from "#src/features/imports/model/open-import.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { UsageError } from "#src/server/process/start-errors.ts";

const usage =
  "npm run import -- --space <id> <folder, ZIP archive or address> [--source <website, markdown or openapi>] [--change-request <id or number>] [--replace] [--message <text>] [--as <email>] [--progress]";
const about = `Imports Markdown files, or what is at an address, into a space, as one revision that is whole or not at all.
Works while docgraph runs and while it does not, on the database that 'npm start' uses (DATA_DIR or DATABASE_URL).

  --space <id>            The space.
  --change-request <...>  A change request of it: its content instead of the main one.
  --replace               The files take the place of all that is there, which stays in the history. A page at the path of one that was
                          there goes on as it, with its comments: importing a folder again changes what has changed.
  --message <text>        What to say of the revision.
  --source <...>          What is at an address: website (when left out), or markdown for a Markdown file or a ZIP archive, or openapi.
  --progress              Prints how many pages are found, read and written, also where the output is no terminal.
  --as <email>            Who imports, and whose rights count; the first admin of the space's organization when left out.

  Contents   come from SUMMARY.md (also in src or docs), as mdBook and others write it: chapters, parts, drafts. Without it, from the
             folders: README.md or index.md is the page of its folder. Pages that are only linked to are hidden.
  Titles     come from SUMMARY.md, else from the front matter, else from the first heading, else from the file name.
  Addresses  come from the names of files and folders.
  Links      to other files of the import lead to their pages and files; all others stay as they are. Nothing else in the texts changes,
             but for front matter, of which title, description, icon, emoji, hidden, noIndex, noRobotsIndex and layout are taken over.

<history.json> stands for the pages that a documentation history starts with.
`;

const options = {
  space: { type: "string" },
  "change-request": { type: "string" },
  replace: { type: "boolean" },
  message: { type: "string" },
  source: { type: "string", default: "website" },
  progress: { type: "boolean", default: false },
  as: { type: "string" },
} as const;

await runCommand({ usage, about, options, takes: "one" }, (values, path) => {
  if (!values.space) throw new UsageError(`usage: ${usage}`);
  return run(path, { ...values, space: values.space });
});

async function run(path: string, values: Values<typeof options> & { space: string }): Promise<void> {
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
      openSource(path, { source: values.source, context, organizationId, report });
    return importContent(context, { ...target, open, message, replace, onProgress });
  }).finally(() => bar.stop());
  process.stdout.write(summaryOf(imported, performance.now() - started));
}

async function firstAdminOf(database: Database, spaceId: string): Promise<string> {
  const space = await database.prisma.space.findFirst({ where: { id: spaceId, deletedAt: null } });
  if (!space) throw new DomainError("NOT_FOUND", `there is no space with the id ${spaceId}`);
  return firstAdmin(database, space.organizationId);
}

async function targetOf(context: Context, spaceId: string, text: string | undefined) {
  if (text === undefined) return { spaceId };
  const space = await context.reader.found(spaces, spaceId, project(["id", "isAccessible"]));
  const asked = { key: namedBy(text), projection: project(["id"]) };
  const changeRequest = await context.reader.pick(changeRequestsOfSpace, space, asked);
  return { changeRequestId: found(changeRequest, "change request").id };
}

function summaryOf(imported: Imported, milliseconds: number): string {
  const { revisionId, pageCount, fileCount, linkCount, warnings, warningCount } = imported;
  const lineOf = ({ path, line, message }: Imported["warnings"][number]) =>
    `  ${[path, line ?? []].flat().join(":")} ${message}`;
  const shown = warnings.slice(0, 20).map(lineOf);
  const more = warningCount > shown.length ? [`  and ${warningCount - shown.length} more`] : [];
  return [
    `Imported ${counted(pageCount, "page")} and ${counted(fileCount, "file")} in ${(milliseconds / 1000).toFixed(1)} s, ` +
      `with ${counted(linkCount, "link")} between them.`,
    `The revision is ${revisionId}.`,
    ...(warningCount > 0 ? [`${counted(warningCount, "warning")}:`, ...shown, ...more] : []),
    "",
  ].join("\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
