import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { nodesOf, type Rule, type SourceText, treeOf } from './source-text.ts'

/** The phrases of `words.txt`, as one expression. A line has a regular expression, and what to write after `#`. */
const PHRASES = new RegExp(
  readFileSync(new URL('./words.txt', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => line.split('#', 1).map((part) => part.trim()))
    .filter((phrase) => phrase !== '')
    .join('|'),
  'gi'
)

/** Folders whose texts are grammar, sample content or test input. Only their comments and test titles are read. */
const DATA = /^(src\/memory|src\/search\/analyse|server\/sandbox|test)\//

const LINE_COLUMNS_MAX = 100

/** Forbids phrases of `words.txt` in everything that a person reads: comments, messages, test titles and documents. */
export const useIdiomaticEnglish: Rule = (files) =>
  files.flatMap((file) =>
    readableParts(file).flatMap(({ text, at }) => {
      const line = file.text.slice(0, at).split('\n').length
      // A phrase may continue on the next line of a comment.
      const flat = text.replace(/\s+(?:\*\s+|\/\/\s+)?/g, ' ')
      return [...flat.matchAll(PHRASES)].map(({ 0: phrase, index }) => {
        const around = flat.slice(Math.max(0, index - 30), index + phrase.length + 30).trim()
        return `${file.path}:${line}: "${phrase}" in "${around}"`
      })
    })
  )

type Part = { text: string; at: number }

function readableParts(file: SourceText): Part[] {
  if (file.path.endsWith('.md')) return [{ text: file.text, at: 0 }]
  if (!/\.(ts|mjs)$/.test(file.path)) return []
  const nodes = nodesOf(treeOf(file))
  return [...findComments(file.text, nodes), ...nodes.filter((node) => isReadable(node, file.path)).map(toPart)]
}

function findComments(text: string, nodes: readonly ts.Node[]): Part[] {
  const parts = new Map<number, Part>()
  const add = (ranges: readonly ts.CommentRange[] | undefined): void => {
    for (const { pos, end } of ranges ?? []) parts.set(pos, { text: text.slice(pos, end), at: pos })
  }
  // Nested nodes begin or end at the same place.
  for (const start of new Set(nodes.map((node) => node.pos))) add(ts.getLeadingCommentRanges(text, start))
  for (const end of new Set(nodes.map((node) => node.end))) add(ts.getTrailingCommentRanges(text, end))
  return [...parts.values()]
}

type TextNode = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail

function isReadable(node: ts.Node, path: string): node is TextNode {
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
  return isText && (isTestTitle(node) || !DATA.test(path))
}

/**
 * Reports whether a text is the title of a test: the first argument of `test`, `test.each(rows)`, `it` or `describe`.
 */
function isTestTitle(node: ts.Node): boolean {
  const call = node.parent
  return ts.isCallExpression(call) && call.arguments[0] === node && isRunner(call.expression)
}

function isRunner(node: ts.Expression): boolean {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return isRunner(node.expression)
  return ts.isIdentifier(node) && ['test', 'it', 'describe'].includes(node.text)
}

function toPart(node: TextNode): Part {
  return { text: node.text, at: node.getStart() }
}

/** Forbids long lines in Markdown, except in tables and code, and lines with an address. */
export const wrapDocuments: Rule = (files) =>
  files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) => {
      let isFenced = false
      return text.split('\n').flatMap((line, at) => {
        if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced
        const isExempt = isFenced || /^\s*\||https?:|^ {4}/.test(line)
        if (isExempt || line.length <= LINE_COLUMNS_MAX) return []
        return [`${path}:${at + 1}: ${line.length} columns, at most ${LINE_COLUMNS_MAX}`]
      })
    })
