/**
 * Returns the command that renews a connection whose grant has ended. Several collections may share a grant, so an
 * error stored for all of its connections contains `<collection>`, which is replaced for each.
 */
export function reconnectCommand({ provider, collectionId }: { provider: string; collectionId: string }): string {
  return `memctl connect ${provider} -c ${collectionId}`
}

/** Inserts the collection into an error that was stored for several collections. */
export function inCollection(sentence: string, collectionId: string): string {
  return sentence.replaceAll('<collection>', collectionId)
}

/** Builds the error for a grant that ended according to a provider's reply rather than its token endpoint. */
export function deadGrantError(service: string, message: string, command: string): string {
  if (message.includes('memctl connect')) return message
  return `${service} no longer accepts the stored credentials, ${message}: connect the account again with ${command}`
}
