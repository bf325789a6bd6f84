import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Self } from '../../src/ports.ts'

/**
 * Identifies this process, for the owner written into a lock. On Linux from /proc (proc(5)). Other systems have no
 * pid namespaces, and boot id and start time are unknown. There, an owner is known to be gone only if its pid does not
 * exist.
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

/**
 * Reads field 3 of /proc/PID/stat, the state, and field 22, the start in clock ticks since boot. Field 2 may contain
 * spaces and brackets.
 */
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
