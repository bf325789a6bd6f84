/**
 * Returns the processor time of work in milliseconds. Unlike wall time it does not grow while other processes use the
 * processors, so a test can distinguish excessive work from a busy machine. Use a limit far above the actual need.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
