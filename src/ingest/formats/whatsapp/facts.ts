import type { FormatFacts } from '../../port/format.ts'

/**
 * https://faq.whatsapp.com/1180414079177245: a text of a chat, whose form depends on the phone and its language. Android
 * writes `DATE, TIME - NAME: TEXT`, iOS `[DATE, TIME] NAME: TEXT`. Years have two or four digits and may be first; the parts
 * of a date are separated by `/`, `.` or `-`; hours have 12 or 24 values, and seconds may be absent.
 */
export const FACTS: FormatFacts = {
  id: 'whatsapp',
  name: 'an export of WhatsApp',
  markers: [
    {
      path: /\.txt$/i,
      head: [
        /^[\ufeff\u200e]*\[?\d{1,4}([./-]) ?\d{1,2}\1 ?\d{1,4}\.?,?\s\D{0,12}\d{1,2}[:.]\d\d[^\n]{0,16}?(\]|\s[-–])\s/
      ]
    }
  ],
  edits: false
}

/** The stamp that begins a message, and the rest of its line. */
export const STAMP =
  /^[\ufeff\u200e\u200f]*\[?(\d{1,4})([./-]) ?(\d{1,2})\2 ?(\d{1,4})\.?,?\s+(?:(上午|下午|午前|午後|오전|오후|at|um|à|às|alle)\s*)?(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:\s*([ap])\.?\s?m\.?)?(?:\]|\s[-–])\s?(.*)$/iu

/** The words for the second half of the day, besides `p. m.`. */
export const AFTERNOON: ReadonlySet<string> = new Set(['下午', '午後', '오후'])
export const MORNING: ReadonlySet<string> = new Set(['上午', '午前', '오전'])

/** What stands for a file that was not exported, such as `<Media omitted>` (Android) or `image omitted` (iOS). */
export const OMITTED =
  /^(<[^<>\n]{3,60}>|[\p{L}\p{M} -]{3,40} (omitted|weggelassen|omitid[oa]|absente?|omess[oa]|ocultad[oa]|weggelaten))$/iu

/** A line that names an exported file, such as `IMG-1.jpg (file attached)` (Android) or `<attached: 1-PHOTO.jpg>` (iOS). */
export const ATTACHED = /^(<[^<>\n:]{3,30}: ([^<>\n]+\.\w{2,5})>|([^\n]+\.\w{2,5}) \([^()\n]{5,40}\))$/u

/** What stands for a deleted message, in the largest languages. */
export const DELETED =
  /^(this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht|se eliminó este mensaje|eliminaste este mensaje|ce message a été supprimé|vous avez supprimé ce message|questo messaggio è stato eliminato|hai eliminato questo messaggio|mensagem apagada|você apagou esta mensagem|dit bericht is verwijderd)\.?$/iu

/** What WhatsApp adds to an edited message, such as `<This message was edited>`. */
export const EDITED =
  /\s*\u200e?<(this message was edited|diese nachricht wurde bearbeitet|se editó este mensaje|ce message a été modifié)>$/iu
