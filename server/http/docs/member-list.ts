import { html } from 'hono/html'
import type { JsonSchema } from '../../../src/contract/json-schema.ts'
import type { Parameter } from '../openapi/open-api.ts'
import { inlineCode, type Markup } from './inline-code.ts'
import { typeText } from './type-text.ts'

type Member = { name: string; schema: JsonSchema; required: boolean; about: string | undefined }

/** The members of an object, one below the other; nothing where it names none. */
export function memberList(schema: JsonSchema): Markup {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.entries(properties as Record<string, JsonSchema>).map(([name, member]) => ({
    name,
    schema: member,
    required: (required as string[]).includes(name),
    about: textOf(member.description)
  }))
  const more = additionalProperties === false ? html`<p class="quiet">Other members are refused.</p>` : ''
  return html`${list(members)}${oneOfText(schema)}${members.length === 0 ? '' : more}`
}

/** Parameters of an address, in the same form. */
export function parameterList(parameters: readonly Parameter[]): Markup {
  return list(
    parameters.map(({ name, schema, required, description }) => ({ name, schema, required, about: description }))
  )
}

function list(members: readonly Member[]): Markup {
  if (members.length === 0) return html``
  return html`<ul class="members">${members.map(memberItem)}</ul>`
}

function memberItem({ name, schema, required, about }: Member): Markup {
  const must = required ? html` <span class="must">required</span>` : ''
  const told = about === undefined ? '' : html`<p>${inlineCode(about)}</p>`
  return html`<li><code class="name">${name}</code> <span class="type">${typeText(schema)}</span>${must}${told}</li>`
}

/** Of forms that exclude each other, which ones there are. */
function oneOfText({ oneOf }: JsonSchema): Markup {
  if (!Array.isArray(oneOf)) return html``
  const names = oneOf.flatMap(({ required }: { required: string[] }) => required)
  return html`<p>Exactly one of ${names.map((name, at) => html`${at === 0 ? '' : ' and '}<code>${name}</code>`)}.</p>`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
