// Whether work was done in other threads: by CPU time, which other processes of a busy machine do not change.

/** What some work returned, and the share of its CPU time that was spent in the main thread: from 0 to 1. */
export async function shareOfMainThread<Result>(work: () => Promise<Result>) {
  const [ofThread, ofProcess] = [process.threadCpuUsage(), process.cpuUsage()];
  const result = await work();
  const spent = ({ user, system }: NodeJS.CpuUsage) => user + system;
  return { result, share: spent(process.threadCpuUsage(ofThread)) / spent(process.cpuUsage(ofProcess)) };
}
