import ts from 'typescript'

/** A file of the project as data. `path` is relative to its root, with `/`. */
export type SourceText = { path: string; text: string }

/** A rule looks at files and says what is wrong with them, a line each; nothing where all is well. */
export type Rule = (files: readonly SourceText[]) => string[]

const parsed = new WeakMap<SourceText, ts.SourceFile>()

/** The syntax tree of a file, parsed once. */
export function treeOf(file: SourceText): ts.SourceFile {
  const known = parsed.get(file)
  if (known) return known
  const kind = file.path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ESNext, true, kind)
  parsed.set(file, tree)
  return tree
}

const collected = new WeakMap<ts.SourceFile, readonly ts.Node[]>()

/** Every node below a node, itself first, parents before their children; of a whole file collected once. */
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

/** `path:line`, where an editor finds the node. */
export function placeOf(node: ts.Node): string {
  const tree = node.getSourceFile()
  return `${tree.fileName}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}
