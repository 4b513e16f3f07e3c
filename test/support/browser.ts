// A real Chromium for tests of pages: that of the system, with an empty profile and access to this machine only. The
// files of a worker share one. The one without windows comes first: it takes a third less of the processor.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { isFullSize } from "#test/support/runs.ts";

const programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/** The program: CHROMIUM_PATH or a usual path; undefined if it is not installed. */
export const chromiumPath =
  process.env["CHROMIUM_PATH"] || programs.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** The folder for screenshots and other artifacts, ignored by git. */
export const artifacts =
  process.env["TEST_ARTIFACTS"] || fileURLToPath(new URL("../../node_modules/.cache/test-artifacts", import.meta.url));

/** The folder in which browser tests leave pictures of what they see; without it they take none, and are faster. */
const screenshots = process.env["SCREENSHOTS"];

const forms = [
  { name: "light", width: 1280, height: 900, colorScheme: "light" },
  { name: "phone-dark", width: 360, height: 780, colorScheme: "dark" },
] as const;

/** A function that takes pictures of a page: on a desktop in light colours, and on a phone in dark ones. */
export function cameraOf(test: string): (page: Page, name: string) => Promise<void> {
  let shots = 0;
  return async (page, name) => {
    if (!screenshots) return;
    const start = `${screenshots}/${test}/${String(++shots).padStart(2, "0")}-${name}`;
    for (const { name: form, width, height, colorScheme } of forms) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.evaluate("scrollTo(0, 0)"); // the header is at the top of the picture
      await page.screenshot({ path: `${start}-${form}.png`, fullPage: true });
    }
    await page.setViewportSize({ width: forms[0].width, height: forms[0].height });
    await page.emulateMedia({ colorScheme: null });
  };
}

/** Takes a picture of a page for people, at full size and with TEST_ARTIFACTS only: rendering takes long. */
export async function takePicture(page: Page, name: string, fullPage = false): Promise<void> {
  if (isFullSize || process.env["TEST_ARTIFACTS"])
    await page.screenshot({ path: `${artifacts}/${name}.png`, fullPage });
}

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Loads axe-core into every page that is opened from now on: cheaper than sending it to each of many. */
export const loadAxe = async (page: Page): Promise<void> => void (await page.addInitScript(axe));

/**
 * The rules of axe-core that a page violates once it is loaded, each with the first elements that do; without those in
 * `except`.
 */
export async function violationsOf(page: Page, except: readonly string[] = []): Promise<string[]> {
  await page.waitForLoadState();
  if (await page.evaluate<boolean>(`typeof axe === "undefined"`)) await page.evaluate(axe);
  const rules = Object.fromEntries(except.map((name) => [name, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ["violations"], rules });
  return page.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html).join(" ")))`);
}

let ofWorker: Promise<Browser> | undefined;

/** The Chromium of this worker, which reaches only 127.0.0.1. It ends with the worker. */
export const openBrowser = (): Promise<Browser> => (ofWorker ??= startBrowser());

/** Closes all pages: a test file that uses the browser of its worker calls it at its end. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/**
 * Starts Chromium: it reaches only this machine, by 127.0.0.1 and the given addresses. The driver adds the flags
 * for headless mode, running as root, and no updates.
 */
export function startBrowser(others: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? "chromium",
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--disable-sync",
      "--renderer-process-limit=1", // else it starts one more for each page, and another one in advance
      `--host-resolver-rules=${["MAP * ~NOTFOUND", ...["127.0.0.1", ...others].map((host) => `EXCLUDE ${host}`)].join(", ")}`,
    ],
  });
}
