// Renders for clients: a block of an integration at a place, and the block of a link.
import { invalidInput } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { checkWebAddress } from "#src/domain/input.ts";
import { drawBlock, type DrawnBlock } from "#src/features/integrations/commands/runs/draw-block.ts";
import { checkIntegrationName } from "#src/features/integrations/model/manifest/names.ts";
import { hostsAbove, unfurls } from "#src/features/integrations/model/manifest/unfurled.ts";
import {
  type BlockRequest,
  checkedRequest,
  decompressedRequest,
  type GivenBlockRequest,
  placeIn,
} from "#src/features/integrations/model/runs/block-request.ts";
import { seenPlace, unfurlingOn } from "#src/features/integrations/reads/drawing.ts";

interface Named {
  readonly integrationName: string;
}

/**
 * Draws a block at the place of its context. Throws INVALID_INPUT with the place of a fault of the request, NOT_FOUND
 * and FORBIDDEN for a place that the viewer does not see, and otherwise as {@link drawBlock} does.
 */
export async function renderBlock(context: Context, given: Named & GivenBlockRequest): Promise<DrawnBlock> {
  const { integrationName, componentId, props = {}, state, action, context: at } = given;
  const asked = { ...(state != null && { state }), ...(action != null && { action }) };
  const request = await checkedRequest("", { componentId, props: props ?? {}, context: at, ...asked });
  return renderAt(context, integrationName, { request, at: "context" });
}

/** Draws a block by a request that LZ-string has compressed. Throws as {@link renderBlock} does. */
export async function renderCompressed(
  context: Context,
  { integrationName, request }: Named & { readonly request: string },
): Promise<DrawnBlock> {
  const decompressed = await decompressedRequest("request", request);
  return renderAt(context, integrationName, { request: decompressed, at: "request/context" });
}

async function renderAt(
  context: Context,
  integrationName: string,
  { request, at }: { request: BlockRequest; at: string },
): Promise<DrawnBlock> {
  const name = checkIntegrationName(integrationName);
  const place = await seenPlace(context, placeIn(at, request.context));
  return drawBlock(context, { place, name, request });
}

/** The action of requests for the block of a link. */
const unfurling = "@link.unfurl";

/**
 * The block of a link on a visible space, by the first integration, by name, with a block that unfurls it; null for
 * none. Throws INVALID_INPUT for an invalid address, and otherwise as {@link drawBlock} does.
 */
export async function unfurlLink(context: Context, spaceId: string, url: string): Promise<DrawnBlock | null> {
  const address = URL.parse(checkWebAddress("url", url));
  if (!address) throw invalidInput("url", "must be an address.");
  const installations = await unfurlingOn(context, spaceId, hostsAbove(address));
  for (const { name, blocks, agreed } of installations) {
    const fits = ({ urlUnfurl }: (typeof blocks)[number]) => urlUnfurl.some((pattern) => unfurls(pattern, address));
    const block = blocks.find(fits);
    if (!block || !agreed.some(fits)) continue;
    const place = await seenPlace(context, { kind: "space", id: spaceId });
    const action = { action: unfurling, url: address.href };
    const request = { componentId: block.id, props: {}, state: {}, context: { spaceId }, action };
    return drawBlock(context, { place, name, request });
  }
  return null;
}
