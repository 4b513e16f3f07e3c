-- DropForeignKey
ALTER TABLE "Review" DROP CONSTRAINT "Review_revisionId_fkey";

-- DropIndex
DROP INDEX "Review_reviewerId_idx";

-- CreateIndex
CREATE INDEX "Review_reviewerId_status_requestedAt_id_idx" ON "Review"("reviewerId", "status", "requestedAt", "id");

-- AddForeignKey: with its space a revision goes before the change request does, and so takes the reviews of it along.
ALTER TABLE "Review" ADD CONSTRAINT "Review_revisionId_fkey" FOREIGN KEY ("revisionId") REFERENCES "Revision"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma cannot say: who asked is known with when, and what was said is gone once a new round is asked for.
ALTER TABLE "Review"
  ADD CONSTRAINT "Review_asked_by_check" CHECK (("requestedById" IS NULL) = ("requestedAt" IS NULL)),
  ADD CONSTRAINT "Review_message_check" CHECK ("status" <> 'requested' OR "message" IS NULL);
