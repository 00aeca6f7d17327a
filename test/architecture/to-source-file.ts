import { posix } from 'node:path'
import { blank } from './blank.ts'
import { scanImports } from './scan-imports.ts'
import type { SourceFile } from './source-file.ts'

const CODE = /\.[jt]sx?$/

export function toSourceFile(path: string, text: string): SourceFile {
  if (!CODE.test(path)) return { path, text, code: text, codeWithoutStrings: text, imports: [] }
  const code = blank(text, 'keep')
  const imports = scanImports(code).map((found) => ({
    ...found,
    target: resolveImport(path, found.specifier),
  }))
  return { path, text, code, codeWithoutStrings: blank(text, 'blank'), imports }
}

/** The path of an imported file (`#contract/x.ts`, `./x.ts`) without vite's `?url`; undefined for a package. */
function resolveImport(from: string, specifier: string): string | undefined {
  const path = specifier.replace(/\?.*$/, '')
  if (/^#(?:contract|server|web)\//.test(path)) return path.slice(1)
  return path.startsWith('.') ? posix.join(posix.dirname(from), path) : undefined
}
