import type { Output } from '../../ports.ts'
import type { Page } from './line.ts'

type PageDesk = { output: Pick<Output, 'columns'>; options: { colors: boolean } }

/** What lines for a person are drawn with. Loads the package that knows how wide letters are. */
export async function makePage({ output, options }: PageDesk): Promise<Page> {
  const { default: stringWidth } = await import('string-width')
  return { columns: Math.max(COLUMNS_MIN, output.columns), colors: options.colors, width: (text) => stringWidth(text) }
}

/** Nobody reads a table narrower than this; a terminal that says so has not been asked yet. */
const COLUMNS_MIN = 20
