import type { Output } from '../../ports.ts'
import { drawLine, lineText, type StyledLine } from './styled-line.ts'

/**
 * Draws a line for a terminal, with its LF. Rows after the first are indented, because a terminal would continue at its
 * left edge, where untrusted text could look like a line of this program.
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

/** Width of the widest characters, in columns. */
const WIDEST_LETTER = 2
