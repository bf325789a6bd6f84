import type { FormatFacts } from '../../port/format.ts'

/** https://docs.mem0.ai/api-reference: the reply of `get_all`, or an export, which is a list of the same objects. */
export const FACTS: FormatFacts = {
  id: 'mem0',
  name: 'an export of mem0',
  markers: [{ path: /\.jsonl?$/i, head: [/"memory"\s*:\s*"/, /"(user_id|agent_id|run_id|hash|updated_at)"\s*:/] }],
  edits: true
}
