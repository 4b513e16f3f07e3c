// The table of faults with their checks. `npm run prove -- --only faults` runs it.
import { aheadByDays } from "#test/live/faults/clock.ts";
import * as database from "#test/live/faults/database.ts";
import * as disks from "#test/live/faults/disks.ts";
import * as kills from "#test/live/faults/kills.ts";
import type { Outcome } from "#test/live/faults/scene.ts";

/** Faults by name. Each starts what it needs and ends it. */
const faults: Readonly<Record<string, () => Promise<Outcome>>> = {
  "first starts are killed": kills.killFirstStarts,
  "migrations are killed": kills.killMigrations,
  "uploads are killed": kills.killUploads,
  "imports are killed": kills.killImports,
  "the database is restarted": database.restartDatabase,
  "connections are refused for 20 s": database.refuseConnections,
  "all sessions are ended twice a second": database.endSessions,
  "a table is locked for 20 s": database.lockTable,
  "tokens cannot be written for 15 s": database.lockTokens,
  "the database only reads for 15 s": database.onlyRead,
  "transactions of others stay open": database.openTransactions,
  "other clients use all connections": database.takeConnections,
  "the database is frozen for 25 s": database.freeze,
  "the disk of the database is full": disks.fillDatabaseDisk,
  "the disk of its log is full": disks.fillLogDisk,
  "the disk of files is full": disks.fillFilesDisk,
  "files cannot be kept": disks.refuseFiles,
  "the clock is eight days ahead": aheadByDays,
};

/** Runs all faults, or those whose name contains `part`; returns whether all pass. */
export async function proveFaults(say: (line: string) => void, part = ""): Promise<boolean> {
  const chosen = Object.entries(faults).filter(([name]) => name.includes(part));
  let passed = 0;
  for (const [name, run] of chosen) {
    const { figures, passes } = await run().catch((error: unknown) => ({ figures: String(error), passes: false }));
    if (passes) passed += 1;
    say(`${passes ? "pass" : "FAIL"}  ${name}: ${figures}`);
  }
  say(`${passed} of ${chosen.length} pass`);
  return passed === chosen.length;
}
