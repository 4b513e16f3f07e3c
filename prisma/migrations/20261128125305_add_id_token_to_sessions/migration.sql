-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "idToken" BYTEA;
