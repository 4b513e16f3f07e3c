-- AlterTable
ALTER TABLE "Space" ADD COLUMN     "openToMembers" BOOLEAN NOT NULL DEFAULT false;

-- Until now every member saw private spaces. At the top that was what a new space was without a choice: it stays so.
-- In a collection it was chosen, since a new space there is visible with the collection: those close to who has no grant.
UPDATE "Space" SET "openToMembers" = true WHERE "visibility" = 'private' AND "parentId" IS NULL;
