import { type DriveNode, FOLDER_TYPE } from './content.ts'

/** What of a file its place in a list depends on: enough to go on behind a file that is gone. */
export type Placed = Pick<DriveNode, 'id' | 'name' | 'mimeType' | 'createdAt' | 'modifiedAt'> & { size: number }

export type Order = (a: Placed, b: Placed) => number

/**
 * Reads `orderBy` (https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list): keys with commas between them, each with
 * ` desc` or not. Files that are alike by all of them stand in the order of their ids. Undefined where it names another key.
 */
export function readOrder(text: string): Order | undefined {
  const orders: Order[] = []
  for (const part of text === '' ? [] : text.split(',')) {
    const [, key = '', desc] = /^\s*(\w+)(\s+desc)?\s*$/.exec(part) ?? []
    const order = Object.hasOwn(ORDERS, key) ? ORDERS[key] : undefined
    if (order === undefined) return undefined
    orders.push(desc === undefined ? order : (a, b) => order(b, a))
  }
  const all = [...orders, by(({ id }) => id)]
  return (a, b) => all.map((order) => order(a, b)).find((found) => found !== 0) ?? 0
}

/** The place of a file. */
export function placeOf({ id, name, mimeType, createdAt, modifiedAt, bytes, size }: DriveNode): Placed {
  return { id, name, mimeType, createdAt, modifiedAt, size: size ?? bytes.length }
}

/** Nobody has opened, starred or shared anything here: by these keys all files are alike. */
const ALIKE: Order = () => 0
const NATURAL = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const ORDERS: Readonly<Record<string, Order>> = {
  createdTime: by(({ createdAt }) => createdAt),
  folder: by(({ mimeType }) => (mimeType === FOLDER_TYPE ? 0 : 1)),
  modifiedByMeTime: by(({ modifiedAt }) => modifiedAt),
  modifiedTime: by(({ modifiedAt }) => modifiedAt),
  name: by(({ name }) => name.toLowerCase()),
  name_natural: (a, b) => NATURAL.compare(a.name, b.name),
  quotaBytesUsed: by(({ size }) => size),
  recency: by(({ modifiedAt }) => modifiedAt),
  sharedWithMeTime: ALIKE,
  starred: ALIKE,
  viewedByMeTime: ALIKE
}

function by(value: (of: Placed) => string | number): Order {
  return (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0)
}
