/** An error that the user can do nothing about: for those who run the server. */
export function reportError(message: string, details?: unknown): void {
  if (details === undefined) console.error(message)
  else console.error(message, details)
}
