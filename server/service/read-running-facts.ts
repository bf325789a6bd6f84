import { join } from 'node:path'
import type { RunningServer } from '../../src/contract/running-server.ts'
import type { Files } from '../../src/ports.ts'
import { replaceFile } from '../../src/snapshot/file/replace-file.ts'
import { readFully } from '../../src/snapshot/file/source.ts'
import { parseExact } from '../../src/snapshot/json/json.ts'

/** Returns the path of the file in which a running server describes itself. */
export function runningFactsPath(dataDir: string): string {
  return join(dataDir, 'server.running.json')
}

/** Writes the file atomically, readable for its owner alone. */
export function writeRunningFacts(files: Files, facts: RunningServer): void {
  replaceFile(files, { path: runningFactsPath(facts.data_dir), mode: 0o600 }, (sink) => {
    sink.write(`${JSON.stringify(facts, null, 2)}\n`)
  })
}

/**
 * Reads how the server of a data folder described itself at its start; undefined if there is no valid file. A server that was killed
 * leaves the file behind: the caller checks whether its process still runs.
 */
export function readRunningFacts(files: Files, dataDir: string): RunningServer | undefined {
  const path = runningFactsPath(dataDir)
  const found = files.find(path)
  if (found?.kind !== 'file' || found.size > FACTS_BYTES_MAX) return undefined
  const fd = files.open(path, 'read')
  try {
    const into = Buffer.alloc(found.size)
    const parsed = parseExact(into.subarray(0, readFully(files, { fd, into, at: 0 })))
    return 'value' in parsed && isFacts(parsed.value) ? parsed.value : undefined
  } finally {
    files.close(fd)
  }
}

/** Removes the file, when the server ends. */
export function removeRunningFacts(files: Files, dataDir: string): void {
  const path = runningFactsPath(dataDir)
  if (files.findEntry(path) !== undefined) files.unlink(path)
}

const FACTS_BYTES_MAX = 64 * 1024

function isFacts(value: unknown): value is RunningServer {
  if (typeof value !== 'object' || value === null) return false
  const facts = value as Partial<Record<keyof RunningServer, unknown>>
  const texts = [facts.process_started, facts.origin, facts.data_dir, facts.started_at, facts.version]
  const isLogFile = facts.log_file === null || typeof facts.log_file === 'string'
  return Number.isSafeInteger(facts.pid) && texts.every((text) => typeof text === 'string') && isLogFile
}
