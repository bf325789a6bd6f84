import { html } from 'hono/html'
import type { JsonSchema } from '../../../src/contract/json-schema.ts'
import type { ApiResponse, Content, OpenApi, Operation } from '../openapi/open-api.ts'
import { resolve } from '../openapi/sample-value.ts'
import { type Called, curlExample } from './curl-example.ts'
import { inlineCode, type Markup, paragraphs } from './inline-code.ts'
import { givenMembers, parameterList, sentMembers } from './member-list.ts'
import { typeText } from './type-text.ts'

/** All there is to know of one endpoint. */
export function operationSection(called: Called, document: OpenApi, origin: string): Markup {
  const { method, path, operation } = called
  const { operationId, summary, description = '', parameters = [] } = operation
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title"><a href="#${operationId}">${summary}</a></h3>
<p class="line"><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${path}</code> ${access(operation)}</p>
${paragraphs(description)}
${parameters.length === 0 ? '' : html`<h4>Address</h4>${parameterList(parameters)}`}
${bodyPart(operation, document)}
<h4>Example</h4>
<pre tabindex="0" role="region" aria-label="Example for ${operationId}"><code>${curlExample(called, document, origin)}</code></pre>
<h4>Replies</h4>
${repliesPart(operation, document)}
<p class="faults"><span>Faults</span> ${operation['x-faults'].map(faultLink)}</p>
</article>
`
}

function access({ 'x-access': needed }: Operation): Markup {
  return html`<span class="access ${needed}" title="Who may call it">${ACCESS_WORDS[needed]}</span>`
}

const ACCESS_WORDS: Readonly<Record<Operation['x-access'], string>> = {
  public: 'no key',
  authenticated: 'any key',
  read: 'read',
  edit: 'edit',
  admin: 'admin'
}

function bodyPart({ requestBody }: Operation, document: OpenApi): Markup {
  if (!requestBody) return html``
  const may = requestBody.required ? '' : html` <span class="may">may be left out</span>`
  return html`<h4>Body ${mediaTypes(requestBody.content)}${may}</h4>${shape(requestBody.content, document, sentMembers)}`
}

function repliesPart({ responses }: Operation, document: OpenApi): Markup[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => replyPart(status, response, document))
}

function replyPart(status: string, { description, content = {} }: ApiResponse, document: OpenApi): Markup {
  const about = html`<span class="status">${status}</span> ${inlineCode(description)} ${mediaTypes(content)}`
  return html`<div class="reply"><p>${about}</p>${shape(content, document, givenMembers)}</div>`
}

function mediaTypes(content: Content): Markup {
  return html`<span class="media">${Object.keys(content).map((type, at) => html`${at === 0 ? '' : ' or '}${type}`)}</span>`
}

/** Members of a JSON object where they are shown here; a link where the object has a name and is long. */
function shape(content: Content, { components }: OpenApi, members: (schema: JsonSchema) => Markup): Markup {
  const schema = (content['application/json'] ?? content['application/x-www-form-urlencoded'])?.schema
  if (!schema) return html`${content['application/jsonl'] ? html`<p>Lines of a snapshot.</p>` : ''}`
  const named = typeof schema.$ref === 'string'
  const whole = named && isShort(schema) ? resolve(String(schema.$ref), components) : schema
  if (named && !isShort(schema)) return html`<p class="shape">${typeText(schema)}</p>`
  return whole.properties === undefined ? html`<p class="shape">${typeText(whole)}</p>` : members(whole)
}

/** Bodies are told where they are needed; what replies share is told once. */
function isShort({ $ref }: JsonSchema): boolean {
  return String($ref).endsWith('Body') || String($ref).endsWith('Done')
}

function faultLink(code: string): Markup {
  return html`<a href="#fault-${code}"><code>${code}</code></a> `
}
