import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bench } from '../device/device-kit.ts'
import { batchOf, ingestPath } from './ingest-kit.ts'

/** Exports of other projects, which a checkout may lack. */
const FIXTURES = new URL('../../../shared/fixtures/ingest', import.meta.url).pathname

const CASES = [
  ['echomine/claude/sample_export.json', 'claude'],
  ['echomine/claude/tool_messages.json', 'claude'],
  ['echomine/content_fidelity/claude_attachments.json', 'claude'],
  ['echomine/content_fidelity/claude_voice_note.json', 'claude'],
  ['echomine/date_test_conversations.json', 'chatgpt'],
  ['echomine/golden_master/001_simple_text/raw.json', 'chatgpt'],
  ['echomine/malformed_missing_field.json', 'chatgpt']
] as const

test('reads exports of ChatGPT and Claude, and stores nothing twice', async ({ skip }) => {
  skip(!existsSync(FIXTURES), 'needs ../shared/fixtures')
  for (const [file, format] of CASES) {
    const path = join(FIXTURES, file)
    const { device } = await bench()
    const first = await ingestPath(device, path)
    expect(first, file).toMatchObject({ format, stored: first.lines })
    expect(await ingestPath(device, path), file).toMatchObject({ stored: 0, known: first.lines })
  }
})

test('reads every file with an account that adds up', async ({ skip }) => {
  skip(!existsSync(FIXTURES), 'needs ../shared/fixtures')
  const names = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
  for (const path of names.map((name) => join(FIXTURES, name)).filter((path) => statSync(path).isFile())) {
    const { report } = await batchOf(path)
    expect(report.seen, path).toBe(report.taken + report.merged + report.left_out)
    expect(report.seen, path).toBeGreaterThan(0)
  }
})
