-- What users do to their own accounts, in no organization: few events. (With an expression, since Prisma would drop an index that the models do not name.)
CREATE INDEX "OutboxEvent_account" ON "OutboxEvent" ("actorId", "transactionId", "id", (coalesce("organizationId", ''))) WHERE "organizationId" IS NULL;
