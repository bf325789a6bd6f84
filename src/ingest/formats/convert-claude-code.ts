import { computeNativeId, createSeenIds, readTime, takeFiles, toMessageItem } from '../lines/chat-message.ts'
import { readContentBlocks } from '../lines/content-blocks.ts'
import { isMembers, type JsonMembers, readJsonLines, readText } from '../lines/read-json.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'

/** Session files in `~/.claude/projects/FOLDER/SESSION.jsonl`, one JSON object a line. */
export const CLAUDE_CODE_FACTS: FormatFacts = {
  id: 'claude_code',
  name: 'sessions of Claude Code',
  markers: [{ path: /\.jsonl$/i, head: [/"sessionId"\s*:/, /"(parentUuid|isSidechain)"\s*:/] }],
  edits: 'none'
}

type Work = { given: Given; isSeen: (conversation: string, id: string) => boolean }

/** Converts each line of the sessions that has words of the user or of Claude. */
export async function* convertClaudeCode(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const work = { given, isSeen: createSeenIds() }
  const isSession = ({ path }: TreeFile) => /\.jsonl$/i.test(path) || tree.files.length === 1
  yield* takeFiles(tree, given, (file) => (isSession(file) ? convertFile(file, work) : undefined))
}

async function* convertFile(file: TreeFile, work: Work): AsyncGenerator<Item> {
  let position = 0
  for await (const part of readJsonLines(file)) {
    position += 1
    if ('object' in part) yield* convertLine(part.object, { path: file.path, position }, work)
    else yield { kind: 'message', path: `${file.path}:${position}`, leftOut: 'malformed' }
  }
}

/** Texts that Claude Code writes in the name of the user. */
const COMMAND = /^\s*<(command-name|command-message|local-command-[a-z]+|system-reminder|bash-(input|stdout|stderr))>/

function* convertLine(
  line: JsonMembers,
  place: { path: string; position: number },
  { given, isSeen }: Work
): Generator<Item> {
  const { path, position } = place
  const id = readText(line.uuid) ?? computeNativeId(path, position, line.type)
  const conversation = readText(line.sessionId) ?? path
  if ((line.type !== 'user' && line.type !== 'assistant') || !isMembers(line.message)) {
    yield { kind: 'message', path: id, leftOut: 'system' }
    return
  }
  const { text, losses } = readContentBlocks(line.message.content)
  const hasWords = text.trim() !== ''
  const [only, ...others] = losses
  // A resumed session repeats the lines of the earlier one, with the same ids.
  if (isSeen('', id)) yield { kind: 'message', path: id, merged: true }
  else if (line.isSidechain === true) yield { kind: 'message', path: id, leftOut: 'other_branch' }
  else if (line.isMeta === true || COMMAND.test(text)) yield { kind: 'message', path: id, leftOut: 'system' }
  else if (hasWords) {
    const speaker = line.type === 'user' ? (given.me ?? 'user') : 'Claude'
    const cwd = readText(line.cwd)
    const about = {
      format: CLAUDE_CODE_FACTS.id,
      path,
      conversation,
      id,
      speaker,
      at: readTime(line.timestamp),
      position
    }
    yield toMessageItem({ ...about, text, ...(cwd && { more: { cwd: cwd.toWellFormed() } }) })
  } else yield { kind: 'message', path: id, leftOut: only ?? 'empty' }
  for (const reason of hasWords ? losses : others) yield { kind: 'block', path: id, leftOut: reason }
}
