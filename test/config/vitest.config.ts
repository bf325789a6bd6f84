import { defineConfig } from 'vitest/config'
import { closingLineReporter } from '../setup/closing-line-reporter.ts'

/** Half a minute is for tests that start processes on a busy machine; nothing waits for time to pass. */
const TEST_MS_MAX = 30_000

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', closingLineReporter()],
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    // A zone with an odd offset and summer time, so that local time where UTC was meant shows.
    env: { TZ: 'Australia/Lord_Howe' }
  }
})
