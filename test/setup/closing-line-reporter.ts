import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with `N passed, N failed, N skipped` on its own line, after the reason of every skipped test. A file that
 * does not load counts as one failed test, and so does an error outside of any test.
 */
export function closingLineReporter(write = (line: string) => console.log(line)): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const count = (state: string) => tests.filter((test) => test.result().state === state).length
      const broken = modules.reduce((sum, module) => sum + brokenParts(module), unhandledErrors.length)
      const skipped = tests.filter((test) => ['skipped', 'pending'].includes(test.result().state))

      for (const test of skipped) write(`skipped: ${test.fullName}: ${reasonOf(test.result())}`)
      write(`${count('passed')} passed, ${count('failed') + broken} failed, ${skipped.length} skipped`)
    }
  }
}

/** Counts errors of a file or of a group of tests that belong to no test. */
function brokenParts(module: TestModule): number {
  const groups = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0)
  return groups.length + (module.errors().length > 0 ? 1 : 0)
}

function reasonOf(result: { state: string; note?: string | undefined }): string {
  if (result.state === 'pending') return 'the run ended before it'
  return result.note ?? 'no reason given'
}
