import type { Client } from '../../../client/client.ts'
import { Fault } from '../../../contract/faults.ts'
import type { SyncItem } from '../../../contract/sync.ts'
import { defineCommand, type Given } from '../../command.ts'
import type { Context } from '../../context.ts'
import { integerOption, textOption, textsOption } from '../../input/option-values.ts'
import { connectionId, LOOK_IN_OPTION } from '../../service/find-connection.ts'
import { nextCommand } from '../../service/next-command.ts'
import { itemList } from '../../views/item-list.ts'
import { retryItems } from './retry-items.ts'
import { walkItems } from './walk-items.ts'

const STATUSES = ['synced', 'failed', 'skipped'] as const satisfies readonly SyncItem['status'][]

type Options = {
  id: string
  collection: string | undefined
  status: (typeof STATUSES)[number] | undefined
  limit: number
  /** Ids of items to try again, or all that failed. */
  retry: readonly string[] | 'failed'
}

const LIMIT = 100
const LIMIT_MAX = 1_000_000

export const listItems = defineCommand<Options>({
  name: 'items',
  summary: 'what was synced, failed or was left out; tries failed items again',
  words: [{ name: '<id>', about: 'the connection: its id, or the first 6 characters or more' }],
  options: [
    LOOK_IN_OPTION,
    { flags: '--status <status>', about: 'only those that are synced, failed or skipped' },
    { flags: '--limit <n>', about: `so many at most, in the order of their ids; ${LIMIT} by default` },
    { flags: '--retry <item>', about: 'try this failed item again now; give it once for each', repeat: true },
    { flags: '--retry-failed', about: 'try all failed items again now' }
  ],
  about:
    'An item is what the provider counts as one: a file, a message with its replies, a mail, a page. One that fails is tried again by ' +
    'itself, three times within minutes, then once in a while; what was synced of it before stays meanwhile.',
  examples: [
    'memctl connections items 018f3a --status failed',
    'memctl connections items 018f3a --status failed --json | jq -r .[].error',
    'memctl connections items 018f3a --retry-failed'
  ],
  leaves: 'Each item is due now or it is not: memctl connections items ID --status failed tells',
  parse: parseItems,
  run: async (context, options) => {
    const client = await context.client()
    const connection_id = await connectionId(context, options.id, options.collection)
    if (options.retry === 'failed' || options.retry.length > 0)
      return await answerRetried(context, connection_id, await retryItems(client, connection_id, options.retry))
    await answerItems(context, client, { ...options, id: connection_id })
  }
})

function parseItems({ words, options }: Given): Options {
  const named = textOption(options, 'status')
  const status = STATUSES.find((one) => one === named)
  if (named !== undefined && status === undefined)
    throw new Fault('usage', `--status '${named}' is unknown`, {
      hint: `give --status ${STATUSES.join(', --status ')}`
    })
  const limit = integerOption(options, 'limit', { least: 1, most: LIMIT_MAX })
  const one = textsOption(options, 'retry')
  const all = options.retryFailed === true
  if (one.includes('')) throw new Fault('usage', '--retry names no item', { hint: 'give the id of an item' })
  if (all && one.length > 0)
    throw new Fault('usage', '--retry and --retry-failed say different things', { hint: 'give one of them' })
  if ((all || one.length > 0) && (status !== undefined || limit !== undefined))
    throw new Fault('usage', '--status and --limit are for looking', { hint: 'leave them out beside --retry' })
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
  async function* counted(): AsyncGenerator<SyncItem> {
    for await (const item of walkItems(client, { connectionId: id, status, limit })) {
      count++
      yield item
    }
  }
  await context.answer.list(counted(), itemList(context.world.clock.now()))
  if (count === 0) await context.talk.note(status === undefined ? 'no item yet' : `no item is ${status}`)
  if (count === limit) await context.talk.note(`there may be more than ${limit.toLocaleString('en-US')}: --limit N`)
}

async function answerRetried(context: Context, id: string, items: readonly SyncItem[]): Promise<void> {
  if (items.length === 0) await context.talk.note('no item is failed')
  await context.answer.list(items, itemList(context.world.clock.now()))
  if (items.length > 0)
    await context.talk.hint(`${nextCommand(context, `memctl connections wait ${id} --for synced`)} waits for it`)
}
