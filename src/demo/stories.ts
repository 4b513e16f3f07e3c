// The stories of the demo's spaces: what was edited and proposed where, and what became of it.
import type { SpaceName } from "#src/demo/spaces.ts";
import { calibration } from "#src/demo/stories/calibration.ts";
import { handbook, knowledgeBase, launch, partners, runbooks, website } from "#src/demo/stories/company.ts";
import { tideGauge, waveBuoy } from "#src/demo/stories/device-manuals.ts";
import { gettingStarted } from "#src/demo/stories/getting-started.ts";
import { contributing, ideas, manual } from "#src/demo/stories/open-tide.ts";
import { apiReference, errorCodes } from "#src/demo/stories/reference.ts";
import type { Story } from "#src/demo/story.ts";

export const stories: Readonly<Record<SpaceName, Story>> = {
  gettingStarted,
  calibration,
  tideGauge,
  waveBuoy,
  apiReference,
  errorCodes,
  handbook,
  runbooks,
  knowledgeBase,
  partners,
  launch,
  website,
  manual,
  contributing,
  ideas,
};
