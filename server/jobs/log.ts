/** Writes one line of the server's log. Must not be given secret or personal data. */
export type Log = (line: string, details?: Record<string, unknown>) => void
