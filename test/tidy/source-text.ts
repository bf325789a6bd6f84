import ts from 'typescript'

/** A file of the project as data. `path` is relative to its root, with `/`. */
export type SourceText = { path: string; text: string }

/** Checks files and returns one line for each problem. */
export type Rule = (files: readonly SourceText[]) => string[]

const parsed = new WeakMap<SourceText, ts.SourceFile>()

/** Returns the syntax tree of a file, parsed once. */
export function treeOf(file: SourceText): ts.SourceFile {
  const known = parsed.get(file)
  if (known) return known
  const kind = file.path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ESNext, true, kind)
  parsed.set(file, tree)
  return tree
}

const collected = new WeakMap<ts.SourceFile, readonly ts.Node[]>()

/**
 * Returns every node below a node, starting with itself, parents before their children. For a whole file it is computed
 * once.
 */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const known = ts.isSourceFile(node) ? collected.get(node) : undefined
  if (known) return known
  const nodes: ts.Node[] = []
  const collect = (one: ts.Node): void => {
    nodes.push(one)
    ts.forEachChild(one, collect)
  }
  collect(node)
  if (ts.isSourceFile(node)) collected.set(node, nodes)
  return nodes
}

/** Returns `path:line` of a node, for editors. */
export function placeOf(node: ts.Node): string {
  const tree = node.getSourceFile()
  return `${tree.fileName}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}
