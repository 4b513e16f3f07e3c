-- What is gone, for the guests who had it: few events. (Prisma's models cannot name an index of some rows only.)
CREATE INDEX "OutboxEvent_gone" ON "OutboxEvent" ("organizationId", "createdAt") WHERE "payload" ? 'guestIds';
