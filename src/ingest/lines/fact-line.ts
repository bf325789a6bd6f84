import type { GivenFact } from '../../contract/snapshot.ts'
import type { IngestLine } from '../port/format.ts'

type FactOrigin = {
  format: string
  /** The native id, which is also that of the conversation. */
  id: string
  path: string
  title?: string | undefined
  /** The fact of which the text is a sentence. */
  given?: GivenFact
}

/** Longer texts of another memory tool are cut, in UTF-16 code units. */
const TEXT_UNITS_MAX = 100_000
const ID_UNITS_MAX = 1024

/** Creates the line of a fact that another memory tool states. */
export function toFactLine(text: string, { format, id, path, title, given }: FactOrigin): IngestLine {
  return {
    raw_text: text.slice(0, TEXT_UNITS_MAX).trim(),
    conversation: `${format}:${id.slice(0, ID_UNITS_MAX)}`,
    ...(given !== undefined && { given: [given] }),
    metadata: { source: { format, id: id.slice(0, ID_UNITS_MAX), path }, ...(title !== undefined && { title }) }
  }
}
