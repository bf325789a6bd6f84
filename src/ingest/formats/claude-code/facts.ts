import type { FormatFacts } from '../../port/format.ts'

/** Session files in `~/.claude/projects/FOLDER/SESSION.jsonl`, one JSON object a line. */
export const FACTS: FormatFacts = {
  id: 'claude_code',
  name: 'sessions of Claude Code',
  markers: [{ path: /\.jsonl$/i, head: [/"sessionId"\s*:/, /"(parentUuid|isSidechain)"\s*:/] }],
  edits: false
}
