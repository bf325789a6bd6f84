import type { FormatFacts } from '../../port/format.ts'

/** Any JSON or JSON Lines. It has no marker, because only the user knows which members are texts (`--map`). */
export const FACTS: FormatFacts = { id: 'json', name: 'JSON with a map of its members', markers: [], edits: false }
