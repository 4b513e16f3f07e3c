-- CreateTable
CREATE TABLE "IdempotencyKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "requestHash" TEXT COLLATE "C" NOT NULL,
    "lease" TEXT NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
    "hasEffect" BOOLEAN NOT NULL DEFAULT false,
    "answer" BYTEA,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IdempotencyKey_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "IdempotencyKey_createdAt_idx" ON "IdempotencyKey"("createdAt");
