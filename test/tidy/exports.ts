import ts from 'typescript'
import { nodesOf, placeOf, type Rule, treeOf } from './source-text.ts'

/** A default export has no name to search for. Only what a tool reads by it and types of others' packages may have one. */
export const exportByName: Rule = (files) =>
  files
    .filter((file) => !file.path.startsWith('test/config/') && !file.path.endsWith('.d.ts'))
    .flatMap((file) => nodesOf(treeOf(file)).filter(isDefaultExport))
    .map((node) => `${placeOf(node)}: default export`)

/** A file that only hands on what others define hides where it is defined. */
export const defineSomething: Rule = (files) =>
  files.filter((file) => isBarrel(treeOf(file))).map((file) => `${file.path}: only re-exports`)

/** What is exported and can be called says what it does, in what unit, with which faults, or why it exists. */
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

/** The entries of the libraries are little but lists, on purpose. */
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
