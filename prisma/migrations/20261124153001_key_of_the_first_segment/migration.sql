-- without a transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "OutboxEvent_1_pkey" ON "OutboxEvent" ("id", "segment");
