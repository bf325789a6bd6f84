import type { Context } from '../context.ts'

/** Letters of a name that a file gets; with `.mem.jsonl` no file system finds it too long. */
const NAME_LETTERS_MAX = 60

/** The file for an export where none is named: called as the collection is, as far as a file may be called so. */
export async function exportFileName(context: Context, collectionId: string): Promise<string> {
  const client = await context.client()
  const { name } = await client.getCollection({ params: { collection_id: collectionId } })
  return `${fileStem(name) || collectionId}.mem.jsonl`
}

/** What every file system takes, and no shell or path reads otherwise. */
function fileStem(name: string): string {
  const plain = name.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '-')
  return [...plain.replace(/^[-.]+/, '')]
    .slice(0, NAME_LETTERS_MAX)
    .join('')
    .replace(/[-.]+$/, '')
}
