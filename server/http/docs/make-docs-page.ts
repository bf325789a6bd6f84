import { html, raw } from 'hono/html'
import type { JsonSchema } from '../../../src/contract/endpoints/json-schema.ts'
import { FAULTS, type FaultCode } from '../../../src/contract/faults.ts'
import { toProblemCode } from '../../../src/contract/problem-code.ts'
import type { ApiResponse, Content, OpenApi, OpenApiTag, Operation, Parameter } from '../openapi/open-api.ts'
import { resolve, sampleValue } from '../openapi/sample-value.ts'
import { inlineCode, type Markup, paragraphs } from '../pages/markup.ts'
import { describeProblem } from '../reply/describe-problem.ts'
import { PAGE_STYLE } from './page-style.ts'

/** Renders the document as one page without external resources and scripts. `origin` appears in its examples. */
export function makeDocsPage(document: OpenApi, origin: string): string {
  const groups = document.tags.map((tag) => ({ tag, operations: listOperations(document, tag) }))
  const { info } = document
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} ${info.version} API</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="page">
<nav aria-label="Contents">${contents(groups)}</nav>
<main id="content">
<header>
<h1>${info.title} <span class="version">${info.version}</span></h1>
<p class="lead">${info.summary}</p>
${paragraphs(info.description)}
<p>The same description for programs: <a href="openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
</header>
${groups.map(({ tag, operations }) => groupSection(tag, operations, { document, origin }))}
${schemasSection(document)}
${faultsSection(document)}
</main>
</div>
</body>
</html>
`
  return String(page)
}

type Group = { tag: OpenApiTag; operations: Called[] }

function listOperations({ paths }: OpenApi, { name }: OpenApiTag): Called[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .map(([method, operation]) => ({ method, path, operation }))
      .filter(({ operation }) => operation.tags.includes(name))
  )
}

/** Renders the contents, next to the text if there is space, otherwise above it and without its smaller entries. */
function contents(groups: readonly Group[]): Markup {
  const parts = groups.map(
    ({ tag, operations }) => html`<li><a href="#group-${tag.name}">${toTitle(tag)}</a>
