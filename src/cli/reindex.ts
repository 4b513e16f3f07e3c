// `npm run reindex`: rebuilds the search index.
import { runCommand } from "#src/cli/command.ts";

const about = `Rebuilds the search index from the texts of all pages, for an index that may be wrong. docgraph normally keeps it up to date
itself. docgraph may be running or not; the database is the one that 'npm start' uses (DATA_DIR or DATABASE_URL). Pages
can be searched meanwhile. An interrupted run continues at the next start of docgraph.

  --help     Prints this text.
`;

await runCommand({ usage: "npm run reindex", about, options: {} }, reindex);

async function reindex(): Promise<void> {
  const { SingleBar } = await import("cli-progress");
  const { readConfig } = await import("#src/config/config.ts");
  const { withDatabase } = await import("#src/cli/database/open-database.ts");
  const { reindexTexts } = await import("#src/features/content/commands/index-texts.ts");
  const { searchParts } = await import("#src/features/search/commands.ts");
  const bar = new SingleBar({ format: "indexing [{bar}] {value} of {total} texts", noTTYOutput: true });
  const onProgress = (done: number, total: number) => (bar.isActive ? bar.update(done) : bar.start(total, done));
  const started = performance.now();
  const count = await withDatabase(readConfig(), (database) => reindexTexts(database, searchParts, onProgress)).finally(
    () => bar.stop(),
  );
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(`Indexed ${count} texts in ${seconds.toFixed(1)} s.\n`);
}
