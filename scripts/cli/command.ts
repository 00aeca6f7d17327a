/** The result of a command. */
export interface Outcome {
  /** The lines that are printed. */
  lines: string[]
  /** The JSON document that is printed instead with `--json`. */
  data: unknown
  /** `failed`: the command could not run. `problems`: it ran and found problems. Absent if all is well. */
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
  /** Placeholder of the arguments in the usage line; absent if the command takes none. */
  arguments?: string
  options?: Record<string, Option>
  /** `words` are the arguments that are not options. */
  run(values: Values, words: readonly string[]): Promise<Outcome>
}

/** A command that is a script of its own: it parses its arguments and prints its results itself. */
export interface ScriptCommand {
  name: string
  summary: string
  script: () => Promise<unknown>
}

export const exitCodes = { ok: 0, failed: 1, usage: 2, problems: 3 } as const

/** A command was called incorrectly. The command's usage is printed after the message. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export const getString = (values: Values, name: string): string | null => {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Formats a table of texts as lines with aligned columns. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (maxima, row) => row.map((cell, column) => Math.max(maxima[column] ?? 0, cell.length)),
    [],
  )
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
