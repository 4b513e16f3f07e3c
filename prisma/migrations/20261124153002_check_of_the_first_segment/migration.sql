-- Reads the table once; writers go on.
ALTER TABLE "OutboxEvent" VALIDATE CONSTRAINT "OutboxEvent_1_check";
