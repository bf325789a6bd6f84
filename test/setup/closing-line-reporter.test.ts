import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { startVitest } from 'vitest/node'
import { closingLineReporter } from './closing-line-reporter.ts'

test('prints the counts at the end of a run, counts a file that does not load as a failure, and gives the reasons of skipped tests', async () => {
  const lines = await linesOfRun({
    'a.test.ts': [
      "test('is right', () => expect(1).toBe(1))",
      "test('is wrong', () => expect(1).toBe(2))",
      "test('cannot run', ({ skip }) => skip('needs a printer'))"
    ],
    'b.test.ts': ["import './nowhere.ts'"]
  })
  expect(lines).toEqual(['skipped: cannot run: needs a printer', '1 passed, 2 failed, 1 skipped'])
})

/** Returns what the reporter prints for a run over these files, which are in a temporary folder. */
async function linesOfRun(files: Record<string, string[]>): Promise<string[]> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'memctl-run-'))
  const exitCode = process.exitCode
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text.join('\n'))
    const lines: string[] = []
    const reporters = [closingLineReporter((line) => lines.push(line))]
    const vitest = await startVitest('test', [], { root, config: false, watch: false, globals: true, reporters })
    await vitest.close()
    return lines
  } finally {
    process.exitCode = exitCode
    rmSync(root, { recursive: true })
  }
}
