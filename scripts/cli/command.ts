/** What a command found or did. */
export interface Outcome {
  /** For people. */
  lines: string[]
  /** For programs (`--json`). */
  data: unknown
  /** `failed`: what was asked for was not done. `problems`: it was done, and found problems. */
  status?: 'failed' | 'problems'
}

export interface Option {
  type: 'boolean' | 'string'
  description: string
  /** Placeholder of the value. */
  value?: string
  required?: boolean
}

export type Values = Record<string, string | boolean | undefined>

/** A command of `publicway`. */
export interface Command {
  /** One or two words. */
  name: string
  summary: string
  /** Arguments after the options, for the usage line. */
  arguments?: string
  options?: Record<string, Option>
  /** `words`: arguments that are no options. */
  run(values: Values, words: readonly string[]): Promise<Outcome>
}

/** A command of an earlier script, which reads its arguments and prints by itself. */
export interface ScriptCommand {
  name: string
  summary: string
  script: () => Promise<unknown>
}

export const exitCodes = { ok: 0, failed: 1, usage: 2, problems: 3 } as const

/** A command was called in a wrong way; the message is followed by its usage. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const stringOf = (values: Values, name: string): string | null => {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A table of texts as aligned lines. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, cell.length)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
