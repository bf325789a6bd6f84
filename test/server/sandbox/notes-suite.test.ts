import { notesSandbox } from '../../../server/sandbox/notes/notes-sandbox.ts'
import type { Fetch } from '../../../src/ports.ts'
import { type SandboxExample, sandboxProviderSuite } from '../../suites/sandbox-provider-suite.ts'

const HEADERS = { 'notion-version': '2025-09-03', 'content-type': 'application/json' }

/** developers.notion.com/reference/status-codes */
const REFUSALS = {
  unauthorized: { status: 401, json: { object: 'error', code: 'unauthorized' } },
  rate_limited: { status: 429, json: { object: 'error', code: 'rate_limited' } },
  server_error: { status: 500, json: { object: 'error', code: 'internal_server_error' } },
  overloaded: { status: 503, json: { object: 'error', code: 'service_unavailable' } },
  not_found: { status: 400, json: { object: 'error', code: 'invalid_request_url' } }
}

const EXAMPLE: SandboxExample = {
  sandboxProvider: notesSandbox,
  call: (apiUrl) => new Request(`${apiUrl}/v1/users/me`, { headers: HEADERS }),
  refuses: ({ reason }) => REFUSALS[reason],
  crawl: crawlWorkspace,
  piecesMin: 25,
  change: { name: 'add_page', input: { title: 'Marmalade at noon' }, shows: 'Marmalade at noon' }
}

sandboxProviderSuite(EXAMPLE)

type Result = { object: string; id: string; properties?: Record<string, unknown> }
type Listing = { results: Result[]; next_cursor: string | null }

/** Reads every page that search returns, with its title and text. */
async function crawlWorkspace(fetch: Fetch, apiUrl: string): Promise<string[]> {
  const pieces: string[] = []
  let cursor: string | null = null
  do {
    const body = JSON.stringify({ page_size: 100, ...(cursor !== null && { start_cursor: cursor }) })
    const reply = await fetch(new Request(`${apiUrl}/v1/search`, { method: 'POST', headers: HEADERS, body }))
    const { results, next_cursor } = (await reply.json()) as Listing
    const pages = results.filter(({ object }) => object === 'page')
    for (const page of pages) pieces.push(await textOf(fetch, apiUrl, page))
    cursor = next_cursor
  } while (cursor !== null)
  return pieces
}

async function textOf(fetch: Fetch, apiUrl: string, { id, properties }: Result): Promise<string> {
  const reply = await fetch(new Request(`${apiUrl}/v1/pages/${id}/markdown`, { headers: HEADERS }))
  const { markdown } = (await reply.json()) as { markdown: string }
  return [...plainTexts(properties), markdown].join('\n')
}

/** Returns all rich text in a value, at any depth. */
function plainTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'plain_text' in value ? [String(value.plain_text)] : []
  return [...own, ...Object.values(value).flatMap(plainTexts)]
}
