-- AlterTable
ALTER TABLE "OutboxTrim" ADD COLUMN     "epoch" TEXT NOT NULL DEFAULT '0',
ADD COLUMN     "eventAt" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,
ADD COLUMN     "resetAt" TIMESTAMPTZ(3),
ADD COLUMN     "resetReason" TEXT,
ADD COLUMN     "systemIdentifier" TEXT,
ADD COLUMN     "timeline" INTEGER,
ADD COLUMN     "transactionOffset" BIGINT NOT NULL DEFAULT 0;

UPDATE "OutboxTrim" t SET "eventAt" = e."createdAt" FROM "OutboxEvent" e
WHERE e."transactionId" = t."transactionId" AND e."id" = t."eventId";
