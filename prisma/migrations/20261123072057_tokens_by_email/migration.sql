-- AlterTable
ALTER TABLE "ApiToken" ADD COLUMN     "madeByEmail" BOOLEAN NOT NULL DEFAULT false;
