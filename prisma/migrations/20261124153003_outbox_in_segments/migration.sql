-- The table of events becomes the first partition of a table like it. Nothing is read or built: its key and its check
-- are there, and its indexes are those that a partition needs.
ALTER TABLE "OutboxEvent" DROP CONSTRAINT "OutboxEvent_pkey";
ALTER TABLE "OutboxEvent" ADD CONSTRAINT "OutboxEvent_1_pkey" PRIMARY KEY USING INDEX "OutboxEvent_1_pkey";
DROP INDEX "OutboxEvent_createdAt_idx";
ALTER INDEX "OutboxEvent_transactionId_id_idx" RENAME TO "OutboxEvent_1_transactionId_id_idx";
ALTER INDEX "OutboxEvent_spaceId_transactionId_id_idx" RENAME TO "OutboxEvent_1_spaceId_transactionId_id_idx";
ALTER INDEX "OutboxEvent_organizationId_transactionId_id_idx" RENAME TO "OutboxEvent_1_organizationId_transactionId_id_idx";
ALTER INDEX "OutboxEvent_organizationId_createdAt_idx" RENAME TO "OutboxEvent_1_organizationId_createdAt_idx";
ALTER INDEX "OutboxEvent_spaceId_createdAt_idx" RENAME TO "OutboxEvent_1_spaceId_createdAt_idx";
ALTER INDEX "OutboxEvent_changeRequest_createdAt" RENAME TO "OutboxEvent_1_changeRequest_createdAt";
ALTER INDEX "OutboxEvent_gone" RENAME TO "OutboxEvent_1_gone";
ALTER INDEX "OutboxEvent_account" RENAME TO "OutboxEvent_1_account";
ALTER TABLE "OutboxEvent" RENAME TO "OutboxEvent_1";

CREATE TABLE "OutboxEvent" (LIKE "OutboxEvent_1" INCLUDING DEFAULTS) PARTITION BY LIST ("segment");
ALTER SEQUENCE "OutboxEvent_id_seq" OWNED BY "OutboxEvent"."id";
ALTER TABLE "OutboxEvent" ADD CONSTRAINT "OutboxEvent_pkey" PRIMARY KEY ("id", "segment");
CREATE INDEX "OutboxEvent_transactionId_id_idx" ON "OutboxEvent" ("transactionId", "id");
CREATE INDEX "OutboxEvent_spaceId_transactionId_id_idx" ON "OutboxEvent" ("spaceId", "transactionId", "id");
CREATE INDEX "OutboxEvent_organizationId_transactionId_id_idx" ON "OutboxEvent" ("organizationId", "transactionId", "id");
CREATE INDEX "OutboxEvent_organizationId_createdAt_idx" ON "OutboxEvent" ("organizationId", "createdAt");
CREATE INDEX "OutboxEvent_spaceId_createdAt_idx" ON "OutboxEvent" ("spaceId", "createdAt");
CREATE INDEX "OutboxEvent_changeRequest_createdAt" ON "OutboxEvent" (coalesce("payload" ->> 'changeRequestId', "subjectId"), "createdAt");
CREATE INDEX "OutboxEvent_gone" ON "OutboxEvent" ("organizationId", "createdAt") WHERE "payload" ? 'guestIds';
CREATE INDEX "OutboxEvent_account" ON "OutboxEvent" ("actorId", "transactionId", "id", (coalesce("organizationId", ''))) WHERE "organizationId" IS NULL;

ALTER TABLE "OutboxEvent" ATTACH PARTITION "OutboxEvent_1" FOR VALUES IN (1);
ALTER TABLE "OutboxEvent_1" DROP CONSTRAINT "OutboxEvent_1_check";
