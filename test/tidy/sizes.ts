import ts from 'typescript'
import { nodesOf, placeOf, type Rule, type SourceText, treeOf } from './source-text.ts'

const FILE_LINES_MAX = 400
const FUNCTION_LINES_MAX = 60
const PARAMETERS_MAX = 3

/** Limits the length of files, functions and parameter lists. Blank lines and comments count only in files. */
export const keepSmall: Rule = (files) => files.flatMap((file) => [...longFile(file), ...bigFunctions(file)])

function longFile({ path, text }: SourceText): string[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return lines > FILE_LINES_MAX ? [`${path}: ${lines} lines, at most ${FILE_LINES_MAX}`] : []
}

function bigFunctions(file: SourceText): string[] {
  const coded = linesOfCode(treeOf(file))
  return nodesOf(treeOf(file))
    .filter(hasBody)
    .flatMap((node) => {
      const [first, last] = [lineAt(node.getStart()), lineAt(node.end)]
      const lines = coded.filter((line) => line >= first && line <= last).length
      const parameters = node.parameters.filter((parameter) => parameter.name.getText() !== 'this').length
      return [
        ...(lines > FUNCTION_LINES_MAX ? [`${placeOf(node)}: ${lines} lines, at most ${FUNCTION_LINES_MAX}`] : []),
        ...(parameters > PARAMETERS_MAX
          ? [`${placeOf(node)}: ${parameters} parameters, at most ${PARAMETERS_MAX}`]
          : [])
      ]
    })

  function lineAt(position: number): number {
    return treeOf(file).getLineAndCharacterOfPosition(position).line
  }
}

/** Returns the numbers of lines with code, including those inside template texts. */
function linesOfCode(tree: ts.SourceFile): number[] {
  const lines = new Set<number>()
  for (const node of nodesOf(tree)) {
    if (node === tree || node.kind >= ts.SyntaxKind.FirstJSDocNode) continue
    lines.add(tree.getLineAndCharacterOfPosition(node.getStart(tree)).line)
    lines.add(tree.getLineAndCharacterOfPosition(node.end).line)
  }
  return [...lines]
}

function hasBody(node: ts.Node): node is ts.FunctionLikeDeclaration & { body: ts.Node } {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}
