// `npm run load-history -- <history.json> --space <id>`: loads the history of a real project into a space.
import { runCommand } from "#src/cli/command.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = "npm run load-history -- <history.json> --space <id>";
const about = `Loads the pages and change requests of a documentation history into an empty space, in one transaction.
The file is JSON, gzipped or not; src/demo/history.json is a small one.
docgraph may be running or not; the database is the one that 'npm start' uses (DATA_DIR or DATABASE_URL).

  Change requests  keep number, subject (cut to 100 characters) and dates, and are merged. One without a number gets the
                   next after the highest of the history. It is opened at the date of the step that it starts from.
  Contributors     become users at example.com with the names of the history, and members of the organization with
                   the role 'edit'. Existing users and members are not changed.
  Pages            are the files, unchanged, with the order, nesting and titles of SUMMARY.md; files that it does not
                   list come last.
  Revisions        one for each step of the main content, the last of which becomes the active one, and one with the
                   edits of each change request.
  Comments         on a change request: the subjects of the plain edits between its start and its merge.

A space that has pages, or a change request with one of the numbers, is rejected, and nothing is changed.
`;

const options = { space: { type: "string" } } as const;
await runCommand({ usage, about, options, takes: "one" }, async ({ space: spaceId }, file) => {
  if (!spaceId) throw new UsageError(`usage: ${usage}`);
  const { SingleBar } = await import("cli-progress");
  const { readConfig } = await import("#src/config/config.ts");
  const { withDatabase } = await import("#src/cli/database/open-database.ts");
  const { readHistory } = await import("#src/history/history-file.ts");
  const { loadHistory } = await import("#src/history/load-history.ts");
  const history = await readHistory(file);
  const bar = new SingleBar({ format: "loading [{bar}] {value} of {total} rows", noTTYOutput: true });
  const onProgress = (done: number, total: number) => (bar.isActive ? bar.update(done) : bar.start(total, done));
  const loaded = await withDatabase(readConfig(), (database) =>
    loadHistory(database, history, { spaceId, onProgress }),
  ).finally(() => bar.stop());
  const { spaceTitle, pages, changeRequests, comments, revisions, contributors } = loaded;
  process.stdout.write(
    `Loaded ${pages} pages, ${changeRequests} change requests with ${comments} comments, ` +
      `${revisions} revisions and ${contributors} contributors into "${spaceTitle}".\n`,
  );
});
