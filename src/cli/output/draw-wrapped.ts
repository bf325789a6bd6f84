import type { Output } from '../../ports.ts'
import { drawLine, lineText, type StyledLine } from './styled-line.ts'

/**
 * A line for a person, with its LF. Where it is wider than the terminal, the rows after the first are indented: a terminal
 * would continue at its left edge, where untrusted text could pose as a line of this program.
 */
export async function drawWrapped(
  line: StyledLine,
  output: Pick<Output, 'columns' | 'isTerminal'>,
  colors: boolean
): Promise<string> {
  const text = lineText(line)
  if (!output.isTerminal || output.columns <= 0 || text.length * WIDEST_LETTER <= output.columns)
    return `${drawLine(line, colors)}\n`
  const [{ hangingLines }, { makePage }] = await Promise.all([import('./card-lines.ts'), import('./styled-line.ts')])
  const page = await makePage({ output, options: { colors } })
  if (page.width(text) <= page.columns) return `${drawLine(line, colors)}\n`
  const [label] = line
  const rows = hangingLines(text, page)
  return rows
    .map((row, at) => {
      const isLabelled = at === 0 && typeof label === 'object' && lineText(row).startsWith(label.text)
      return isLabelled ? [label, lineText(row).slice(label.text.length)] : row
    })
    .map((row) => `${drawLine(row, colors)}\n`)
    .join('')
}

/** Columns of the widest letters. */
const WIDEST_LETTER = 2
