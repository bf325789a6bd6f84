import { notesSandbox } from '../../../../server/sandbox/notes/notes-sandbox.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { type SandboxExample, sandboxProviderSuite } from '../../../suites/sandbox-provider-suite.ts'

const VERSION = { 'notion-version': '2025-09-03' }

const error = (status: number, code: string) => ({ status, json: { object: 'error', status, code } })

const REFUSALS = {
  unauthorized: error(401, 'unauthorized'),
  rate_limited: error(429, 'rate_limited'),
  server_error: error(500, 'internal_server_error'),
  overloaded: error(503, 'service_unavailable'),
  not_found: error(400, 'invalid_request_url')
}

const EXAMPLE: SandboxExample = {
  sandboxProvider: notesSandbox,
  call: (apiUrl) => new Request(`${apiUrl}/v1/users/me`, { headers: VERSION }),
  refuses: ({ reason }) => REFUSALS[reason],
  crawl: crawlPages,
  piecesMin: 60,
  change: { name: 'add_page', input: { title: 'Marmalade at noon' }, shows: 'Marmalade at noon' }
}

sandboxProviderSuite(EXAMPLE)

type Found = { object: string; id: string; properties: unknown }

/** Reads every page that search returns, with its text. */
async function crawlPages(fetch: Fetch, apiUrl: string): Promise<string[]> {
  const pieces: string[] = []
  let cursor: string | null = null
  do {
    const body = JSON.stringify({
      filter: { property: 'object', value: 'page' },
      ...(cursor && { start_cursor: cursor })
    })
    const reply = await fetch(new Request(`${apiUrl}/v1/search`, { method: 'POST', headers: VERSION, body }))
    const page = (await reply.json()) as { results: Found[]; next_cursor: string | null }
    for (const { id, properties } of page.results) {
      const read = await fetch(new Request(`${apiUrl}/v1/pages/${id}/markdown`, { headers: VERSION }))
      const { markdown } = (await read.json()) as { markdown: string }
      pieces.push(`${titleIn(properties)}\n${markdown}`)
    }
    cursor = page.next_cursor
  } while (cursor !== null)
  return pieces
}

function titleIn(properties: unknown): string {
  const title = Object.values(properties as Record<string, { type: string; title?: { plain_text: string }[] }>)
  return title
    .flatMap((one) => one.title ?? [])
    .map((piece) => piece.plain_text)
    .join('')
}
