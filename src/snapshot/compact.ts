import type { Clock, Files, Ids } from '../ports.ts'
import type { JsonObject } from './canonical-json.ts'
import { newHeader } from './header.ts'
import type { Form } from './read-snapshot.ts'
import { replaceFile } from './replace-file.ts'
import { setAside } from './set-aside.ts'
import { openSource, type Source } from './source.ts'
import { refuseUnsound, type Survey } from './survey.ts'
import { surveyDamaged } from './survey-damaged.ts'
import { type SurveyHelp, surveyInParts } from './survey-in-parts.ts'
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
  /** Sound lines that the canonical form does not keep. */
  dropped: number
  /** Bytes of an unfinished line, and damaged lines, that went into `NAME.aside`. */
  asideBytes: number
  asideLines: number
}

/**
 * Rewrites the file at `path`, its real path, in canonical form. The caller holds the lock. A file with damaged or lost
 * lines is refused as it stands unless `skipDamaged`: then the damaged lines are put aside first.
 */
export async function compactSnapshot(world: CompactWorld, path: string, request: CompactRequest): Promise<Compacted> {
  const { files } = world
  const source = openSource(files, path)
  try {
    const survey = await (request.skipDamaged ? surveyDamaged(source) : surveyInParts(source, world))
    if (!request.skipDamaged) refuseUnsound(path, survey)
    const asideBytes = setAside(files, source, survey)
    const { table, reading } = survey
    const written = replaceFile(files, { path, mode: source.facts.mode }, (sink) => {
      const canonical = writeCanonical(sink, canonicalOptions(world, { source, survey, request }))
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

function canonicalOptions(world: CompactWorld, { source, survey, request }: Work): CanonicalOptions {
  const { table, reading } = survey
  return {
    table,
    sources: [source],
    headers: reading.headers.length > 0 ? reading.headers : [newHeader(world)],
    form: request.form ?? reading.form,
    ...(request.dropForgets ? { isDropped: (id) => table.forget(table.ids.find(id, 0)) >= 0 } : {}),
    remake: request.remake
  }
}
