import type { Body } from '../../../src/contract/endpoint.ts'
import type { SnapshotBytes, SnapshotEngine } from '../../recall/engine.ts'
import type { HttpSettings } from '../http-settings.ts'
import { type Schema, validateInput } from '../validate-input.ts'
import type { Visit } from '../visit.ts'
import type { Allowance } from './body-budget.ts'
import type { IdleWatch } from './idle-watch.ts'
import { type BodyForm, formOf } from './media-type.ts'
import { parseBody } from './parse-body.ts'
import { parseForm } from './parse-form.ts'
import { readBody } from './read-body.ts'

export type TakeParts = {
  engine: Pick<SnapshotEngine, 'readBody'>
  settings: Pick<HttpSettings, 'bodyBytesMax'>
  idle: IdleWatch
}

export type TakenBody = { body: unknown; snapshot: SnapshotBytes | undefined }

const NOTHING: TakenBody = { body: undefined, snapshot: undefined }

/** What a form of a page may have, in bytes. */
const FORM_BYTES_MAX = 64 * 1024

/**
 * The body of a request as its row wants it, and the snapshot in it.
 *
 * @throws Fault as `detectForm`, `readBody`, `parseBody` and `validateInput` do.
 */
export async function takeBody(
  parts: TakeParts,
  row: Body | undefined,
  { visit, allowance }: { visit: Visit; allowance: Allowance }
): Promise<TakenBody> {
  if (!row) return NOTHING
  const { request } = visit
  // Whether one that may be left out is there shows only when it is read: not every sender says how long it is.
  const told = row.optional ? undefined : formOf(request.headers, row)
  const { bodyBytesMax } = parts.settings
  const bytesMax = told === 'form' ? Math.min(FORM_BYTES_MAX, bodyBytesMax) : bodyBytesMax
  const bytes = await readBody(request, { bytesMax, idle: parts.idle, allowance, signal: visit.signal })
  visit.bytesIn = bytes.length
  if (row.optional && bytes.length === 0) return NOTHING
  return await parsed(parts, row, { bytes, form: told ?? formOf(request.headers, row) })
}

type Read = { bytes: Uint8Array; form: BodyForm }

async function parsed({ engine }: TakeParts, row: Body, { bytes, form }: Read): Promise<TakenBody> {
  if (form === 'form' && row.form)
    return { body: validateInput(row.form, parseForm(bytes), 'the form'), snapshot: undefined }
  if (form === 'lines' || !row.json) {
    return { body: undefined, snapshot: { bytes, from: 0, to: bytes.length, form: 'jsonl' } }
  }
  const { value, snapshot } = await parseBody(bytes, row, engine)
  return {
    body: validateInput(row.json as Schema, snapshot ? withoutRecords(value) : value, 'the body'),
    snapshot
  }
}

/** The engine judges records. The schema, which wants some, sees none. */
function withoutRecords(value: unknown): unknown {
  const body = value as { snapshot: object }
  return { ...body, snapshot: { ...body.snapshot, records: [] } }
}
