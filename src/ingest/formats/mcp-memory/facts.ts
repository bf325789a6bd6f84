import type { FormatFacts } from '../../port/format.ts'

/** https://github.com/modelcontextprotocol/servers/tree/main/src/memory: `memory.jsonl`, or `memory.json` of older versions. */
export const FACTS: FormatFacts = {
  id: 'mcp_memory',
  name: 'the file of the MCP memory server',
  markers: [
    { path: /\.jsonl?$/i, head: [/"type"\s*:\s*"entity"/, /"entityType"\s*:/] },
    { path: /\.json$/i, head: [/"entities"\s*:\s*\[/, /"entityType"\s*:/] }
  ],
  edits: true
}
