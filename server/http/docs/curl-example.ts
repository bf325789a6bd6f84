import type { OpenApi, Operation } from '../openapi/open-api.ts'
import { sampleValue } from '../openapi/sample-value.ts'

export type Called = { method: string; path: string; operation: Operation }

/** An id of the kind that the server gives. */
const SAMPLE_ID = '01980a7c-5e00-7000-8000-2b7e151628ae'

/** A call as somebody would type it, with a key in a variable, what its address needs, and a body that fits. */
export function curlExample({ method, path, operation }: Called, document: OpenApi, origin: string): string {
  const samples = { schemas: document.components.schemas, uuid: SAMPLE_ID }
  const sample: Sample = (schema) => sampleValue(schema, samples)
  return [
    `curl -sS ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${address(origin, path, { operation, sample })}`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $MEMCTL_API_KEY"'] : []),
    ...bodyParts(operation, sample)
  ].join(' \\\n  ')
}

function address(
  origin: string,
  path: string,
  { operation, sample }: { operation: Operation; sample: Sample }
): string {
  const needed = (operation.parameters ?? []).filter(({ required }) => required)
  const values = new Map(needed.map(({ name, schema }) => [name, encodeURIComponent(String(sample(schema)))]))
  const filled = path.replaceAll(/\{([^}]*)\}/g, (_, name: string) => values.get(name) ?? name)
  const query = needed.filter((one) => one.in === 'query').map(({ name }) => `${name}=${values.get(name)}`)
  return query.length === 0 ? `${origin}${filled}` : `'${origin}${filled}?${query.join('&')}'`
}

type Sample = (schema: Parameters<typeof sampleValue>[0]) => unknown

/** A file of lines where they are taken, else JSON on the command line. */
function bodyParts({ requestBody }: Operation, sample: Sample): string[] {
  if (!requestBody) return []
  // What may be left out is, as most callers do.
  if (!requestBody.required) return []
  const { 'application/json': json, 'application/jsonl': lines, [FORM]: form } = requestBody.content
  if (form) return formParts(sample(form.schema) as Record<string, string>)
  if (lines) return [`-H 'Content-Type: application/jsonl'`, '--data-binary @notes.mem.jsonl']
  return json ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(sample(json.schema)))}`] : []
}

const FORM = 'application/x-www-form-urlencoded'

function formParts(fields: Record<string, string>): string[] {
  return Object.entries(fields).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
