import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates a folder for the running test, which is deleted afterwards. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'memctl-snapshot-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
