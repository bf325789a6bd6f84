/** What the quickstart asks: something of the mailbox, the drive, the chat and the notes of the made-up accounts. */
export const QUESTIONS: readonly string[] = [
  'how long does the battery of the buoy last?',
  'what do I do when the plotter jams?',
  'when does the alarm code of the office change?',
  'why did the bracket of unit 7 come loose?'
]
