import type { Message } from '../../client/client.ts'
import { readFault } from '../../client/read-fault.ts'
import { readChunks, readText } from '../../client/read-text.ts'
import { Fault } from '../../contract/faults.ts'
import { defineCommand } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { type CommandLine, textOption, textsOption } from '../input/command-line.ts'
import { parseMetadata } from '../input/parse-metadata.ts'
import { readInputText } from '../input/read-input-text.ts'
import { addErrorHint } from '../service/add-error-hint.ts'
import { chooseServer } from '../service/choose-server.ts'
import { keyVariable } from '../service/find-key.ts'
import { replyText } from '../views/reply-text.ts'

type Options = { method: string; path: string; fields: string[]; input: string | undefined }

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export const apiCommand = defineCommand<Options>({
  name: 'api',
  summary: 'Send a request to any path of the server',
  words: [
    { name: '<method>', about: `one of ${METHODS.join(', ')}` },
    { name: '<path>', about: 'path on the server, for example /v1/collections' }
  ],
  options: [
    {
      flags: '-f, --field <k=v>',
      about: 'member of the JSON body, or query parameter of a GET: k=text or k:=JSON',
      repeat: true
    },
    { flags: '--input <file>', about: 'file that contains the body; - is stdin, and NAME.jsonl is sent as JSON Lines' }
  ],
  about:
    'Prints the body of the reply unchanged. The exit code depends on the HTTP status. The API key is sent only to the server that ' +
    'the settings name, as with every command.',
  examples: [
    'memctl api GET /v1/collections',
    'memctl api POST /v1/memories/search -f query=deadline -f \'collection_ids:=["018f3a…"]\'',
    'memctl api POST /v1/device-memory/snapshot/import --input notes.mem.jsonl'
  ],
  leaves: 'The server may have processed the request: check its state',
  parse: parseApi,
  run: async (context, options) => {
    const message = await buildMessage(context, options)
    const client = await context.client()
    const response = await client.send(message)
    if (response.ok) return await answerBody(context, response)
    await refuse(context, response)
  }
})

function parseApi({ words: [given = '', path = ''], options }: CommandLine): Options {
  const method = given.toUpperCase()
  const fields = textsOption(options, 'field')
  const input = textOption(options, 'input')
  if (!METHODS.includes(method))
    throw new Fault('usage', `invalid method '${given}': expected ${METHODS.join(', ')}`, {
      hint: 'memctl api GET /v1/collections'
    })
  if (fields.length > 0 && input !== undefined)
    throw new Fault('usage', '--field and --input cannot be used together', { hint: 'give one of them' })
  if (input !== undefined && !takesBody(method))
    throw new Fault('usage', `${method} requests cannot have a body`, { hint: 'pass query parameters with --field' })
  return { method, path, fields, input }
}

function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** Maximum size of a body in bytes, because it is kept in memory. */
const BODY_BYTES_MAX = 256 << 20

async function buildMessage(context: Context, { method, path, fields, input }: Options): Promise<Message> {
  if (input !== undefined) {
    const type = input.endsWith('.jsonl') ? 'application/jsonl' : 'application/json'
    return {
      method,
      path,
      body: { bytes: Buffer.from(await readInputText(context.world, input, BODY_BYTES_MAX)), type }
    }
  }
  if (fields.length === 0) return { method, path }
  const { parseJson } = await context.device()
  const members = parseMetadata(fields, parseJson, '--field') ?? {}
  if (!takesBody(method)) return { method, path: withQuery(path, members) }
  return { method, path, body: { bytes: Buffer.from(JSON.stringify(members)), type: 'application/json' } }
}

function withQuery(path: string, members: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members))
    query.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

/** Sends a reply to a pipe unchanged, and formats it for a terminal or for `--fields`. */
async function answerBody(context: Context, response: Response): Promise<void> {
  const { answer, flags, world } = context
  // A terminal never gets the bytes themselves, because they may contain control sequences.
  if (world.terminal.output.isTerminal || flags.fields !== undefined)
    return await answer.raw(await formatBody(context, response))
  for await (const chunk of readChunks(response)) {
    if (!answer.isWanted()) return
    await answer.raw(chunk)
  }
}

async function formatBody({ flags, world }: Context, response: Response): Promise<string> {
  return replyText(await readText(response, BODY_BYTES_MAX), {
    fields: flags.fields,
    indent: world.terminal.output.isTerminal ? 2 : 0
  })
}

/** Throws the fault of a failed request. In JSON mode stdout stays empty; otherwise it gets the body of the reply. */
async function refuse({ answer, settings, world, modules }: Context, response: Response): Promise<never> {
  const { status, headers } = response
  const text = await readText(response, BODY_BYTES_MAX)
  if (answer.mode === 'table') await answer.raw(replyText(text, { fields: undefined, indent: 2 }))
  else if (answer.mode === 'tsv') await answer.raw(text)
  const server = chooseServer(settings)
  const fault = await readFault(new Response(text, { status, headers }))
  throw await addErrorHint({ world, modules }, server, { fault, key: undefined, variable: keyVariable(world, server) })
}
