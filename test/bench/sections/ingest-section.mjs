import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeChatGptExport, writeMbox, writeNotes } from '../ingest-inputs.mjs'
import { table } from '../results-file.mjs'
import { benchFolder, runMemctl } from '../run-process.mjs'
import { sized } from '../sized.mjs'

const NOTES = sized({ count: 2000, bytes: 10_000_000 }, { count: 10, bytes: 20_000 })
const ROUNDS = sized(5, 1)
const AGAIN = sized(2, 0)
const CHAT_BYTES = sized(200_000_000, 20_000)
const MBOX_BYTES = sized(2_000_000_000, 20_000)

/** Measures imports as complete processes, each with extraction and all memories on the disk. */
export const ingestSection = {
  title: 'Ingesting notes, a chat export and mail',
  async run() {
    const bench = benchFolder()
    const create = (name) => {
      const path = join(bench.folder, `${name}.mem.jsonl`)
      runMemctl(['device', 'init', path], bench.env)
      return (input) => {
        const { ms, mb, stdout } = runMemctl(['ingest', input, '--snapshot', path, '--json'], bench.env)
        return { ms, mb, report: JSON.parse(stdout) }
      }
    }
    const rows = [...measureNotes(bench, create('notes')), ...measureLarge(bench, create)]
    bench.remove()
    return table([['what', 's', 'peak MB', 'memories stored'], ...rows])
  }
}

function measureNotes(bench, ingest) {
  const folder = join(bench.folder, 'notes')
  const paths = writeNotes(folder, NOTES)
  const first = ingest(folder)
  // Files that were changed within the last two seconds are read again.
  for (let again = 0; again < AGAIN; again++) ingest(folder)
  const same = Array.from({ length: ROUNDS }, () => ingest(folder))
  const edited = Array.from({ length: ROUNDS }, (_, round) => {
    appendFileSync(paths[round * 7] ?? '', `\nThe heron came back in round ${round}.\n`)
    return ingest(folder)
  })
  return [
    row(`${NOTES.count} Markdown notes of ${NOTES.bytes / 1e6} MB`, first),
    row('again, nothing changed', median(same)),
    row('again, one note edited', median(edited))
  ]
}

function measureLarge(bench, create) {
  const chats = join(bench.folder, 'chats')
  const mail = join(bench.folder, 'mail')
  for (const folder of [chats, mail]) mkdirSync(folder)
  writeChatGptExport(join(chats, 'conversations.json'), CHAT_BYTES)
  writeMbox(join(mail, 'All mail.mbox'), MBOX_BYTES)
  return [
    row(`a ChatGPT export of ${CHAT_BYTES / 1e6} MB`, create('chats')(chats)),
    row(`an mbox of ${MBOX_BYTES / 1e6} MB`, create('mail')(mail))
  ]
}

function row(what, { ms, mb, report }) {
  return [what, (ms / 1000).toFixed(2), mb.toFixed(0), String(report.stored)]
}

function median(runs) {
  return runs.toSorted((one, other) => one.ms - other.ms)[Math.floor(runs.length / 2)]
}
