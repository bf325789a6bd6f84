import { textLines } from '../output/card.ts'
import type { Line, Page } from '../output/line.ts'

/** One step told: what is done, and the command that does the same. */
export function stepLines(what: string, command: string, page: Page): Line[] {
  return [...textLines(what, page), ...commandLines(command)]
}

/** What comes before the first step. */
export function firstLines(folder: string, page: Page): Line[] {
  const text =
    'A sample conversation is stored in a fresh folder, then searched with the network off. Each step stands for:'
  return [...textLines(text, page), ...commandLines(`cd ${folder}`), []]
}

/** What comes after the last step: what to try next. */
export function lastLines(page: Page): Line[] {
  return [
    ...textLines('All of this was one file on this machine, one memory a line. Try next, in that folder:', page),
    ...commandLines(
      'memctl device search "your own question"',
      'memctl device store "a text to remember"',
      'memctl --help'
    ),
    ...textLines('In a clone that is not installed, memctl is: node dist/memctl.js', page)
  ]
}

function commandLines(...commands: string[]): Line[] {
  return commands.map((command) => [
    { text: '  $ ', look: 'dim' },
    { text: command, look: 'bold' }
  ])
}
