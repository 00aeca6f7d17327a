/** Logs an error that the user cannot fix, for the people who run the server. */
export function reportError(message: string, details?: unknown): void {
  if (details === undefined) console.error(message)
  else console.error(message, details)
}
