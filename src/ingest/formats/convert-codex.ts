import { readTime, takeFiles, toMessageItem } from '../lines/chat-message.ts'
import { readContentBlocks } from '../lines/content-blocks.ts'
import { isMembers, type JsonMembers, readJsonLines, readText } from '../lines/read-json.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'
import type { LossReason } from '../port/losses.ts'

/** Session files in `~/.codex/sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl`, one JSON object a line. */
export const CODEX_FACTS: FormatFacts = {
  id: 'codex',
  name: 'sessions of Codex',
  markers: [
    { path: /\.jsonl$/i, head: [/"type"\s*:\s*"(session_meta|response_item)"/, /"payload"\s*:/] },
    { path: /(^|\/)rollout-[^/]*\.jsonl$/i }
  ],
  edits: 'none'
}

/** Converts each message of the sessions that has words of the user or of Codex. */
export async function* convertCodex(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const isSession = ({ path }: TreeFile) => /\.jsonl$/i.test(path) || tree.files.length === 1
  yield* takeFiles(tree, given, (file) => (isSession(file) ? convertFile(file, given) : undefined))
}

/** The session that the lines of a file belong to. */
type Session = { id: string; cwd: string | undefined; at: number | undefined }

async function* convertFile(file: TreeFile, given: Given): AsyncGenerator<Item> {
  const { path } = file
  const [name = path] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(path) ?? []
  let session: Session = { id: name, cwd: undefined, at: undefined }
  let position = 0
  for await (const part of readJsonLines(file)) {
    position += 1
    const id = `${session.id}#${position}`
    if (!('object' in part)) {
      yield { kind: 'message', path: `${path}:${position}`, leftOut: 'malformed' }
      continue
    }
    session = updateSession(session, part.object)
    yield* convertLine(part.object, { path, id, position, session }, given)
  }
}

/** The first line describes the session; in old files, it has no type. */
function updateSession(session: Session, line: JsonMembers): Session {
  const meta =
    line.type === 'session_meta' && isMembers(line.payload) ? line.payload : line.type === undefined ? line : {}
  return {
    id: readText(meta.id) ?? session.id,
    cwd: readText(meta.cwd) ?? session.cwd,
    at: readTime(line.timestamp) ?? session.at
  }
}

/** Texts that Codex writes in the name of the user. */
const CONTEXT =
  /^\s*(<(environment_context|user_instructions|permissions|INSTRUCTIONS|turn_aborted)|# AGENTS\.md instructions)/

type Place = { path: string; id: string; position: number; session: Session }

function* convertLine(line: JsonMembers, { path, id, position, session }: Place, given: Given): Generator<Item> {
  const message = line.type === 'response_item' && isMembers(line.payload) ? line.payload : line
  const { text, losses } = readContentBlocks(message.type === 'message' ? message.content : undefined)
  const leftOut = findLoss(line, message, text)
  if (leftOut === 'repeated') yield { kind: 'message', path: id, merged: true }
  else if (leftOut !== undefined)
    yield { kind: 'message', path: id, leftOut: leftOut === 'empty' ? (losses[0] ?? leftOut) : leftOut }
  else {
    const speaker = message.role === 'user' ? (given.me ?? 'user') : 'Codex'
    const { id: conversation, at, cwd } = session
    const about = { format: CODEX_FACTS.id, path, conversation, id, speaker, at, position, text }
    yield toMessageItem({ ...about, ...(cwd && { more: { cwd: cwd.toWellFormed() } }) })
    for (const reason of losses) yield { kind: 'block', path: id, leftOut: reason }
  }
}

/** Kinds of lines without words, by the end of the name. */
const LINE_LOSSES: readonly (readonly [RegExp, LossReason])[] = [
  [/_output$/, 'tool_result'],
  [/_call$/, 'tool_call'],
  [/^reasoning$/, 'thinking']
]

function findLoss(line: JsonMembers, message: JsonMembers, text: string): LossReason | 'repeated' | undefined {
  const event = line.type === 'event_msg' && isMembers(line.payload) ? String(line.payload.type) : undefined
  // The events of messages repeat what the response items have.
  if (event !== undefined) return /^(user|agent)_message$/.test(event) ? 'repeated' : 'system'
  if (message.type !== 'message')
    return LINE_LOSSES.find(([pattern]) => pattern.test(String(message.type)))?.[1] ?? 'system'
  if ((message.role !== 'user' && message.role !== 'assistant') || CONTEXT.test(text)) return 'system'
  return text.trim() === '' ? 'empty' : undefined
}
