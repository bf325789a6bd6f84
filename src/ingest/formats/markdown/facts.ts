import type { FormatFacts } from '../../port/format.ts'

/** https://help.obsidian.md/properties and https://help.obsidian.md/links. */
export const FACTS: FormatFacts = {
  id: 'markdown',
  name: 'a folder of Markdown notes, such as an Obsidian vault',
  markers: [],
  general: /\.(md|markdown)$/i,
  edits: true
}
