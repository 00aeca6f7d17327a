import type { Import, SourceFile } from './source-file.ts'

export interface Breach {
  path: string
  line: number
  text: string
}

/** One rule of the house. `number` is that of ARCHITECTURE.md; the bars and habits go by a name. */
export interface Rule {
  number: string
  text: string
  check(files: SourceFile[]): Breach[]
}

/** A rule that looks at one import at a time: `wrong` says what is wrong with it, or nothing. */
export function importRule(
  number: string,
  text: string,
  wrong: (
    file: SourceFile,
    target: string | undefined,
    specifier: string,
    found: Import,
  ) => string | undefined,
): Rule {
  return {
    number,
    text,
    check: (files) =>
      files.flatMap((file) =>
        file.imports.flatMap((found) => {
          const why = wrong(file, found.target, found.specifier, found)
          return why === undefined ? [] : [{ path: file.path, line: found.line, text: why }]
        }),
      ),
  }
}

/** A rule that looks for a pattern in some files: `reads` chooses the text, or nothing to leave the file alone. */
export function patternRule(
  number: string,
  text: string,
  pattern: RegExp,
  reads: (file: SourceFile) => string | undefined,
): Rule {
  return {
    number,
    text,
    check: (files) =>
      files.flatMap((file) => {
        const read = reads(file) ?? ''
        return [...read.matchAll(pattern)].map((match) => ({
          path: file.path,
          line: read.slice(0, match.index).split('\n').length,
          text: match[0].trim(),
        }))
      }),
  }
}

export function printBreach(rule: Rule, { path, line, text }: Breach): string {
  return `${path}:${line}  rule ${rule.number} (${rule.text}): ${text}`
}
