import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type GetPromptResult,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerContext
} from '@modelcontextprotocol/server'

/** The server that the conformance suite describes, for its scenarios that name a tool, resource or prompt. */
export function createConformanceServer(): Server {
  const server = new Server(
    { name: 'conformance', version: '1' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} },
      requestState: { verify: STATES.verify }
    }
  )
  const inputSchema = { type: 'object' as const }
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema }))
  }))
  server.setRequestHandler('tools/call', ({ params: { name } }, context) => find(TOOLS, name)(context))
  server.setRequestHandler('resources/list', () => ({
    resources: Object.keys(RESOURCES).map((uri) => ({ uri, name: uri, description: uri }))
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'data' }]
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => readResource(uri))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({ name, description: name }))
  }))
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }, context) =>
    find(PROMPTS, name)(context, given)
  )
  server.setRequestHandler('completion/complete', () => ({ completion: { values: ['paris', 'park'], hasMore: false } }))
  server.setRequestHandler('logging/setLevel', () => ({}))
  return server
}

function find<Value>(table: Readonly<Record<string, Value>>, name: string): Value {
  const found = table[name]
  if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown name: ${name}`)
  return found
}

/** States are signed, so that a changed one is refused before a tool is called. */
const STATES = createRequestStateCodec<string>({ key: 'the key of a test, which has 32 bytes' })

/** A picture of one pixel, and a recording without samples. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (content: string) => ({ type: 'text' as const, text: content })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, content: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content }
})
const user = <Content>(content: Content) => ({ role: 'user' as const, content })

const ask = (message: string, property: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [property]: { type: 'string' } }, required: [property] }
  })
const sample = (prompt: string) => inputRequired.createMessage({ messages: [user(text(prompt))], maxTokens: 100 })
const CONFIRM = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
})

type Envelope = { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined

type Tool = (
  context: ServerContext
) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>

/** Returns a tool that asks for input, and answers when it has all. With `state`, also when the state comes back. */
function asking(inputRequests: InputRequests, answer: string, state?: string): Tool {
  return async ({ mcpReq }) => {
    const given = mcpReq.inputResponses ?? {}
    const isComplete = Object.keys(inputRequests).every((key) => given[key] !== undefined)
    if (isComplete && mcpReq.requestState() === state) return { content: [text(answer)] } as never
    return inputRequired({ inputRequests, ...(state !== undefined && { requestState: await STATES.mint(state) }) })
  }
}

type Properties = ElicitRequestFormParams['requestedSchema']['properties']

/** Returns a tool that asks the user during the call, as revisions before 2026-07-28 allow. */
function eliciting(properties: Properties): Tool {
  return async ({ mcpReq }) => {
    const requestedSchema = { type: 'object' as const, properties }
    const { action, content } = await mcpReq.elicitInput({ message: 'Please fill in the form', requestedSchema })
    return { content: [text(`${action}: ${JSON.stringify(content)}`)] }
  }
}

const VALUES = ['option1', 'option2', 'option3']
const TITLED = ['value1', 'value2', 'value3'].map((value) => ({ const: value, title: `Title of ${value}` }))

const TOOLS: Readonly<Record<string, Tool>> = {
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const line of ['started', 'processing data', 'completed']) await mcpReq.log('info', `Tool ${line}`)
    return { content: [text('Three lines were logged.')] }
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0
    for (const progress of [0, 50, 100])
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    return { content: [text('The work is done.')] }
  },
  test_sampling: async ({ mcpReq }) => {
    const messages = [user(text('Which colour is the sky?'))]
    const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 })
    return { content: [text(`LLM response: ${JSON.stringify(content)}`)] }
  },
  test_elicitation: eliciting({ username: { type: 'string' }, email: { type: 'string' } }),
  test_elicitation_sep1034_defaults: eliciting({
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true }
  }),
  test_elicitation_sep1330_enums: eliciting({
    untitledSingle: { type: 'string', enum: VALUES },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: VALUES } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } }
  }),
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')]
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')
    ]
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true
  }),
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  },
  test_streaming_elicitation: asking({ user_name: ask('What is your name?', 'name') }, 'Hello!'),
  test_logging_tool: () => ({ content: [text('Nothing was logged.')] }),
  test_input_required_result_elicitation: asking({ user_name: ask('What is your name?', 'name') }, 'Hello, Alice!'),
  test_input_required_result_sampling: asking({ capital_question: sample('What is the capital of France?') }, 'Paris'),
  test_input_required_result_list_roots: asking({ client_roots: inputRequired.listRoots() }, 'The roots are known.'),
  test_input_required_result_request_state: asking({ confirm: CONFIRM }, 'state-ok', 'asked'),
  test_input_required_result_tampered_state: asking({ confirm: CONFIRM }, 'state-ok', 'asked'),
  test_input_required_result_multiple_inputs: asking(
    {
      user_name: ask('What is your name?', 'name'),
      greeting: sample('Generate a greeting'),
      client_roots: inputRequired.listRoots()
    },
    'Hello!',
    'asked'
  ),
  test_input_required_result_multi_round: (context) =>
    context.mcpReq.requestState() === undefined
      ? asking({ step1: ask('Step 1: What is your name?', 'name') }, '', 'first')(context)
      : context.mcpReq.requestState() === 'first'
        ? asking({ step2: ask('Step 2: What is your favorite color?', 'color') }, '', 'second')(context)
        : { content: [text('Alice likes blue.')] },
  test_input_required_result_capabilities: ({ mcpReq: { envelope } }) => {
    // The library types the envelope as text keys, and validates it before the call.
    const { sampling, elicitation } = (envelope as Envelope)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
    return inputRequired({
      inputRequests: {
        ...(sampling !== undefined && { greeting: sample('Generate a greeting') }),
        ...(elicitation !== undefined && { user_name: ask('What is your name?', 'name') })
      }
    })
  }
}

const RESOURCES: Readonly<Record<string, { mimeType: string; text: string } | { mimeType: string; blob: string }>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG }
}

function readResource(uri: string): ReadResourceResult {
  const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
  if (id === undefined) {
    const found = RESOURCES[uri]
    if (found === undefined) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, ...found }] }
  }
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { contents: [{ uri, mimeType: 'application/json', text: data }] }
}

type Prompt = (context: ServerContext, given: Readonly<Record<string, string>>) => GetPromptResult | InputRequiredResult

const PROMPTS: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: () => ({ messages: [user(text('This is a simple prompt for testing.'))] }),
  test_prompt_with_arguments: (_context, { arg1 = '', arg2 = '' }) => ({
    messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))]
  }),
  test_prompt_with_embedded_resource: (_context, { resourceUri = '' }) => ({
    messages: [
      user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.'))
    ]
  }),
  test_prompt_with_image: () => ({ messages: [user(image), user(text('Please analyze the image above.'))] }),
  test_input_required_result_prompt: ({ mcpReq: { inputResponses } }) =>
    inputResponses?.user_context === undefined
      ? inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } })
      : { messages: [user(text('The context is known.'))] }
}
