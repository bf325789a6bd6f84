import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Source } from '../snapshot/file/source.ts'
import { type JsonObject, toCanonicalJson } from '../snapshot/json/json.ts'
import { type SurveyHelp, surveyInParts } from '../snapshot/survey.ts'
import { createRowReader } from '../snapshot/table/row-reader.ts'

/** What a snapshot says about a memory that is about to be stored. */
export type Known = 'new' | 'known' | 'differed' | 'forgotten'

/** Reads the known ids of a file once; each record is then looked up without reading the file again, unless it is there. */
export async function readKnown(source: Source, help: SurveyHelp): Promise<(record: MemoryRecord) => Known> {
  const { table } = await surveyInParts(source, help)
  const reader = createRowReader(source)
  const id16 = Buffer.alloc(16)
  return (record) => {
    id16.write(record.id.slice(4), 'hex')
    const id = table.ids.find(id16, 0)
    if (id < 0) return 'new'
    if (table.forget(id) >= 0) return 'forgotten'
    const stored = reader.record(table.row(table.winner(id)))
    return besidesId(stored) === besidesId(record as JsonObject) ? 'known' : 'differed'
  }
}

/** What a line says that is not part of the id, and not made by memctl either. */
function besidesId({ metadata, position }: JsonObject): string {
  return toCanonicalJson({ metadata, position })
}
