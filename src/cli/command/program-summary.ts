/** The purpose of the program in one sentence. */
export const PROGRAM_SUMMARY =
  'Documents, chats, mail and notes as memory that you own: kept in one local file, searched offline.'
