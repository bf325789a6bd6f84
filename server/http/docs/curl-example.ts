import type { OpenApi, Operation } from '../openapi/open-api.ts'
import { sampleValue } from '../openapi/sample-value.ts'

export type Called = { method: string; path: string; operation: Operation }

/** An id of the kind that the server gives. */
const SAMPLE_ID = '01980a7c-5e00-7000-8000-2b7e151628ae'

/** A call as somebody would type it, with a key in a variable and a body that fits. */
export function curlExample({ method, path, operation }: Called, document: OpenApi, origin: string): string {
  const samples = { schemas: document.components.schemas, uuid: SAMPLE_ID }
  const filled = path.replaceAll(/\{[^}]*\}/g, SAMPLE_ID)
  return [
    `curl -sS ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${origin}${filled}`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $MEMCTL_API_KEY"'] : []),
    ...bodyParts(operation, (schema) => sampleValue(schema, samples))
  ].join(' \\\n  ')
}

type Sample = (schema: Parameters<typeof sampleValue>[0]) => unknown

/** A file of lines where they are taken, else JSON on the command line. */
function bodyParts({ requestBody }: Operation, sample: Sample): string[] {
  if (!requestBody) return []
  const { 'application/json': json, 'application/jsonl': lines } = requestBody.content
  if (lines) return [`-H 'Content-Type: application/jsonl'`, '--data-binary @notes.mem.jsonl']
  return json ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(sample(json.schema)))}`] : []
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
