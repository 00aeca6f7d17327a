/** Writes one line of the server's log; what is secret or personal never comes here. */
export type Log = (line: string, details?: Record<string, unknown>) => void
