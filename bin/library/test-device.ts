import { Fault } from '../../src/contract/faults.ts'
import type { BatchSource, Device } from '../../src/device/device.ts'
import * as given from './test-given.ts'

const { FLAG, FUNCTION, SIGNAL, TEXT, TIME, WHOLE } = given

const FILTERING: given.GivenRules = {
  since: TIME,
  until: TIME,
  speaker: TEXT,
  conversation: TEXT,
  source: TEXT,
  only_sources: given.TEXTS,
  except_sources: given.TEXTS,
  kind: given.KIND
}
const SEARCHING: given.GivenRules = {
  limit: WHOLE,
  groups: given.GROUP_LIST,
  as_of: TIME,
  known_at: TIME,
  ...FILTERING,
  explain: FLAG
}
const RECENT: given.GivenRules = { limit: WHOLE, after: TEXT, ...FILTERING }
const STOPPABLE: given.GivenRules = { signal: SIGNAL }

/** The options of a device's methods, by method name. */
const OPTIONS = {
  store: STOPPABLE,
  correct: { at: TIME, speaker: TEXT, conversation: TEXT, metadata: given.ANY, dryRun: FLAG, signal: SIGNAL },
  storeBatch: { signal: SIGNAL, onProgress: FUNCTION, onRecord: FUNCTION, dryRun: FLAG },
  search: SEARCHING,
  whyNot: SEARCHING,
  list: { limit: WHOLE, since: TIME, until: TIME, speaker: TEXT, conversation: TEXT },
  recent: RECENT,
  read: { around: given.COUNT, only_sources: given.TEXTS, except_sources: given.TEXTS },
  forget: { reason: TEXT, compact: FLAG, signal: SIGNAL },
  stats: STOPPABLE,
  verify: STOPPABLE,
  compact: { reExtract: FLAG, skipDamaged: FLAG, dropForgets: FLAG, format: given.FORM, signal: SIGNAL }
} satisfies Readonly<Record<string, given.GivenRules>>

/** Wraps a device so that arguments from untyped programs are validated first. Refuses them with a `usage` fault. */
export function testDevice(device: Device): Device {
  return {
    path: device.path,
    store: async (input, options) => device.store(input, testOptions('store', options)),
    preview: async (input) => device.preview(input),
    storeBatch: async (source, options) => device.storeBatch(testSource(source), testOptions('storeBatch', options)),
    correct: async (id, corrected, options) =>
      device.correct(text('correct', 'id', id), text('correct', 'text', corrected), testOptions('correct', options)),
    search: async (query, options) => device.search(text('search', 'query', query), testOptions('search', options)),
    whyNot: async (query, id, options) =>
      device.whyNot(text('whyNot', 'query', query), text('whyNot', 'id', id), testOptions('whyNot', options)),
    list: (options) => device.list(testOptions('list', options)),
    recent: async (options) => device.recent(testOptions('recent', options)),
    read: async (ids, options) =>
      device.read(given.testGiven('read', 'ids', { given: ids, rule: given.IDS }), testOptions('read', options)),
    show: (id) => device.show(text('show', 'id', id)),
    why: async (id) => device.why(text('why', 'id', id)),
    forget: async (ids, options) =>
      device.forget(given.testGiven('forget', 'ids', { given: ids, rule: given.IDS }), testOptions('forget', options)),
    stats: async (options) => device.stats(testOptions('stats', options)),
    verify: async (options) => device.verify(testOptions('verify', options)),
    compact: async (options) => device.compact(testOptions('compact', options)),
    close: () => device.close()
  }
}

function testOptions<Options>(call: keyof typeof OPTIONS, options: Options): Options {
  return given.testOptions(call, options, OPTIONS[call])
}

function text(call: string, name: string, value: string): string {
  return given.testGiven(call, name, { given: value, rule: TEXT })
}

function testSource(source: BatchSource): BatchSource {
  if (given.isObject(source) && 'file' in source) {
    given.testGiven('storeBatch', 'file', { given: source.file, rule: given.PATH })
    return source
  }
  if (given.isObject(source) && 'stream' in source) {
    given.testGiven('storeBatch', 'stream', { given: source.stream, rule: given.STREAM })
    return source
  }
  throw new Fault('usage', 'storeBatch needs a file or a stream', {
    hint: 'pass { file: PATH }, or { stream } of bytes or texts'
  })
}
