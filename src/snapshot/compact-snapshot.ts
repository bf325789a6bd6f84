import type { Clock, Files, Ids } from '../ports.ts'
import { replaceFile } from './file/replace-file.ts'
import { openSource, type Source } from './file/source.ts'
import type { JsonObject } from './json/json.ts'
import { putLossesAside } from './put-aside.ts'
import type { Form } from './read-snapshot.ts'
import { createHeader } from './record/create-header.ts'
import { assertSound, type Survey, type SurveyHelp, surveyDamaged, surveyInParts } from './survey.ts'
import { type Canonical, type CanonicalOptions, writeCanonical } from './write-canonical.ts'

export type CompactWorld = { files: Files; ids: Ids; clock: Clock } & SurveyHelp

export type CompactRequest = {
  skipDamaged?: boolean | undefined
  dropForgets?: boolean | undefined
  form?: Form | undefined
  remake?: ((record: JsonObject) => JsonObject | undefined) | undefined
}

export type Compacted = Canonical & {
  bytesBefore: number
  bytesAfter: number
  /** Number of valid lines that the canonical form omits. */
  dropped: number
  /** Number of bytes of an unfinished line and of damaged lines that were copied to `NAME.aside`. */
  asideBytes: number
  asideLines: number
}

/**
 * Rewrites the file at `path`, its real path, in canonical form. The caller holds the lock. Refuses a file with damaged
 * or lost lines unless `skipDamaged` is set: then the damaged lines are copied aside first.
 */
export async function compactSnapshot(world: CompactWorld, path: string, request: CompactRequest): Promise<Compacted> {
  const { files } = world
  const source = openSource(files, path)
  try {
    const survey = await (request.skipDamaged ? surveyDamaged(source) : surveyInParts(source, world))
    if (!request.skipDamaged) assertSound(path, survey)
    const asideBytes = putLossesAside(files, source, survey)
    const { table, reading } = survey
    const written = replaceFile(files, { path, mode: source.facts.mode }, (sink) => {
      const canonical = writeCanonical(sink, buildCanonicalOptions(world, { source, survey, request }))
      return { ...canonical, bytesAfter: sink.written }
    })
    return {
      ...written,
      bytesBefore: source.facts.size,
      dropped: table.rows - written.memories - written.forgotten - table.counts().unknown,
      asideBytes,
      asideLines: reading.damaged.length + reading.unlisted
    }
  } finally {
    source.close()
  }
}

type Work = { source: Source; survey: Survey; request: CompactRequest }

function buildCanonicalOptions(world: CompactWorld, { source, survey, request }: Work): CanonicalOptions {
  const { table, reading } = survey
  return {
    table,
    sources: [source],
    headers: reading.headers.length > 0 ? reading.headers : [createHeader(world)],
    form: request.form ?? reading.form,
    ...(request.dropForgets ? { isDropped: (id) => table.forget(table.ids.find(id, 0)) >= 0 } : {}),
    remake: request.remake
  }
}
