import type { KnownParameters } from '../core/sandbox-provider.ts'

const PAGING = ['start_cursor', 'page_size']

/** The parameters of each operation, by Notion's published description (https://developers.notion.com/openapi.json). */
export const PUBLISHED: Readonly<Record<string, KnownParameters>> = {
  'get-self': { query: [] },
  'get-user': { query: [] },
  'get-users': { query: PAGING },
  'post-search': { query: [], body: ['query', 'sort', 'filter', ...PAGING] },
  'retrieve-a-page': { query: ['filter_properties'] },
  'retrieve-page-markdown': { query: ['include_transcript'] },
  'retrieve-a-block': { query: [] },
  'get-block-children': { query: PAGING },
  'retrieve-a-comment': { query: ['block_id', ...PAGING] },
  'retrieve-a-database': { query: [] },
  'retrieve-a-data-source': { query: [] },
  'query-data-source': { query: ['filter_properties'], body: ['filter', 'sorts', 'archived', 'in_trash', ...PAGING] }
}
