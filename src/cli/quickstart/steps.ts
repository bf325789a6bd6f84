import { textLines } from '../output/card.ts'
import type { Line, Page } from '../output/line.ts'

/** One step told: what is done, and the command that does the same. */
export function stepLines(what: string, command: string, page: Page): Line[] {
  return [
    ...textLines(what, page),
    [
      { text: '  $ ', look: 'dim' },
      { text: command, look: 'bold' }
    ]
  ]
}

/** What comes before the first step. */
export function firstLines(folder: string, page: Page): Line[] {
  const text = `This stores a sample conversation in a fresh folder and searches it with the network off. Folder: ${folder}`
  return [...textLines(text, page), []]
}

/** What comes after the last step: what to try next. */
export function lastLines(snapshot: string, page: Page): Line[] {
  return [
    ...textLines('All of this was one file on this machine, one memory a line. Try next:', page),
    ...[
      `memctl device search "your own question" --snapshot ${snapshot}`,
      'memctl device store "something worth remembering"',
      'memctl device list --limit 5',
      'memctl --help'
    ].map(
      (command): Line => [
        { text: '  $ ', look: 'dim' },
        { text: command, look: 'bold' }
      ]
    )
  ]
}
