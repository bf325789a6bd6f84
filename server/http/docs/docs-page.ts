import { html, raw } from 'hono/html'
import type { JsonSchema } from '../../../src/contract/json-schema.ts'
import type { OpenApi, Tag } from '../openapi/open-api.ts'
import { resolve } from '../openapi/sample-value.ts'
import type { Called } from './curl-example.ts'
import { faultTable } from './fault-table.ts'
import { inlineCode, type Markup, paragraphs } from './inline-code.ts'
import { givenMembers, sentMembers } from './member-list.ts'
import { operationSection } from './operation-section.ts'
import { PAGE_STYLE } from './page-style.ts'
import { typeText } from './type-text.ts'

/** The document as one page that needs nothing from elsewhere and runs no script. `origin` stands in its examples. */
export function makeDocsPage(document: OpenApi, origin: string): string {
  const groups = document.tags.map((tag) => ({ tag, operations: operationsOf(document, tag) }))
  const { info } = document
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} ${info.version}: the service</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<div class="page">
<nav aria-label="Contents">${contents(groups)}</nav>
<main id="content">
<header>
<h1>${info.title} <span class="version">${info.version}</span></h1>
<p class="lead">${info.summary}</p>
${paragraphs(info.description)}
<p><a href="openapi.json">openapi.json</a> has the same for programs (OpenAPI ${document.openapi}).</p>
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

type Group = { tag: Tag; operations: Called[] }

function operationsOf({ paths }: OpenApi, { name }: Tag): Called[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .map(([method, operation]) => ({ method, path, operation }))
      .filter(({ operation }) => operation.tags.includes(name))
  )
}

/** Beside the text where there is room, else before it and without its smaller entries. */
function contents(groups: readonly Group[]): Markup {
  const parts = groups.map(
    ({ tag, operations }) => html`<li><a href="#group-${tag.name}">${titleOf(tag)}</a>
<ul>${operations.map(({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}</ul></li>`
  )
  return html`<ul>${parts}<li><a href="#schemas">Schemas</a></li><li><a href="#faults">Faults</a></li></ul>`
}

function titleOf({ name }: Tag): string {
  if (name === 'oauth') return 'OAuth'
  const words = name.replaceAll('-', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

type Shown = { document: OpenApi; origin: string }

function groupSection(tag: Tag, operations: readonly Called[], { document, origin }: Shown): Markup {
  const id = `group-${tag.name}`
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${titleOf(tag)}</h2>
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
  const members = schema.additionalProperties === false ? sentMembers(schema) : givenMembers(schema)
  const body = schema.properties === undefined ? html`<p class="shape">${typeText(schema)}</p>` : members
  return html`<article class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title"><h3 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h3>${about}${body}</article>
`
}

function faultsSection({ components }: OpenApi): Markup {
  const { code } = resolve('#/components/schemas/Problem', components).properties as { code: { enum: string[] } }
  return html`<section aria-labelledby="faults"><h2 id="faults">Faults</h2>
<p class="lead">The <code>code</code> of a problem is stable. Its <code>type</code> leads here.</p>
${faultTable(code.enum)}
</section>`
}
