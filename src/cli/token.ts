// `npm run -s token -- <email>`: prints a new API token for that user, and only the token. Works while docgraph runs
// and while it does not.
import { parseArgs } from "node:util";
import { systemClock } from "#src/base/time.ts";
import { asUser } from "#src/cli/as-user.ts";
import { parseDuration } from "#src/cli/duration.ts";
import { createApiToken } from "#src/features/tokens/commands.ts";
import { explain, UsageError } from "#src/server/start-errors.ts";

const usage = `usage: npm run -s token -- <email> [--name <what it is for>] [--expires-in <12h, 30d, 2w, 1y>]`;

const help = `${usage}

Prints a new API token for the user with that e-mail address, on the database that 'npm start' uses (DATA_DIR or DATABASE_URL).

  --name         What it is for, as lists of tokens show it; "command line" when left out.
  --expires-in   How long it is valid; without an end when left out.
  --help         This text.`;

try {
  process.stdout.write(`${await textToPrint()}\n`);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

/** The token, or the help. */
async function textToPrint(): Promise<string> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: "string", default: "command line" },
      "expires-in": { type: "string" },
      help: { type: "boolean" },
    },
  });
  if (values.help) return help;
  const [email, ...rest] = positionals;
  if (!email || rest.length > 0) throw new UsageError(usage);
  const expiresAt = expiry(values["expires-in"]);
  const { token } = await asUser(email, (context) => createApiToken(context, { name: values.name, expiresAt }));
  return token;
}

function expiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const duration = parseDuration(text);
  if (duration === undefined) throw new UsageError(`--expires-in wants a span like 12h, 30d, 2w or 1y, not ${text}`);
  return new Date(systemClock.now().getTime() + duration);
}
