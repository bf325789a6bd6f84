import type { FormatFacts } from '../../port/format.ts'

/** Session files in `~/.codex/sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl`, one JSON object a line. */
export const FACTS: FormatFacts = {
  id: 'codex',
  name: 'sessions of Codex',
  markers: [
    { path: /\.jsonl$/i, head: [/"type"\s*:\s*"(session_meta|response_item)"/, /"payload"\s*:/] },
    { path: /(^|\/)rollout-[^/]*\.jsonl$/i }
  ],
  edits: false
}
