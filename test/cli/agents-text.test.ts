import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AGENTS_TEXT } from '../../src/cli/commands/help/agents-text.ts'
import type { HelpBlock } from '../../src/cli/output/draw-help.ts'
import { wrapText } from '../../src/cli/output/wrap-text.ts'
import { runCli } from './run-cli.ts'

const FILE = new URL('../../llms.txt', import.meta.url)
const HOW = 'The text of `memctl help agents` changed. To write llms.txt again: RECORD=1 with this test file'
const LINES_MAX = 200

test('llms.txt has the text of `memctl help agents`, in at most 200 lines', async () => {
  const text = `${AGENTS_TEXT.map(toMarkdown).join('\n\n')}\n`
  if (process.env.RECORD) writeFileSync(FILE, text)
  expect(readFileSync(FILE, 'utf8'), HOW).toBe(text)
  expect(text.split('\n').length).toBeLessThanOrEqual(LINES_MAX)
  expect((await runCli(['help', 'agents'])).stdout.split('\n').length).toBeLessThanOrEqual(LINES_MAX)
})

function toMarkdown(block: HelpBlock, at: number): string {
  if ('heading' in block) return `${at === 0 ? '#' : '##'} ${block.heading}`
  if ('text' in block) return wrap(block.text, 100).join('\n')
  if ('commands' in block) return block.commands.map((command) => `    ${command}`).join('\n')
  if ('file' in block) return `\`\`\`ts\n${block.file}\`\`\``
  return block.rows.map(([term, about]) => `- ${wrap(`${term}: ${about}`, 98).join('\n  ')}`).join('\n')
}

function wrap(text: string, columns: number): string[] {
  return wrapText(text, { columns, width: (part) => part.length })
}

const COMMANDS = AGENTS_TEXT.flatMap((block) => ('commands' in block ? block.commands : []))

test.each(COMMANDS)('names only words and flags that exist: %s', async (command) => {
  const [program, ...words] = command.split(' ')
  const path = words.slice(0, await countCommandWords(words))
  const { code, stdout } = await runCli([...path, '--help'])
  expect([program, code]).toEqual(['memctl', 0])
  for (const flag of words.filter((word) => /^--?[a-z]/.test(word)))
    expect(stdout).toMatch(new RegExp(`(^|\\s)${flag}\\b`))
})

/** Counts the words that lead to a command: as many as its help names after `Usage: memctl`. */
async function countCommandWords(words: readonly string[]): Promise<number> {
  for (let count = 3; count > 0; count--) {
    const { code, stdout } = await runCli([...words.slice(0, count), '--help'])
    if (code === 0 && stdout.startsWith(`Usage: memctl ${words.slice(0, count).join(' ')} `)) return count
  }
  return 0
}
