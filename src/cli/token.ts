// `npm run -s token -- <email>`: prints only a new API token of that user; docgraph may be running.
import { systemClock } from "#src/base/time.ts";
import { runCommand } from "#src/cli/command.ts";
import { UsageError } from "#src/base/usage-error.ts";

const usage = `npm run -s token -- <email> [--name <what it is for>] [--expires-in <12h, 30d, 2w, 1y>]`;

const about = `Prints a new API token for the user with that e-mail address, on the database that 'npm start' uses (DATA_DIR or DATABASE_URL).

  --name         The name of the token, as lists of tokens show it; by default "command line".
  --expires-in   How long the token is valid; by default without an end.
  --help         Prints this text.
`;

const options = {
  name: { type: "string", default: "command line" },
  "expires-in": { type: "string" },
} as const;

const hours = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 };

await runCommand({ usage, about, options, takes: "one" }, async (values, email) => {
  const expiresAt = expiry(values["expires-in"]);
  const { asUser } = await import("#src/cli/database/as-user.ts");
  const { createApiToken } = await import("#src/features/tokens/commands.ts");
  const { token } = await asUser(email, (context) => createApiToken(context, { name: values.name, expiresAt }));
  return `${token}\n`;
});

/** The end of a duration from now, such as `12h`, `30d`, `2w` or `1y` (of 365 days); null without one. */
function expiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const [, count, unit] = /^([1-9]\d{0,4})([hdwy])$/.exec(text) ?? [];
  if (!count || !unit) throw new UsageError(`--expires-in must be a duration like 12h, 30d, 2w or 1y, but is ${text}`);
  const spanHours = Number(count) * hours[unit as keyof typeof hours]; // the pattern admits only these letters
  return new Date(systemClock.now().getTime() + spanHours * 3_600_000);
}
