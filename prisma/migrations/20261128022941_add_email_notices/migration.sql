-- AlterTable
ALTER TABLE "User" ADD COLUMN     "emailKey" TEXT,
ADD COLUMN     "mutedEmails" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
