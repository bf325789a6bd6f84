import { Fault } from '../contract/faults.ts'
import { chooseDocumentType } from '../documents/choose-document-type.ts'
import { FORMATS } from './formats.ts'
import { type FileTree, readHead, TreeError, type TreeFile } from './port/file-tree.ts'
import { type Format, HEAD_BYTES, type Marker } from './port/format.ts'

/** Maximum number of files that are examined for each marker. */
const LOOKED_INTO_MAX = 20

/**
 * Returns the format with an id.
 * @throws Fault `usage` if there is none.
 */
export function findFormat(id: string): Format {
  const format = FORMATS.find(({ facts }) => facts.id === id)
  if (format !== undefined) return format
  throw new Fault(
    'usage',
    `unknown format '${id}': expected one of ${FORMATS.map(({ facts }) => facts.id).join(', ')}`,
    {
      hint: 'omit --from to detect the format'
    }
  )
}

/**
 * Detects the format of a tree by its content.
 * @throws Fault `usage` that names the candidates, if there are several.
 */
export async function detectFormat(tree: FileTree): Promise<Format> {
  const heads = new Map<TreeFile, string>()
  const found: Format[] = []
  for (const format of FORMATS) if (await hasMarker(tree, format.facts.markers, heads)) found.push(format)
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  if (first === undefined) return chooseGeneral(tree)
  const ids = found.map(({ facts }) => facts.id)
  throw new Fault('usage', `the input looks like ${found.map(({ facts }) => facts.name).join(' and like ')}`, {
    hint: `name the format: memctl device ingest PATH --from ${ids[0]}, or --from ${ids.slice(1).join(' or --from ')}`,
    next: ids.map((id) => `memctl device ingest PATH --from ${id}`)
  })
}

async function hasMarker(
  { files }: FileTree,
  markers: readonly Marker[],
  heads: Map<TreeFile, string>
): Promise<boolean> {
  for (const { path, head } of markers) {
    const candidates = files.filter((file) => path.test(file.path))
    if (head === undefined && candidates.length > 0) return true
    for (const file of candidates.slice(0, LOOKED_INTO_MAX)) {
      const text = heads.get(file) ?? (await readHeadText(file))
      heads.set(file, text)
      if (head?.every((one) => one.test(text))) return true
    }
  }
  return false
}

async function readHeadText(file: TreeFile): Promise<string> {
  try {
    return new TextDecoder().decode(await readHead(file, HEAD_BYTES))
  } catch (error) {
    if (error instanceof TreeError) return ''
    throw error
  }
}

/** Returns the first general format that reads at least half of the files that can be read at all. */
function chooseGeneral({ files }: FileTree): Format {
  const readable = files.filter(({ path }) => 'type' in chooseDocumentType({ mimeType: '', name: path }))
  const general = FORMATS.filter(({ facts }) => facts.general !== undefined)
  const fits = ({ facts }: Format): boolean =>
    readable.filter(({ path }) => facts.general?.test(path)).length * 2 >= readable.length
  const chosen = general.find(fits) ?? general.at(-1)
  if (chosen === undefined) throw new Error('no general format exists')
  return chosen
}
