// A real Chromium for tests of pages: that of the system, with an empty profile and access to this machine only.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The program: CHROMIUM_PATH or a usual path; undefined if it is not installed. */
export const chromiumPath = process.env["CHROMIUM_PATH"] || places.find((place) => existsSync(place));

/** The folder for screenshots and other artifacts, ignored by git. */
export const artifacts =
  process.env["TEST_ARTIFACTS"] || fileURLToPath(new URL("../../node_modules/.cache/test-artifacts", import.meta.url));

/**
 * Starts Chromium: it reaches only this machine, by 127.0.0.1 and the given addresses. The driver adds the flags
 * for headless mode, running as root, and no updates.
 */
export function openBrowser(others: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? "chromium",
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--disable-sync",
      `--host-resolver-rules=${["MAP * ~NOTFOUND", ...["127.0.0.1", ...others].map((host) => `EXCLUDE ${host}`)].join(", ")}`,
    ],
  });
}
