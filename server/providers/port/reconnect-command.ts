/**
 * What mends a connection whose grant is over. Several collections may share a grant, so a sentence that is noted at all of
 * its connections says `<collection>`, and each shows its own.
 */
export function reconnectCommand({ provider, collectionId }: { provider: string; collectionId: string }): string {
  return `memctl connect ${provider} -c ${collectionId}`
}

/** A sentence that was noted for several collections, as it is for this one. */
export function inCollection(sentence: string, collectionId: string): string {
  return sentence.replaceAll('<collection>', collectionId)
}

/** What is noted where a provider's reply, and not its token endpoint, says that a grant is over. */
export function deadGrantError(service: string, message: string, command: string): string {
  if (message.includes('memctl connect')) return message
  return `${service} no longer takes the stored credentials, ${message}: link the account again with ${command}`
}
