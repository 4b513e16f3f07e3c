-- CreateIndex
CREATE INDEX "ChangeRequest_spaceId_createdById_status_number_idx" ON "ChangeRequest"("spaceId", "createdById", "status", "number");

-- The revisions of the main content in the order of their list: a null in the middle of an index orders nothing.
CREATE INDEX "Revision_of_space" ON "Revision" ("spaceId", "createdAt", "id") WHERE "changeRequestId" IS NULL;
