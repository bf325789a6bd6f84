import type { FormatFacts } from '../../port/format.ts'

/** https://support.claude.com/en/articles/9450526: `conversations.json` with `users.json` and `projects.json`. */
export const FACTS: FormatFacts = {
  id: 'claude',
  name: 'an export of Claude',
  markers: [{ path: /\.json$/i, head: [/"chat_messages"\s*:/, /"uuid"\s*:/] }],
  edits: false
}
