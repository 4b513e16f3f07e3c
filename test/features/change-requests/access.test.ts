// Who may do what, and that no other tenant is reached, by every operation of change-requests.
import { describeAccess } from "#test/support/access/describe.ts";

await describeAccess("change-requests");
