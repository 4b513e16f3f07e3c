-- AlterTable
ALTER TABLE "ChangeRequest" ADD COLUMN     "agentTaskId" TEXT COLLATE "C";
