import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Self } from '../../src/ports.ts'

/**
 * Who this process is, for the owner written into a lock. On Linux from /proc (proc(5)); elsewhere there are no pid
 * namespaces, boot id and start time are unknown, and an owner is known to be gone only when its pid is.
 */
export function nodeSelf(): Self {
  return {
    host: hostname(),
    bootId: read('/proc/sys/kernel/random/boot_id') ?? '-',
    pidNamespace: namespace(),
    pid: process.pid,
    startTime: readStat(process.pid)?.startTime ?? '-',
    process: (pid) => readStat(pid) ?? bySignal(pid)
  }
}

function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '-'
  } catch {
    return '-'
  }
}

/** Field 3 of /proc/PID/stat is the state, field 22 the start in clock ticks since boot; field 2 may hold spaces and brackets. */
function readStat(pid: number): { state: 'zombie' | 'alive'; startTime: string } | undefined {
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
  if (fields?.[19] === undefined) return undefined
  return { state: 'ZX'.includes(fields[0] ?? '') ? 'zombie' : 'alive', startTime: fields[19] }
}

function bySignal(pid: number): { state: 'absent' | 'alive'; startTime: string } | undefined {
  try {
    process.kill(pid, 0)
    return { state: 'alive', startTime: '-' }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ESRCH') return { state: 'absent', startTime: '-' }
    return code === 'EPERM' ? { state: 'alive', startTime: '-' } : undefined
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1').trim()
  } catch {
    return undefined
  }
}
