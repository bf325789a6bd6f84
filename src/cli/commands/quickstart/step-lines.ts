import { textLines } from '../../output/card-lines.ts'
import type { Page, StyledLine } from '../../output/styled-line.ts'

/** Describes a step and shows the command that does the same. */
export function stepLines(what: string, command: string, page: Page): StyledLine[] {
  return [...textLines(what, page), ...commandLines(command)]
}

/** Shows further commands of the previous step. */
export function commandLines(...commands: string[]): StyledLine[] {
  return commands.map((command) => [
    { text: '  $ ', look: 'dim' },
    { text: command, look: 'bold' }
  ])
}

/** Shows the result of a step. */
export function resultLine(text: string): StyledLine {
  return [`  ${text}`]
}

/** Introduces the quickstart. */
export function firstLines(folder: string, page: Page): StyledLine[] {
  const text =
    'The quickstart starts a server with sandbox accounts of four providers, syncs them, exports their contents to a file, and searches that file without the network. It works in a new folder and changes none of your files or settings. To repeat the steps yourself, begin in that folder:'
  return [...textLines(text, page), ...commandLines(`cd ${folder}`), []]
}

/** Suggests what to try next. */
export function lastLines(page: Page): StyledLine[] {
  return [
    ...textLines(
      'All results came from one file on this machine, with one memory per line. Try next, in the same folder:',
      page
    ),
    ...commandLines('memctl device search "your own question"', 'memctl ingest PATH-OF-YOUR-NOTES'),
    ...textLines('To keep a server running and connect accounts:', page),
    ...commandLines('memctl server start --detach', 'memctl connect mailbox', 'memctl help connect', 'memctl --help'),
    ...textLines('In a clone that is not installed, run node dist/memctl.js instead of memctl.', page)
  ]
}
