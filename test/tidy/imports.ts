import path from 'node:path'
import ts from 'typescript'
import { nodesOf, placeOf, type SourceText, treeOf } from './source-text.ts'

/**
 * An import of a file. `target` is a project path for a relative import, else the specifier as written. A `dynamic`
 * import is loaded when it is reached, a `type` import never.
 */
export type Import = {
  from: string
  place: string
  target: string
  relative: boolean
  kind: 'static' | 'dynamic' | 'type'
}

const found = new WeakMap<SourceText, Import[]>()

/**
 * Returns every import of a file, parsed once, including `export … from`, `import()`, `require()` and `import('…')` in
 * a type.
 */
export function importsOf(file: SourceText): Import[] {
  const known = found.get(file) ?? findImports(file)
  found.set(file, known)
  return known
}

/** Kinds of nodes that may import. Nearly all nodes are of another kind, which one look-up tells. */
const IMPORTING: ReadonlySet<ts.SyntaxKind> = new Set([
  ...[ts.SyntaxKind.ImportDeclaration, ts.SyntaxKind.ExportDeclaration],
  ...[ts.SyntaxKind.ImportType, ts.SyntaxKind.CallExpression]
])

function findImports(file: SourceText): Import[] {
  const nodes = nodesOf(treeOf(file)).filter((node) => IMPORTING.has(node.kind))
  return nodes.flatMap((node) => {
    const reference = specifierOf(node)
    if (!reference) return []
    const { specifier, kind } = reference
    const relative = specifier.startsWith('.')
    const target = relative ? path.posix.join(path.posix.dirname(file.path), specifier) : specifier
    return [{ from: file.path, place: placeOf(node), target, relative, kind }]
  })
}

/** Returns `@scope/name` of `@scope/name/part`, and `name` of `name/part`. */
export function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function specifierOf(node: ts.Node): { specifier: string; kind: Import['kind'] } | undefined {
  if (ts.isImportDeclaration(node))
    return named(node.moduleSpecifier, isTypeOnly(node.importClause) ? 'type' : 'static')
  if (ts.isExportDeclaration(node)) return named(node.moduleSpecifier, node.isTypeOnly ? 'type' : 'static')
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return named(node.argument.literal, 'type')
  if (ts.isCallExpression(node) && isLoader(node.expression)) return named(node.arguments[0], 'dynamic')
  return undefined
}

function named(node: ts.Node | undefined, kind: Import['kind']) {
  return node && ts.isStringLiteralLike(node) ? { specifier: node.text, kind } : undefined
}

/**
 * Reports whether an import is `import type …`. Under verbatimModuleSyntax, `import { type A }` still loads the module.
 */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  return clause?.phaseModifier === ts.SyntaxKind.TypeKeyword
}

function isLoader(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
}
