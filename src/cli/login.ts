// `npm run -s login -- <email>`: prints only a link that signs in that user; docgraph may be running.
import { runCommand } from "#src/cli/command.ts";

const usage = "npm run -s login -- <email> [--return-to <address>]";

const about = `Prints a link that signs in the user with that e-mail address once, within 10 minutes, on the docgraph that 'npm start' runs
(DATA_DIR or DATABASE_URL; PUBLIC_URL, or HOST and PORT). For development, and for users who cannot receive e-mail.

  --return-to   The address of docgraph that the browser continues to; by default the application.
  --help        Prints this text.
`;

const options = { "return-to": { type: "string" } } as const;

await runCommand({ usage, about, options, takes: "one" }, async (values, email) => {
  const { readConfig } = await import("#src/config/config.ts");
  const { homeAddress } = await import("#src/base/public-urls.ts");
  const { asUser } = await import("#src/cli/database/as-user.ts");
  const { isInvited } = await import("#src/features/invitations/reads.ts");
  const { makeSignInLink, signInLinkAddress } = await import("#src/features/sessions/commands/sign-in-links.ts");
  const { publicUrl: given, host, port, appUrl } = readConfig();
  const publicUrl = given ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { secret } = await asUser(email, (context) => {
    const asked = { email, returnTo: values["return-to"] ?? null, origin: context.origin, isInvited };
    const home = homeAddress({ publicUrl, appUrl });
    return makeSignInLink({ ...context, publicUrl, home, origins: [] }, asked);
  });
  return `${signInLinkAddress(publicUrl, secret, null)}\n`;
});
