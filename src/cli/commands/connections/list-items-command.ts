import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SyncItem } from '../../../contract/sync-run.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, integerOption, textOption, textsOption } from '../../input/command-line.ts'
import { untilWords } from '../../output/duration-words.ts'
import type { ListView } from '../../output/result-writer.ts'
import { shortTime } from '../../output/short-forms.ts'
import { CONNECTION_WORD, findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'
import { nextCommand } from '../../service/next-command.ts'

const STATUSES = ['synced', 'failed', 'skipped'] as const satisfies readonly SyncItem['status'][]

type Options = {
  id: string
  collection: string | undefined
  status: (typeof STATUSES)[number] | undefined
  limit: number
  /** Ids of the items to retry, or all failed ones. */
  retry: readonly string[] | 'failed'
}

const LIMIT = 100
const LIMIT_MAX = 1_000_000

export const listItemsCommand = defineCommand<Options>({
  name: 'items',
  summary: 'List synced, failed and skipped items, and retry failed ones',
  words: [{ name: '<id>', ...CONNECTION_WORD }],
  options: [
    SEARCHED_COLLECTION_OPTION,
    { flags: '--status <status>', about: 'only items with this status: synced, failed or skipped' },
    { flags: '--limit <n>', about: `maximum number of items, in the order of their ids; ${LIMIT} by default` },
    { flags: '--retry <item>', about: 'retry this failed item now; repeatable', repeat: true },
    { flags: '--retry-failed', about: 'retry all failed items now' }
  ],
  about:
    'An item is a file, a message with its replies, an e-mail or a page, depending on the provider. A failed item is ' +
    'retried automatically, three times within minutes and then after a cooldown. Its previously synced content stays.',
  examples: [
    'memctl connections items mailbox --status failed',
    'memctl connections items mailbox --status failed --json | jq -r .[].error',
    'memctl connections items mailbox --retry-failed'
  ],
  leaves: 'Some items may be due for a retry; memctl connections items ID --status failed shows which',
  parse: parseItems,
  run: async (context, options) => {
    const client = await context.client()
    const connection_id = await findConnectionId(context, options.id, options.collection)
    if (options.retry === 'failed' || options.retry.length > 0)
      return await answerRetried(context, connection_id, await retryItems(client, connection_id, options.retry))
    await answerItems(context, client, { ...options, id: connection_id })
  }
})

function parseItems({ words, options }: CommandLine): Options {
  const named = textOption(options, 'status')
  const status = STATUSES.find((one) => one === named)
  if (named !== undefined && status === undefined)
    throw new Fault('usage', `invalid --status '${named}': expected ${STATUSES.join(', ')}`, {
      hint: `use --status ${STATUSES.join(', --status ')}`
    })
  const limit = integerOption(options, 'limit', { least: 1, most: LIMIT_MAX })
  const one = textsOption(options, 'retry')
  const all = options.retryFailed === true
  if (one.includes(''))
    throw new Fault('usage', '--retry is empty: expected the id of an item', {
      hint: 'memctl connections items ID --status failed lists them'
    })
  if (all && one.length > 0)
    throw new Fault('usage', '--retry and --retry-failed cannot be used together', { hint: 'give one of them' })
  if ((all || one.length > 0) && (status !== undefined || limit !== undefined))
    throw new Fault('usage', '--status and --limit cannot be used with --retry or --retry-failed', {
      hint: 'omit --status and --limit'
    })
  return {
    id: words[0] ?? '',
    collection: textOption(options, 'collection'),
    status,
    limit: limit ?? LIMIT,
    retry: all ? 'failed' : [...new Set(one)]
  }
}

async function answerItems(context: Context, client: Client, { id, status, limit }: Options): Promise<void> {
  let count = 0
  async function* countItems(): AsyncGenerator<SyncItem> {
    for await (const item of walkItems(client, { connectionId: id, status, limit })) {
      count++
      yield item
    }
  }
  await context.answer.list(countItems(), itemList(context.world.clock.now()))
  if (count === 0) await context.diagnostics.note(status === undefined ? 'No items yet.' : `No items are ${status}.`)
  if (count === limit)
    await context.diagnostics.note(
      `Showing the first ${limit.toLocaleString('en-US')} items; use --limit N to list more.`
    )
}

async function answerRetried(context: Context, id: string, items: readonly SyncItem[]): Promise<void> {
  if (items.length === 0) await context.diagnostics.note('No items have failed.')
  await context.answer.list(items, itemList(context.world.clock.now()))
  if (items.length > 0)
    await context.diagnostics.hint(
      `wait for the retries: ${nextCommand(context, `memctl connections wait ${id} --for synced`)}`
    )
}

/**
 * Retries failed items: the given ones, or all. Rejects if a given item has not failed. With all, skips an item that has
 * meanwhile succeeded.
 */
async function retryItems(
  client: Pick<Client, 'listItems' | 'retryItem'>,
  connectionId: string,
  which: readonly string[] | 'failed'
): Promise<SyncItem[]> {
  const retry = (item_id: string) => client.retryItem({ params: { connection_id: connectionId, item_id } })
  const retried: SyncItem[] = []
  if (which !== 'failed') {
    for (const id of which) retried.push(await retry(id))
    return retried
  }
  const failed: string[] = []
  const asked = { connectionId, status: 'failed', limit: Number.POSITIVE_INFINITY } as const
  for await (const { id } of walkItems(client, asked)) failed.push(id)
  for (const id of failed) {
    try {
      retried.push(await retry(id))
    } catch (error) {
      if (!(error instanceof Fault) || (error.code !== 'conflict' && error.code !== 'not_found')) throw error
    }
  }
  return retried
}

/** Items per page: the maximum that the server returns. */
const PAGE_ITEMS = 1000

/** Selects items of a connection, up to a limit. */
type ItemsAsked = { connectionId: string; status: SyncItem['status'] | undefined; limit: number }

/** Yields the items of a connection in the order of their ids, page by page. */
async function* walkItems(
  client: Pick<Client, 'listItems'>,
  { connectionId, status, limit }: ItemsAsked
): AsyncGenerator<SyncItem> {
  let after: string | undefined
  for (let left = limit; left > 0; ) {
    const size = Math.min(left, PAGE_ITEMS)
    const query = { limit: String(size), ...(status && { status }), ...(after !== undefined && { after }) }
    const page = await client.listItems({ params: { connection_id: connectionId }, query })
    yield* page
    after = page.at(-1)?.id
    if (page.length < size || after === undefined) return
    left -= page.length
  }
}

/** Builds the list view of items. `now` is used to show the time until the next retries. */
function itemList(now: number): ListView<SyncItem> {
  return {
    columns: [
      { name: 'id', value: ({ id }) => id, flexible: true, leaves: 3 },
      { name: 'status', value: ({ status }) => status },
      { name: 'title', value: ({ title }) => title, flexible: true },
      { name: 'memories', value: ({ memories }) => memories, leaves: 4 },
      {
        name: 'tries',
        value: ({ tries }) => tries,
        format: ({ tries }) => (tries === 0 ? '' : String(tries)),
        leaves: 1
      },
      { name: 'next_try_at', value: (item) => item.next_try_at, format: (item) => nextTryText(item, now), leaves: 2 },
      { name: 'error', value: ({ error }) => error, flexible: true },
      {
        name: 'changed_at',
        value: (item) => item.changed_at,
        format: (item) => shortTime(item.changed_at),
        pipeOnly: true
      },
      { name: 'cooling_down', value: (item) => item.cooling_down, pipeOnly: true },
      { name: 'url', value: ({ url }) => url, pipeOnly: true }
    ],
    json: (item) => item
  }
}

/** Formats the next retry: `in 2 min`, `due now`, or `cooling down, in 58 min` if all retries failed. */
function nextTryText({ next_try_at, cooling_down }: SyncItem, now: number): string {
  if (next_try_at === null) return ''
  const until = untilWords(next_try_at, now)
  return cooling_down && until !== 'due now' ? `cooling down, ${until}` : until
}
