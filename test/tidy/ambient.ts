import ts from 'typescript'
import { nodesOf, placeOf, type Rule, type SourceText, treeOf } from './source-text.ts'

/**
 * The environment is passed as an argument: outside of `bin`, no code reads the machine's clock, randomness,
 * environment variables, network, terminal, language or time zone. `new Date(x)`, `Date.UTC` and `Date.parse` only
 * compute.
 */
export const takeTheWorldAsArgument: Rule = (files) =>
  files.filter((file) => /^(src|server)\//.test(file.path)).flatMap(ambientUses)

/** Globals that access the environment in any use. */
const GLOBALS = new Set([
  ...['process', 'globalThis', 'global', 'navigator', 'console', 'performance', '__dirname', '__filename'],
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'BroadcastChannel', 'setTimeout'],
  ...['setInterval', 'setImmediate']
])

/** `Name.member` of a global that is otherwise pure. */
const MEMBERS = new Set(['Date.now', 'Math.random', 'AbortSignal.timeout'])

/** Members that access the environment on any object. */
const ANYWHERE = new Set([
  ...['randomUUID', 'randomBytes', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues', 'getTimezoneOffset'],
  ...['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds'].flatMap((part) => [`get${part}`, `set${part}`])
])

/** Methods that use the machine's language unless the argument with this index names one. */
const LANGUAGE_AT: Readonly<Record<string, number>> = {
  localeCompare: 1,
  toLocaleString: 0,
  toLocaleDateString: 0,
  toLocaleTimeString: 0,
  toLocaleLowerCase: 0,
  toLocaleUpperCase: 0
}

function ambientUses(file: SourceText): string[] {
  const nodes = nodesOf(treeOf(file))
  const own = new Set(nodes.map(declaredName))
  const uses: string[] = []
  for (const node of nodes) {
    const what = ambientUse(node, own)
    if (what) uses.push(`${placeOf(node)}: ${what}`)
  }
  return uses
}

function ambientUse(node: ts.Node, own: ReadonlySet<string | undefined>): string | undefined {
  if (ts.isIdentifier(node))
    return isValue(node) && GLOBALS.has(node.text) && !own.has(node.text) ? node.text : undefined
  if (ts.isImportSpecifier(node)) return importedName(node)
  if (ts.isMetaProperty(node)) return node.keywordToken === ts.SyntaxKind.ImportKeyword ? 'import.meta' : undefined
  if (ts.isPropertyAccessExpression(node)) return member(node)
  if (ts.isNewExpression(node)) return madeObject(node)
  if (ts.isCallExpression(node)) return called(node)
  return undefined
}

function importedName(node: ts.ImportSpecifier): string | undefined {
  const name = (node.propertyName ?? node.name).text
  return ANYWHERE.has(name) ? name : undefined
}

function member(node: ts.PropertyAccessExpression): string | undefined {
  const full = `${node.expression.getText()}.${node.name.text}`
  return MEMBERS.has(full) || ANYWHERE.has(node.name.text) ? full : undefined
}

/**
 * Returns an impure construction. A date without arguments reads the clock, and one with several is local time. A
 * formatter without a language uses the machine's.
 */
function madeObject(node: ts.NewExpression): string | undefined {
  const made = node.expression.getText()
  const args = node.arguments ?? []
  if (made === 'Date' && args.length !== 1) return args.length === 0 ? 'new Date()' : 'new Date(…) in local time'
  return made.startsWith('Intl.') && isUnsaid(args[0]) ? `${made} without a language` : undefined
}

function called(node: ts.CallExpression): string | undefined {
  const callee = node.expression
  if (ts.isIdentifier(callee) && callee.text === 'Date') return 'Date()'
  if (!ts.isPropertyAccessExpression(callee)) return undefined
  const at = Object.hasOwn(LANGUAGE_AT, callee.name.text) ? LANGUAGE_AT[callee.name.text] : undefined
  return at !== undefined && isUnsaid(node.arguments[at]) ? `${callee.name.text} without a language` : undefined
}

function isUnsaid(argument: ts.Node | undefined): boolean {
  return !argument || (ts.isIdentifier(argument) && argument.text === 'undefined')
}

/** Reports whether the name is a value from the environment: not a member, a key, a type or a declaration. */
function isValue(node: ts.Identifier): boolean {
  const parent = node.parent
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isQualifiedName(parent) || ts.isTypeNode(parent) || ts.isImportSpecifier(parent)) return false
  return !(ts.isTypeElement(parent) || ts.isClassElement(parent) || (ts.isParameter(parent) && parent.name === node))
}

/** Returns the name that a node declares. A declaration anywhere in a file hides the global in all of it. */
function declaredName(node: ts.Node): string | undefined {
  const names =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isImportSpecifier(node) ||
    ts.isNamespaceImport(node)
  return names && node.name && ts.isIdentifier(node.name) ? node.name.text : undefined
}
