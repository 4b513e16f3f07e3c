-- CreateTable
CREATE TABLE "OutboxTrim" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "transactionId" BIGINT NOT NULL,
    "eventId" BIGINT NOT NULL,

    CONSTRAINT "OutboxTrim_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "OutboxTrim_one_check" CHECK ("id" = 1)
);
INSERT INTO "OutboxTrim" ("transactionId", "eventId") VALUES (0, 0);

-- CreateIndex
CREATE INDEX "OutboxEvent_spaceId_transactionId_id_idx" ON "OutboxEvent"("spaceId", "transactionId", "id");

-- CreateIndex
CREATE INDEX "OutboxEvent_organizationId_transactionId_id_idx" ON "OutboxEvent"("organizationId", "transactionId", "id");
