import ts from 'typescript'
import { nodesOf, placeOf, type Rule, type SourceText, treeOf } from './source-text.ts'

/**
 * Forbids tests that depend on wall time, which a busy machine would break. A test waits for an event
 * (`setup/until.ts`), moves its own clock, counts operations, or measures processor time (`setup/cpu-time.ts`). Only
 * the runner's limit, which is far above what a busy machine needs, ends a test that hangs.
 */
export const keepOffTheWallClock: Rule = (files) =>
  files
    .filter(({ path }) => /^test\/.*\.ts$/.test(path) && !/^test\/(bench|torture|config)\//.test(path))
    .flatMap((file) => clockUses(file).filter(({ what }) => !ALLOWED[file.path]?.includes(what)))
    .map(({ node, what }) => `${placeOf(node)}: ${what}`)

const OWN_LIMIT = 'a limit of its own'

/** Exceptions, each with a reason. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // Ends a program that hangs and reports it, instead of leaving it behind.
  'test/cli/cases/kinds.ts': ['setTimeout'],
  // Pauses between any number of checks, which leaves the processor to the awaited work.
  'test/setup/until.ts': ['setTimeout']
}

const CALLS = new Set([
  ...['setTimeout', 'setInterval', 'performance.now', 'expect.poll', 'vi.waitFor', 'vi.waitUntil'],
  ...['AbortSignal.timeout']
])

const TIMERS = new Set(['node:timers/promises', 'timers/promises', 'node:perf_hooks', 'perf_hooks'])

const RUNNER = new Set(['test', 'it', 'describe', 'beforeAll', 'beforeEach', 'afterAll', 'afterEach'])

type Use = { node: ts.Node; what: string }

function clockUses(file: SourceText): Use[] {
  return nodesOf(treeOf(file)).flatMap((node): Use[] => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
      return TIMERS.has(node.moduleSpecifier.text) ? [{ node, what: node.moduleSpecifier.text }] : []
    if (!ts.isCallExpression(node)) return []
    const called = node.expression.getText()
    if (CALLS.has(called)) return [{ node, what: called }]
    return RUNNER.has(rootName(node.expression) ?? '') && hasOwnLimit(node) ? [{ node, what: OWN_LIMIT }] : []
  })
}

/** Returns `test` of `test.each(rows)(name, body)`. */
function rootName(node: ts.Expression): string | undefined {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) return rootName(node.expression)
  return ts.isIdentifier(node) ? node.text : undefined
}

/**
 * Reports whether a call has a number after the body or a `timeout` option that does not exceed the runner's. Longer
 * ones are for long proofs.
 */
function hasOwnLimit({ arguments: given }: ts.CallExpression): boolean {
  const last = given.at(-1)
  const options = given.find(ts.isObjectLiteralExpression)
  const named = options?.properties.find((one) => one.name?.getText() === 'timeout')
  const limits = [
    ...(last !== undefined && given.length > 1 && isNumber(last) ? [last] : []),
    ...(named !== undefined && ts.isPropertyAssignment(named) ? [named.initializer] : [])
  ]
  return limits.some((limit) => !(Number(limit.getText().replaceAll('_', '')) > RUNNER_MS_MAX))
}

function isNumber(node: ts.Expression): boolean {
  return ts.isNumericLiteral(node) || (ts.isIdentifier(node) && /_MS(_MAX)?$/.test(node.text))
}

/** The same as in `test/config/vitest.config.ts`. */
const RUNNER_MS_MAX = 300_000
