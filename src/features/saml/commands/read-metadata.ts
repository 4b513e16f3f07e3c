// Reading the metadata of an identity provider that admins give, as a text or by its address.
import { invalidInput } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import { requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkWebAddress, oneOf } from "#src/domain/input.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { mayReadSamlMetadata } from "#src/features/saml/access.ts";
import type { IdpMetadata } from "#src/features/saml/model/idp-metadata.ts";
import { maxMetadata } from "#src/features/saml/model/limits.ts";
import { readMessage } from "#src/features/saml/model/message-reader.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";
import { FetchError } from "#src/net/fetch-error.ts";

/** Reads the metadata of an identity provider. INVALID_INPUT for what cannot be fetched or is not such metadata. */
export async function readSamlMetadata(
  context: Context,
  organizationId: string,
  source: { url?: string | null | undefined; xml?: string | null | undefined },
): Promise<IdpMetadata> {
  const organization = await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayReadSamlMetadata, { organizationId: organization.id });
  const [name, value] = oneOf("from", { url: source.url, xml: source.xml });
  const text = name === "url" ? await fetchMetadata(context, checkWebAddress("from.url", value)) : value;
  if (text.length > maxMetadata)
    throw invalidInput(`from.${name}`, `must have at most ${maxMetadata} characters, and has ${text.length}.`);
  try {
    return await readMessage("metadata", text);
  } catch (error) {
    if (error instanceof SamlError)
      throw invalidInput(`from.${name}`, `is not metadata that can be used: ${error.message}.`);
    throw error;
  }
}

async function fetchMetadata({ fetch }: Context, url: string): Promise<string> {
  try {
    const accept = "application/samlmetadata+xml, application/xml, text/xml, */*;q=0.5";
    const { status, body } = await fetch(url, { headers: { accept }, maxBytes: maxMetadata });
    if (status !== 200) throw invalidInput("from.url", `the server answered ${status}.`);
    return body.toString("utf8");
  } catch (error) {
    if (error instanceof FetchError) throw invalidInput("from.url", `${error.message}.`);
    throw error;
  }
}
