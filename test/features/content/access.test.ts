// Who may do what, and that no other tenant is reached, by every operation of content.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("content");
