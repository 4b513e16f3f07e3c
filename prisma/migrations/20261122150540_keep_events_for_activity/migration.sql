-- CreateIndex
CREATE INDEX "OutboxEvent_organizationId_createdAt_idx" ON "OutboxEvent"("organizationId", "createdAt");

-- CreateIndex
CREATE INDEX "OutboxEvent_spaceId_createdAt_idx" ON "OutboxEvent"("spaceId", "createdAt");

-- What happens to a change request, its content, its reviews and the comments on it. (An expression, since models cannot name one.)
CREATE INDEX "OutboxEvent_changeRequest_createdAt" ON "OutboxEvent" (coalesce("payload" ->> 'changeRequestId', "subjectId"), "createdAt");

-- Each type of event is told in one way: a change of the status, which had one type with a change of the subject, has its own.
UPDATE "OutboxEvent" SET "type" = 'changeRequest.statusChanged' WHERE "type" = 'changeRequest.updated' AND "payload" ? 'status';
