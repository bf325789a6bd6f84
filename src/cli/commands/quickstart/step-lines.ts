import { textLines } from '../../output/card-lines.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'

/** One step told: what is done, and the command that does the same. */
export function stepLines(what: string, command: string, page: Page): StyledLine[] {
  return [...textLines(what, page), ...commandLines(command)]
}

/** A command that belongs to the step before. */
export function commandLines(...commands: string[]): StyledLine[] {
  return commands.map((command) => [
    { text: '  $ ', look: 'dim' },
    { text: command, look: 'bold' }
  ])
}

/** What came of a step. */
export function resultLine(text: string): StyledLine {
  return [`  ${text}`]
}

/** What comes before the first step. */
export function firstLines(folder: string, page: Page): StyledLine[] {
  const text =
    'A server of its own, with made-up accounts of four providers, is started in a fresh folder; what the accounts hold becomes a file, which is searched with the network off. Nothing of yours is touched. Each step stands for:'
  return [...textLines(text, page), ...commandLines(`cd ${folder}`), []]
}

/** What comes after the last step: what to try next. */
export function lastLines(page: Page): StyledLine[] {
  return [
    ...textLines('All that was found is one file on this machine, one memory a line. Try next, in that folder:', page),
    ...commandLines('memctl device search "your own question"', 'memctl device store "a text to remember"'),
    ...textLines('and with a server that stays, where real accounts are linked as these were:', page),
    ...commandLines('memctl server start --detach', 'memctl connect mailbox', 'memctl help connect', 'memctl --help'),
    ...textLines('In a clone that is not installed, memctl is: node dist/memctl.js', page)
  ]
}
