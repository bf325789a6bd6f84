/**
 * Processor time that work takes, in milliseconds. Unlike time on the wall it does not grow while other processes have the
 * processors, so that a test can tell work that explodes from a machine that is busy. Take a limit far above what the work needs.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
