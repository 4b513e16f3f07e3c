// The proof of tests that `npm test` runs at a small size: all of them at their full one.
import { spawnSync } from "node:child_process";

const files = [
  "features/imports/book",
  "features/integrations/killed",
  "platform/hostile-documents",
  "platform/lifecycle",
  "platform/production-install",
];

/** Whether all of them pass. */
export function proveFullSize(): boolean {
  const paths = files.map((file) => `test/${file}.test.ts`);
  const words = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", ...paths];
  const { status } = spawnSync(process.execPath, words, { env: { ...process.env, FULL_SIZE: "1" }, stdio: "inherit" });
  return status === 0;
}
