import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { closingLineReporter } from '../setup/closing-line-reporter.ts'

/**
 * Ends a test that hangs. Far above what any of them takes on a busy machine, so that load never decides whether one passes.
 * `SLOW=1` digs deeper.
 */
const TEST_MS_MAX = process.env.SLOW ? 1_200_000 : 300_000

/** The files that take longest, in order. */
const LONGEST = [
  'torture/torture',
  'bench/bench',
  'simulation/simulation',
  'server/end-to-end/sync-postgres',
  'cli/cases/commands',
  'ingest/interrupted-process',
  'server/storage/postgres-storage',
  'cli/recipes',
  'server/sync/storm/storm',
  'pages/every-page',
  'tidy/project',
  'cli/server-process',
  'server/end-to-end/damage-postgres',
  'mcp/stdio-process',
  'cli/readme',
  'server/end-to-end/process',
  'server/end-to-end/connectors-postgres',
  'server/end-to-end/sync-sqlite',
  'cli/quickstart-process',
  'server/end-to-end/postgres',
  'server/storage/sqlite-storage'
].map((name) => `/test/${name}.test.ts`)

/** The files that take longest begin first: begun last, one of them would keep one processor busy alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((end) => moduleId.endsWith(end))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    globalSetup: [
      'test/setup/use-memory-for-files.mjs',
      'test/setup/make-related-terms.mjs',
      'test/setup/offer-postgres.mjs'
    ],
    setupFiles: ['test/setup/platform-globals.ts', 'test/setup/fixed-seed.ts'],
    include: ['test/**/*.test.ts'],
    reporters: ['default', closingLineReporter()],
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    // One more than the number of processors, because a test file often waits for a process or a database.
    maxWorkers: availableParallelism() + 1,
    // Maximum number of concurrent tests of a file that wait for other processes.
    maxConcurrency: 2,
    sequence: { sequencer: LongestFirst },
    // Keeps compiled modules in node_modules for the next run, by their content.
    experimental: { fsModuleCache: true },
    // More room for new objects than Node's 16 MB, because a worker spends a tenth of its time on collecting them.
    execArgv: ['--max-semi-space-size=64'],
    // Each worker loads a module once instead of once per file, which took half of the time.
    isolate: false,
    // A time zone with an odd offset and daylight saving time reveals local time that should be UTC.
    env: { TZ: 'Australia/Lord_Howe' }
  }
})
