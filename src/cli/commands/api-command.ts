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
    { name: '<path>', about: 'for example /v1/collections' }
  ],
  options: [
    {
      flags: '-f, --field <k=v>',
      about: 'a member of the JSON body, or of the query of a GET: k=text or k:=JSON',
      repeat: true
    },
    { flags: '--input <file>', about: 'the body is in a file; - is stdin. NAME.jsonl is sent as lines' }
  ],
  about:
    'Prints the body of the reply as it came; the exit code follows from its status. The key goes along, as with every\n' +
    'command, to the server that settings name and nowhere else.',
  examples: [
    'memctl api GET /v1/collections',
    'memctl api POST /v1/memories/search -f query=deadline -f \'collection_ids:=["018f3a…"]\'',
    'memctl api POST /v1/device-memory/snapshot/import --input notes.mem.jsonl'
  ],
  leaves: 'The server did what was asked or it did not: ask it',
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
    throw new Fault('usage', `'${given}' is no method`, { hint: `methods are: ${METHODS.join(', ')}` })
  if (fields.length > 0 && input !== undefined)
    throw new Fault('usage', '--field and --input exclude each other', { hint: 'give one of them' })
  if (input !== undefined && !takesBody(method))
    throw new Fault('usage', `a ${method} has no body`, { hint: 'give its query with --field' })
  return { method, path, fields, input }
}

function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** No body is larger: it is held as a whole. In bytes. */
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

/** To a pipe byte for byte as it comes; where somebody looks, or asked for fields, through a view. */
async function answerBody(context: Context, response: Response): Promise<void> {
  const { answer, flags, world } = context
  // A terminal is never given the bytes themselves, whatever form was asked for: they could drive it.
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

/** In JSON mode a failure leaves stdout empty; else the body is there for whoever wants more than its sentence. */
async function refuse({ answer, settings, world, modules }: Context, response: Response): Promise<never> {
  const { status, headers } = response
  const text = await readText(response, BODY_BYTES_MAX)
  if (answer.mode === 'table') await answer.raw(replyText(text, { fields: undefined, indent: 2 }))
  else if (answer.mode === 'tsv') await answer.raw(text)
  const server = chooseServer(settings)
  const fault = await readFault(new Response(text, { status, headers }))
  throw await addErrorHint({ world, modules }, server, { fault, key: undefined, variable: keyVariable(world, server) })
}
