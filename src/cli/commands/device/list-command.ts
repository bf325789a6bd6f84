import { Fault } from '../../../contract/faults.ts'
import type { ListOptions } from '../../../device/device.ts'
import { defineCommand, untilStopped } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, integerOption, textOption } from '../../input/command-line.ts'
import { parseTime } from '../../input/parse-time.ts'
import { openSnapshot } from '../../snapshots/open-snapshot.ts'
import { RECORD_LIST } from '../../views/record-list.ts'
import { throwIfDamaged } from '../../views/throw-if-damaged.ts'

export const listCommand = defineCommand<ListOptions>({
  name: 'list',
  summary: 'List memories in chronological order',
  options: [
    { flags: '--limit <n>', about: 'only the newest n memories' },
    { flags: '--since <time>', about: 'only memories from this time on: ISO 8601, or 2h for two hours ago' },
    { flags: '--until <time>', about: 'only memories before this time' },
    { flags: '--speaker <name>', about: 'only memories of this speaker' },
    { flags: '--conversation <id>', about: 'only memories of this conversation' }
  ],
  examples: ['memctl device list --limit 20', 'memctl device list --since 2d --jsonl'],
  pages: () => true,
  leaves: 'Nothing was changed',
  parse: parseList,
  run: async (context, options) => {
    await openSnapshot(context, async (device) => {
      const { records, damaged } = device.list(withTimes(context, options))
      await context.answer.list(untilStopped(records, context.world.terminal.interrupted), RECORD_LIST)
      await throwIfDamaged(context, damaged, device.path)
    })
  }
})

function parseList({ words, options }: CommandLine): ListOptions {
  if (words.length > 0)
    throw new Fault('usage', 'list takes no arguments', { hint: 'to find memories, use memctl device search QUERY' })
  return {
    limit: integerOption(options, 'limit', { least: 1, most: Number.MAX_SAFE_INTEGER }),
    since: textOption(options, 'since'),
    until: textOption(options, 'until'),
    speaker: textOption(options, 'speaker'),
    conversation: textOption(options, 'conversation')
  }
}

function withTimes({ world }: Context, options: ListOptions): ListOptions {
  const now = world.clock.now()
  return {
    ...options,
    since: options.since === undefined ? undefined : parseTime(options.since, '--since', now),
    until: options.until === undefined ? undefined : parseTime(options.until, '--until', now)
  }
}
