-- CreateTable
CREATE TABLE "OutboxSegment" (
    "id" INTEGER NOT NULL,
    "firstTransaction" BIGINT NOT NULL,
    "begunAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "OutboxSegment_pkey" PRIMARY KEY ("id")
);
INSERT INTO "OutboxSegment" ("id", "firstTransaction") VALUES (1, 0);

-- All events so far are the first segment. The check is for the migrations that follow: with it none of them reads the
-- table while others wait.
ALTER TABLE "OutboxEvent" ADD COLUMN "segment" INTEGER NOT NULL DEFAULT 1,
ADD CONSTRAINT "OutboxEvent_1_check" CHECK ("segment" = 1) NOT VALID;
