-- CreateIndex
CREATE INDEX "ChangeRequest_organizationId_createdById_createdAt_id_idx" ON "ChangeRequest"("organizationId", "createdById", "createdAt", "id");
