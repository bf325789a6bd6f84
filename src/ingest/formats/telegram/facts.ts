import type { FormatFacts } from '../../port/format.ts'
import type { LossReason } from '../../port/losses.ts'

/** https://core.telegram.org/import-export: `result.json`, of one chat or of the account. */
export const FACTS: FormatFacts = {
  id: 'telegram',
  name: 'an export of Telegram',
  markers: [
    { path: /\.json$/i, head: [/"messages"\s*:\s*\[/, /"date_unixtime"\s*:/, /"from"\s*:|"actor"\s*:/] },
    { path: /(^|\/)result\.json$/, head: [/"about"\s*:\s*"[^"]*Telegram/] }
  ],
  edits: false
}

/** The kinds of `media_type`. Other files are attachments. */
export const MEDIA_LOSSES: Readonly<Record<string, LossReason>> = {
  sticker: 'image',
  animation: 'video',
  video_file: 'video',
  video_message: 'video',
  voice_message: 'audio',
  audio_file: 'audio'
}
