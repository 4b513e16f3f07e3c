// The event types of invite links, and of members who join.
import { defineEvents } from "#src/events/declared.ts";

export const inviteLinkEvents = defineEvents(
  {
    created: "inviteLink.created",
    updated: "inviteLink.updated",
    used: "inviteLink.used",
    deleted: "inviteLink.deleted",
  },
  { audience: "admins", isAudited: true },
);

export const joinEvents = defineEvents({ joined: "member.joined" }, { audience: "members", isAudited: true });