<ul>${operations.map(({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}</ul></li>`
  )
  return html`<ul>${parts}<li><a href="#schemas">Schemas</a></li><li><a href="#faults">Errors</a></li></ul>`
}

function toTitle({ name }: OpenApiTag): string {
  if (name === 'oauth') return 'OAuth'
  const words = name.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

type Shown = { document: OpenApi; origin: string }

function groupSection(tag: OpenApiTag, operations: readonly Called[], { document, origin }: Shown): Markup {
  const id = `group-${tag.name}`
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${toTitle(tag)}</h2>
<p class="lead">${inlineCode(tag.description)}</p>
${operations.map((called) => operationSection(called, document, origin))}
</section>
`
}

function schemasSection({ components: { schemas } }: OpenApi): Markup {
  return html`<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>
${Object.entries(schemas).map(([name, schema]) => schemaPart(name, schema))}
</section>`
}

function schemaPart(name: string, schema: JsonSchema): Markup {
  const about = typeof schema.description === 'string' ? html`<p>${inlineCode(schema.description)}</p>` : ''
  const members = schema.additionalProperties === false ? renderSentMembers(schema) : renderGivenMembers(schema)
  const body = schema.properties === undefined ? html`<p class="shape">${typeText(schema)}</p>` : members
  return html`<article class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title"><h3 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h3>${about}${body}</article>
`
}

function faultsSection({ components }: OpenApi): Markup {
  const { code } = resolve('#/components/schemas/Problem', components).properties as { code: { enum: string[] } }
  return html`<section aria-labelledby="faults"><h2 id="faults">Errors</h2>
<p class="lead">Programs can rely on the <code>code</code> of a problem. Its <code>type</code> links to this table.</p>
${faultTable(code.enum)}
</section>`
}

/** Renders the complete description of one endpoint. */
function operationSection(called: Called, document: OpenApi, origin: string): Markup {
  const { method, path, operation } = called
  const { operationId, summary, description = '', parameters = [] } = operation
  return html`<article id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title"><a href="#${operationId}">${summary}</a></h3>
<p class="line"><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${path}</code> ${access(operation)}</p>
${paragraphs(description)}
${parameters.length === 0 ? '' : html`<h4>Parameters</h4>${parameterList(parameters)}`}
${bodyPart(operation, document)}
<h4>Example</h4>
<pre tabindex="0" role="region" aria-label="Example for ${operationId}"><code>${curlExample(called, document, origin)}</code></pre>
<h4>Replies</h4>
${repliesPart(operation, document)}
<p class="faults"><span>Errors</span> ${operation['x-faults'].map(faultLink)}</p>
</article>
`
}

function access({ 'x-access': needed }: Operation): Markup {
  return html`<span class="access ${needed}" title="Required access">${ACCESS_WORDS[needed]}</span>`
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
  const may = requestBody.required ? '' : html` <span class="may">optional</span>`
  return html`<h4>Body ${mediaTypes(requestBody.content)}${may}</h4>${shape(requestBody.content, document, renderSentMembers)}`
}

function repliesPart({ responses }: Operation, document: OpenApi): Markup[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => replyPart(status, response, document))
}

function replyPart(status: string, { description, content = {} }: ApiResponse, document: OpenApi): Markup {
  const about = html`<span class="status">${status}</span> ${inlineCode(description)} ${mediaTypes(content)}`
  return html`<div class="reply"><p>${about}</p>${shape(content, document, renderGivenMembers)}</div>`
}

function mediaTypes(content: Content): Markup {
  return html`<span class="media">${Object.keys(content).map((type, at) => html`${at === 0 ? '' : ' or '}${type}`)}</span>`
}

/** Renders the members of a JSON object in place, or a link if the object has a name and is long. */
function shape(content: Content, { components }: OpenApi, members: (schema: JsonSchema) => Markup): Markup {
  const schema = (content['application/json'] ?? content['application/x-www-form-urlencoded'])?.schema
  if (!schema) return html`${content['application/jsonl'] ? html`<p>The lines of a snapshot.</p>` : ''}`
  const named = typeof schema.$ref === 'string'
  const whole = named && isShort(schema) ? resolve(String(schema.$ref), components) : schema
  if (named && !isShort(schema)) return html`<p class="shape">${typeText(schema)}</p>`
  return whole.properties === undefined ? html`<p class="shape">${typeText(whole)}</p>` : members(whole)
}

/** Returns whether a schema is shown in place. Bodies are; schemas that replies share are shown once. */
function isShort({ $ref }: JsonSchema): boolean {
  return String($ref).endsWith('Body') || String($ref).endsWith('Done')
}

function faultLink(code: string): Markup {
  return html`<a href="#fault-${code}"><code>${code}</code></a> `
}

/** A member of an object. `mark` is shown next to its type. */
type Member = { name: string; schema: JsonSchema; about: string | undefined; mark: Markup }

const MUST = html` <span class="must">required</span>`
const MAY = html` <span class="may">may be absent</span>`
const NO_MARK = html``

/** Renders the members of a request object, one below the other, with the required ones marked. */
function renderSentMembers(schema: JsonSchema): Markup {
  const more = schema.additionalProperties === false ? html`<p class="quiet">Other members are rejected.</p>` : ''
  return html`${memberList(schema, { needed: MUST, other: NO_MARK })}${oneOfText(schema)}${more}`
}

/** Renders the members of a reply object, with the optional ones marked. */
function renderGivenMembers(schema: JsonSchema): Markup {
  return memberList(schema, { needed: NO_MARK, other: MAY })
}

/** Renders the parameters of an address in the same form. */
function parameterList(parameters: readonly Parameter[]): Markup {
  return list(
    parameters.map(({ name, schema, required, description }) => {
      return { name, schema, about: description, mark: required ? MUST : NO_MARK }
    })
  )
}

function memberList({ properties = {}, required = [] }: JsonSchema, marks: { needed: Markup; other: Markup }): Markup {
  return list(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({
      name,
      schema,
      about: typeof schema.description === 'string' ? schema.description : undefined,
      mark: (required as string[]).includes(name) ? marks.needed : marks.other
    }))
  )
}

function list(members: readonly Member[]): Markup {
  if (members.length === 0) return html``
  return html`<ul class="members">${members.map(memberItem)}</ul>`
}

function memberItem({ name, schema, about, mark }: Member): Markup {
  const told = about === undefined ? '' : html`<p>${inlineCode(about)}</p>`
  return html`<li><code class="name">${name}</code> <span class="type">${typeText(schema)}</span>${mark}${told}</li>`
}

/** Names the forms of which exactly one may be used. */
function oneOfText({ oneOf }: JsonSchema): Markup {
  if (!Array.isArray(oneOf)) return html``
  const names = oneOf.flatMap(({ required }: { required: string[] }) => required)
  return html`<p>Give exactly one of ${names.map((name, at) => html`${at === 0 ? '' : ' and '}<code>${name}</code>`)}.</p>`
}

type Called = { method: string; path: string; operation: Operation }

