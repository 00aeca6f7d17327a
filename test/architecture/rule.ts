import type { Import, SourceFile } from './source-file.ts'

export interface Breach {
  path: string
  line: number
  text: string
}

/** A rule about the repository. `number` is that of ARCHITECTURE.md, or a name if it has none. */
export interface Rule {
  number: string
  text: string
  check(files: SourceFile[]): Breach[]
}

/** A rule about single imports. `wrong` returns why an import is not allowed, or undefined. */
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

/** A rule that forbids a pattern. `reads` returns the text to search in a file, undefined to skip it. */
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
