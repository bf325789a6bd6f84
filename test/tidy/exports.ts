import ts from 'typescript'
import { nodesOf, placeOf, type Rule, treeOf } from './source-text.ts'

/**
 * Forbids default exports, which have no name to search for. Exceptions are files that a tool requires to have one, and
 * types of third-party packages.
 */
export const exportByName: Rule = (files) =>
  files
    .filter((file) => !file.path.startsWith('test/config/') && !file.path.endsWith('.d.ts'))
    .flatMap((file) => nodesOf(treeOf(file)).filter(isDefaultExport))
    .map((node) => `${placeOf(node)}: default export`)

/** Forbids files that only re-export, because they hide where something is defined. */
export const defineSomething: Rule = (files) =>
  files.filter((file) => isBarrel(treeOf(file))).map((file) => `${file.path}: only re-exports`)

/** Requires doc comments for exported functions: what they do, units, errors, or why they exist. */
export const sayWhatFunctionsDo: Rule = (files) =>
  files
    .filter((file) => /^(bin|src|server)\/.*\.ts$/.test(file.path))
    .flatMap((file) => treeOf(file).statements.filter(isExported).filter(definesFunction))
    .filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0)
    .map((statement) => `${placeOf(statement)}: exported function without a doc comment`)

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true
  if (ts.isExportSpecifier(node)) return node.name.text === 'default'
  return ts.canHaveModifiers(node) && hasModifier(node, ts.SyntaxKind.DefaultKeyword)
}

/** Reports whether a file only re-exports. The entries of the libraries mostly do so, on purpose. */
function isBarrel(tree: ts.SourceFile): boolean {
  const own = tree.statements.filter((statement) => !ts.isImportDeclaration(statement))
  return own.length > 0 && own.every(ts.isExportDeclaration) && !LIBRARIES.has(tree.fileName)
}

const LIBRARIES: ReadonlySet<string> = new Set(['bin/device.ts', 'bin/client.ts'])

function isExported(node: ts.Statement): boolean {
  return ts.canHaveModifiers(node) && hasModifier(node, ts.SyntaxKind.ExportKeyword)
}

function definesFunction(node: ts.Statement): boolean {
  if (ts.isFunctionDeclaration(node)) return node.body !== undefined
  if (!ts.isVariableStatement(node)) return false
  return node.declarationList.declarations.some(({ initializer: made }) => {
    return made !== undefined && (ts.isArrowFunction(made) || ts.isFunctionExpression(made))
  })
}

function hasModifier(node: ts.HasModifiers, kind: ts.SyntaxKind): boolean {
  return ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) === true
}
