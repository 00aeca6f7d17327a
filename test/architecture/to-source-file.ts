import { blank } from './blank.ts'
import { resolveImport } from './resolve-import.ts'
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
