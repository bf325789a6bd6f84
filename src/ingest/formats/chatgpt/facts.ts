import type { FormatFacts } from '../../port/format.ts'

/** https://help.openai.com/en/articles/7260999: `conversations.json`, in several files if it is large. */
export const FACTS: FormatFacts = {
  id: 'chatgpt',
  name: 'an export of ChatGPT',
  markers: [{ path: /\.json$/i, head: [/"mapping"\s*:\s*\{/, /"(create_time|current_node)"\s*:/] }],
  edits: false
}
