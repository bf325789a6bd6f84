import type { Output } from '../../ports.ts'
import { wrapText } from './wrap-text.ts'

/** A part of a help text. */
export type HelpBlock =
  | { heading: string }
  /** A paragraph. */
  | { text: string }
  /** Terms with their descriptions, in two columns. */
  | { rows: readonly HelpRow[] }
  /** Shell commands. One that is wider than the terminal is continued after a backslash, so that it can be copied. */
  | { commands: readonly string[] }
  /** The contents of a file, whose lines are never wrapped. */
  | { file: string }

export type HelpRow = readonly [term: string, description: string]

/** Returns the width of help: that of the terminal up to a readable maximum, and a fixed one in a pipe. */
export function helpColumns({ isTerminal, columns }: Pick<Output, 'isTerminal' | 'columns'>): number {
  return isTerminal ? Math.min(columns, COLUMNS_MAX) : PIPE_COLUMNS
}

const COLUMNS_MAX = 110
const PIPE_COLUMNS = 100

const INDENT = 2
const GAP = 2

/** A term longer than this part of a line has its description below. */
const TERM_PART_MAX = 0.4

/** Indentation of a description below its term, and of the lines after the first of a command. */
const HANG = 6

/** Draws a help text for a terminal, with an empty line between its parts, except after a heading. */
export function drawHelp(blocks: readonly HelpBlock[], columns: number): string {
  const parts = blocks.map((block, at) => {
    const gap = at === 0 || 'heading' in (blocks[at - 1] ?? {}) ? [] : ['']
    return [...gap, ...drawBlock(block, columns)].map((line) => `${line}\n`).join('')
  })
  return parts.join('')
}

function drawBlock(block: HelpBlock, columns: number): string[] {
  if ('heading' in block) return wrap(block.heading, columns)
  if ('text' in block) return wrap(block.text, columns)
  if ('rows' in block) return drawRows(block.rows, columns)
  if ('commands' in block) return block.commands.flatMap((command) => drawCommand(command, columns))
  return block.file
    .trimEnd()
    .split('\n')
    .map((line) => indent(line, INDENT))
}

/** Draws terms and descriptions in two columns. The description of a long term begins below it. */
export function drawRows(rows: readonly HelpRow[], columns: number): string[] {
  const limit = Math.floor(columns * TERM_PART_MAX)
  const widths = rows.map(([term]) => term.length).filter((width) => width <= limit)
  const room = Math.max(0, ...widths)
  const left = INDENT + room + GAP
  return rows.flatMap(([term, description]) => {
    if (term.length > room) {
      const below = wrap(description, columns - HANG).map((line) => indent(line, HANG))
      return [...wrap(term, columns - INDENT).map((line) => indent(line, INDENT)), ...below]
    }
    const [first = '', ...others] = wrap(description, columns - left)
    return [indent(`${term.padEnd(room + GAP)}${first}`, INDENT), ...others.map((line) => indent(line, left))]
  })
}

/** Draws a shell command. Lines end between words that the shell keeps apart. */
export function drawCommand(command: string, columns: number): string[] {
  const lines: string[] = []
  let line = ' '.repeat(INDENT)
  for (const [at, word] of splitShellWords(command).entries()) {
    const separator = at === 0 ? '' : ' '
    if (line.length + separator.length + word.length + CONTINUED.length <= columns) line += separator + word
    else {
      lines.push(line + CONTINUED)
      line = indent(word, HANG)
    }
  }
  return [...lines, line]
}

const CONTINUED = ' \\'

/** Words of a shell command; quoted text and command substitutions stay in one piece. */
function splitShellWords(command: string): string[] {
  return command.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\$\([^)]*\)|<\([^)]*\)|[^\s"'])+/g) ?? []
}

function wrap(text: string, columns: number): string[] {
  return wrapText(text, { columns, width: (part) => part.length })
}

function indent(line: string, by: number): string {
  return line === '' ? '' : ' '.repeat(by) + line
}
