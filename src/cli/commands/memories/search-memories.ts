import { Fault } from '../../../contract/faults.ts'
import type { SearchOptions } from '../../../device/types.ts'
import { defineCommand, type Given } from '../../command.ts'
import type { Context } from '../../context.ts'
import { textsOption } from '../../input/option-values.ts'
import { SEARCH_OPTIONS, searchOptions, withTime } from '../../input/search-options.ts'
import { COLLECTION_OPTION, chooseCollection, collectionId } from '../../service/choose-collection.ts'
import { answerRemote } from '../../views/remote-response.ts'

type Options = { query: string; collections: string[]; search: SearchOptions }

export const searchMemories = defineCommand<Options>({
  name: 'search',
  summary: "find memories in the server's collections",
  words: [{ name: '[query...]', about: 'what to look for, in plain words' }],
  options: [
    { ...COLLECTION_OPTION, about: `${COLLECTION_OPTION.about}; several are ranked as one`, repeat: true },
    ...SEARCH_OPTIONS
  ],
  about:
    'Ranks as memctl device search ranks the exported snapshot. Facts that no longer hold are left out unless the query\n' +
    'asks by time or --as-of is given. With --json the answer is a MemoryResponse: semantics, procedures, episodes, sources.',
  examples: [
    'memctl memories search "where does Anna live"',
    'memctl memories search deadline -c 018f3a -c 018f4b --json'
  ],
  leaves: 'Searching changes nothing',
  parse: parseSearch,
  run: async (context, { query, collections, search }) => {
    const client = await context.client()
    const collection_ids = await collectionIds(context, collections)
    const options = withTime(search, context.world.clock.now())
    await answerRemote(context, options, ({ limit, groups, as_of, explain }) =>
      client.searchMemories({
        body: { query, collection_ids, limit, groups: groups && [...groups], as_of, explain }
      })
    )
  }
})

function parseSearch({ words, options }: Given): Options {
  if (words.length === 0)
    throw new Fault('usage', 'there is nothing to look for', { hint: 'memctl memories search "a question"' })
  return {
    query: words.join(' '),
    collections: textsOption(options, 'collection').flatMap((text) => text.split(',')),
    search: searchOptions(options)
  }
}

async function collectionIds(context: Context, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return [await chooseCollection(context, undefined)]
  const ids: string[] = []
  for (const one of given) ids.push(await collectionId(context, one))
  return [...new Set(ids)]
}
