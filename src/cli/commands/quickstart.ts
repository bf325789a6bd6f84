import { join } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { MemoryResponse } from '../../contract/memory-response.ts'
import type { BatchReport } from '../../device/types.ts'
import { defineCommand } from '../command.ts'
import type { Context } from '../context.ts'
import { refusedBySystem } from '../input/read-file.ts'
import { counted, shellWord } from '../output/short-forms.ts'
import { SAMPLE_QUESTIONS, SAMPLE_TURNS } from '../quickstart/sample.ts'
import { firstLines, lastLines, stepLines } from '../quickstart/steps.ts'
import { SNAPSHOT_NAME } from '../settings/choose-snapshot.ts'
import { groupOrder } from '../views/group-order.ts'
import { responseLines } from '../views/response-lines.ts'
import { lockOptions } from './device/open-snapshot.ts'

export const quickstart = defineCommand<Record<string, never>>({
  name: 'quickstart',
  summary: 'see it work: store a sample conversation, search it with the network off',
  options: [],
  about: 'Works in a fresh folder for temporary files, touches none of your own memories, and can be run again.',
  leaves: 'What it made is in a folder of its own and can be deleted',
  parse: () => ({}),
  run: async (context) => {
    const { answer } = context
    const paths = makeFolder(context)
    await answer.story((page) => firstLines(shellWord(paths.folder), page))
    const report = await keepSample(context, paths)
    const searches: Search[] = []
    for (const query of SAMPLE_QUESTIONS) searches.push(await searchOffline(context, paths.snapshot, query))
    await answer.story((page) => lastLines(page))
    if (answer.mode === 'json' || answer.mode === 'jsonl') {
      await answer.jsonLine({ snapshot: paths.snapshot, stored: report.stored, searches })
    }
  }
})

type Search = { query: string; response: MemoryResponse }

/** Entries that each question shows. */
const LIMIT = 2

const BATCH_NAME = 'sample.jsonl'

type Paths = { folder: string; snapshot: string; batch: string }

function makeFolder({ world }: Context): Paths {
  const folder = join(world.folders.temporary, `memctl-quickstart-${world.ids.randomHex(4)}`)
  refusedBySystem(folder, () => world.files.makeFolders(folder))
  return { folder, snapshot: join(folder, SNAPSHOT_NAME), batch: join(folder, BATCH_NAME) }
}

/** Makes the snapshot and stores the sample, as the shown commands do. */
async function keepSample(context: Context, { snapshot, batch }: Paths): Promise<BatchReport> {
  const { world, answer } = context
  const room = await context.device()
  await answer.story((page) => stepLines('Make an empty snapshot.', 'memctl device init', page))
  await room.create(world, snapshot, {})
  refusedBySystem(batch, () => writeFile(context, batch))
  const what = `Store a conversation of ${counted(SAMPLE_TURNS.length, 'turn')}, each a memory of its own.`
  const command = `memctl device store --batch ${BATCH_NAME}`
  await answer.story((page) => stepLines(what, command, page))
  const device = room.open(world, snapshot, lockOptions(context))
  try {
    const report = await device.storeBatch({ file: batch }, { signal: world.terminal.interrupted })
    const milliseconds = Math.max(1, Math.round(report.seconds * 1000))
    await answer.story(() => [[`  stored ${counted(report.stored, 'memory', 'memories')} in ${milliseconds} ms`], []])
    return report
  } finally {
    device.close()
  }
}

function writeFile({ world }: Context, path: string): void {
  const bytes = Buffer.from(SAMPLE_TURNS.map((turn) => `${JSON.stringify(turn)}\n`).join(''))
  const fd = world.files.open(path, 'create', 0o600)
  try {
    for (let done = 0; done < bytes.length; ) done += world.files.write(fd, bytes.subarray(done))
  } finally {
    world.files.close(fd)
  }
}

/** Asks in a child process in which every use of the network throws, and shows what it answered. */
async function searchOffline({ world, answer }: Context, snapshot: string, query: string): Promise<Search> {
  const args = ['device', 'search', query, '--limit', String(LIMIT)]
  const command = `memctl ${args.map(shellWord).join(' ')}`
  await answer.story((page) => stepLines('Search it, in a process that cannot use the network.', command, page))
  const { exitCode, stdout, stderr } = await world.processes.runSelfOffline(
    [...args, '--snapshot', snapshot, '--json'],
    {}
  )
  if (exitCode !== 0) throw new Fault('internal', `the search without network failed: ${stderr.trim()}`)
  const response = JSON.parse(stdout) as MemoryResponse
  await answer.story((page) => [
    ...responseLines({ response, groups: groupOrder(response).shown, placesIn: () => [] }, page),
    []
  ])
  return { query, response }
}
