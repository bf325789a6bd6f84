import type { FormatFacts } from '../../port/format.ts'

/** Every file whose type `src/documents/choose-document-type.ts` knows. */
export const FACTS: FormatFacts = {
  id: 'documents',
  name: 'a folder of documents',
  markers: [],
  general: /./,
  edits: true
}
