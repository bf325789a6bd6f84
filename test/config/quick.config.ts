import { configDefaults, defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Kinds of tests that start processes, PostgreSQL, threads or a browser, or run a property thousands of times. */
const SLOW_KINDS = [
  'test/{bench,pages,tidy,torture}/**',
  'test/{bin/server,cli/cases,server/end-to-end,server/recall,server/storage}/**',
  'test/**/*{end-to-end,laws,postgres,process,prompt,storm,suite,terminal,thread}*.test.ts'
]

/** Other tests that take more than two seconds, or start a process. */
export const SLOW_FILES = [
  'test/cli/completion.test.ts',
  'test/cli/early-refusal.test.ts',
  'test/cli/import-restore.test.ts',
  'test/cli/manual.test.ts',
  'test/cli/names-and-ids.test.ts',
  'test/cli/package.test.ts',
  'test/cli/readme.test.ts',
  'test/cli/recipes.test.ts',
  'test/cli/stored-text.test.ts',
  'test/cli/tables.test.ts',
  'test/contract/bad-input.test.ts',
  'test/contract/call-rows.test.ts',
  'test/device/batch-stops.test.ts',
  'test/device/batch-streams.test.ts',
  'test/device/declarations.test.ts',
  'test/device/forget.test.ts',
  'test/device/index-follows.test.ts',
  'test/device/index-reads.test.ts',
  'test/device/library.test.ts',
  'test/device/list-and-show.test.ts',
  'test/device/races.test.ts',
  'test/device/search.test.ts',
  'test/device/store.test.ts',
  'test/memory/time/zones.test.ts',
  'test/memory/understand.test.ts',
  'test/search/light.test.ts',
  'test/search/rank/create-scorer.test.ts',
  'test/documents/further-formats.test.ts',
  'test/documents/office.test.ts',
  'test/documents/text.test.ts',
  'test/server/handlers/export-stream.test.ts',
  'test/server/http/any-request.test.ts',
  'test/server/http/early-aborts.test.ts',
  'test/server/oauth/hostile-callbacks.test.ts',
  'test/server/oauth/nodes.test.ts',
  'test/server/providers/cloud-drive/large.test.ts',
  'test/server/providers/mailbox/read.test.ts',
  'test/server/providers/team-chat/scale.test.ts',
  'test/server/sandbox/parameters.test.ts',
  'test/server/sandbox/socket.test.ts',
  'test/server/service/first-start.test.ts',
  'test/server/service/scrubber.test.ts',
  'test/server/sync/absences.test.ts',
  'test/server/sync/both-engines.test.ts',
  'test/server/sync/create-sync.test.ts',
  'test/documents/chunking/hostile-texts.test.ts',
  'test/server/sync/deletions.test.ts',
  'test/server/sync/large-pages.test.ts',
  'test/setup/closing-line-reporter.test.ts',
  'test/snapshot/parse-line.test.ts',
  'test/snapshot/walk-object.test.ts'
]

/** Configuration of `npm run test:quick`: under a minute on two idle processors, for every save. */
export default defineConfig({
  test: {
    ...base.test,
    globalSetup: ['test/setup/make-related-terms.mjs'],
    setupFiles: ['test/setup/platform-globals.ts', 'test/setup/no-processes.ts'],
    exclude: [...configDefaults.exclude, ...SLOW_KINDS, ...SLOW_FILES]
  }
})