/** A sample id in the form that the server creates. */
const SAMPLE_ID = '01980a7c-5e00-7000-8000-2b7e151628ae'

/** Builds a curl command with the key in a variable, the parameters of the address and a valid body. */
function curlExample({ method, path, operation }: Called, document: OpenApi, origin: string): string {
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

/** Returns the body arguments: a file for lines, otherwise JSON on the command line. */
function bodyParts({ requestBody }: Operation, sample: Sample): string[] {
  if (!requestBody) return []
  // An optional body is left out, as most callers do.
  if (!requestBody.required) return []
  const { 'application/json': json, 'application/jsonl': lines, [FORM]: form } = requestBody.content
  if (form) return formParts(sample(form.schema) as Record<string, string>)
  if (lines) return [`-H 'Content-Type: application/jsonl'`, '--data-binary @notes.mem.jsonl']
  return json ? [`-H 'Content-Type: application/json'`, `-d ${quoteForShell(JSON.stringify(sample(json.schema)))}`] : []
}

const FORM = 'application/x-www-form-urlencoded'

function formParts(fields: Record<string, string>): string[] {
  return Object.entries(fields).map(([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`)
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Renders the table of problem codes. The `type` of a problem links to its row. */
function faultTable(codes: readonly string[]): Markup {
  const known = (Object.keys(FAULTS) as FaultCode[]).filter((code) => codes.includes(toProblemCode(code)))
  const rows = known.sort((a, b) => FAULTS[a].status - FAULTS[b].status).map(faultRow)
  return html`<div class="wide" tabindex="0" role="region" aria-label="Errors"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Cause</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function faultRow(fault: FaultCode): Markup {
  const { status } = FAULTS[fault]
  const { code, condition } = describeProblem(fault)
  return html`<tr id="fault-${code}"><td>${status}</td><th scope="row"><code>${breakable(code)}</code></th><td>${inlineCode(condition)}</td></tr>
`
}

/** Renders a code that can break after each of its parts. */
function breakable(code: string): Markup {
  const parts = code.split('_')
  return html`${parts.map((part, at) => html`${part}${at < parts.length - 1 ? raw('_<wbr>') : ''}`)}`
}

/** Describes the values of a schema: type, references and limits. */
function typeText(schema: JsonSchema): Markup {
  const limits = limitsText(schema)
  return html`${kindText(schema)}${limits === '' ? '' : `, ${limits}`}`
}

const PREFIX = '#/components/schemas/'

function kindText({ $ref, anyOf, const: constant, enum: choices, type, items, format }: JsonSchema): Markup {
  if (typeof $ref === 'string') return link($ref.slice(PREFIX.length))
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`
  if (Array.isArray(choices)) return joinWithOr(choices.map((choice) => html`<code>${JSON.stringify(choice)}</code>`))
  if (Array.isArray(anyOf)) return joinWithOr(distinct(anyOf.map(kindText)))
  if (type === 'array') return items ? html`array of ${kindText(items as JsonSchema)}` : html`array`
  if (Array.isArray(type)) return html`${type.join(' or ')}`
  if (typeof format === 'string') return html`${FORMATS[format] ?? `string (${format})`}`
  return html`${typeof type === 'string' ? type : 'any JSON'}`
}

/** Readable names of string formats. */
const FORMATS: Readonly<Record<string, string>> = { uuid: 'UUID', date: 'date' }

function link(name: string): Markup {
  return html`<a href="#schema-${name}">${name}</a>`
}

function joinWithOr(parts: readonly Markup[]): Markup {
  return html`${parts.flatMap((part, at) => (at === 0 ? [part] : [html` or `, part]))}`
}

function distinct(parts: readonly Markup[]): Markup[] {
  return [...new Map(parts.map((part) => [String(part), part])).values()]
}

function limitsText(schema: JsonSchema): string {
  const { pattern, default: otherwise } = schema
  return [
    rangeText(schema.minimum, schema.maximum, ''),
    rangeText(schema.minLength, schema.maxLength, ' characters'),
    rangeText(schema.minItems, schema.maxItems, ' items'),
    typeof pattern === 'string' ? `pattern ${pattern}` : '',
    otherwise === undefined ? '' : `default ${JSON.stringify(otherwise)}`
  ]
    .filter((text) => text !== '')
    .join(', ')
}

function rangeText(least: unknown, most: unknown, unit: string): string {
  if (least !== undefined && least === most) return `${least}${unit}`
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`
  if (most !== undefined) return `at most ${most}${unit}`
  return least === undefined ? '' : `at least ${least}${least === 1 ? unit.replace(/s$/, '') : unit}`
}
