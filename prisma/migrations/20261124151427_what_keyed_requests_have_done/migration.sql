-- AlterTable
ALTER TABLE "IdempotencyKey" ADD COLUMN     "done" BYTEA;
