// A real Chromium for tests of pages: the one of the system, in an empty profile, cut off from every other machine.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** The program: CHROMIUM_PATH, or where systems have it; undefined when there is none. */
export const chromiumPath = process.env["CHROMIUM_PATH"] || places.find((place) => existsSync(place));

/** Where tests leave what people may want to look at; outside of git. */
export const artifacts =
  process.env["TEST_ARTIFACTS"] || fileURLToPath(new URL("../../node_modules/.cache/test-artifacts", import.meta.url));

/**
 * Starts it: it reaches this machine alone, by 127.0.0.1 and by the other addresses of it that are named. The driver
 * itself adds what makes it headless, able to run as root, and silent about updates.
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
