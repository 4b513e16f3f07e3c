// `npm run -s login -- <email>`: prints only a link that signs in that user; docgraph may be running.
import { runCommand } from "#src/cli/command.ts";

const usage = "npm run -s login -- <email> [--return-to <address>]";

const about = `Prints a link that signs in the user with that e-mail address, or who is invited by it, once, within 10 minutes, on the
docgraph that 'npm start' runs (DATA_DIR or DATABASE_URL; PUBLIC_URL, or HOST and PORT). For development, and for users who
cannot receive e-mail.

  --return-to   The address of docgraph that the browser continues to; by default the application.
  --help        Prints this text.
`;

const options = { "return-to": { type: "string" } } as const;

await runCommand({ usage, about, options, takes: "one" }, async (values, email) => {
  const { DomainError } = await import("#src/base/errors.ts");
  const { homeAddress } = await import("#src/base/public-urls.ts");
  const { systemClock } = await import("#src/base/time.ts");
  const { readConfig } = await import("#src/config/config.ts");
  const { withDatabase } = await import("#src/cli/database/open-database.ts");
  const { noOrigin } = await import("#src/events/audit.ts");
  const { isInvited } = await import("#src/features/invitations/reads.ts");
  const { makeSignInLink, signInLinkAddress } = await import("#src/features/sessions/commands/sign-in-links.ts");
  const config = readConfig();
  const { publicUrl: given, host, port, appUrl } = config;
  const publicUrl = given ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const asked = { email, returnTo: values["return-to"] ?? null, origin: noOrigin, isInvited };
  const addresses = { publicUrl, home: homeAddress({ publicUrl, appUrl }), origins: [] };
  const { secret, isKnown } = await withDatabase(config, (database) =>
    makeSignInLink({ database, clock: systemClock, ...addresses }, asked),
  );
  if (!isKnown) throw new DomainError("NOT_FOUND", `no user has the e-mail address ${email}, and no open invitation`);
  return `${signInLinkAddress(publicUrl, secret, null)}\n`;
});
