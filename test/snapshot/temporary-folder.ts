import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder of its own for the test that is running, gone when it has finished. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memctl-snapshot-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
