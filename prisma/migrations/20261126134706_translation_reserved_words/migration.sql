-- AlterTable
ALTER TABLE "Translation" ADD COLUMN     "reservedWords" INTEGER NOT NULL DEFAULT 0;
