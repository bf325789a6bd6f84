import { convertFiles } from './formats/documents/convert.ts'
import { FACTS as DOCUMENTS } from './formats/documents/facts.ts'
import { FACTS as MARKDOWN } from './formats/markdown/facts.ts'
import type { Format } from './port/format.ts'

/** All formats. Of the general ones, the first that fits is chosen. */
export const FORMATS: readonly Format[] = [
  { facts: MARKDOWN, convert: convertFiles },
  { facts: DOCUMENTS, convert: convertFiles }
]
