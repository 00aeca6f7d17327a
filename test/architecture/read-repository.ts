import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceFile } from './source-file.ts'
import { toSourceFile } from './to-source-file.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const leftOut = ['.git', 'node_modules', 'dist', 'data', 'coverage', 'test-results', 'playwright-report']
const text = /\.(?:[cjt]sx?|mjs|json|md|css|html|sql|ya?ml|sh|c|xml|svg|txt)$|^\.[\w.]+$|^[A-Z][\w-]*$|^run$/

/** Returns all text files of the repository, except files at its root that a run creates. */
export function readRepository(): SourceFile[] {
  const files = readdirSync(root, { withFileTypes: true }).filter((entry) => !leftOut.includes(entry.name))
  return files
    .flatMap((entry) => (entry.isDirectory() ? listFilesUnder(entry.name) : [entry.name]))
    .filter((path) => text.test(path.slice(path.lastIndexOf('/') + 1)))
    .map((path) => toSourceFile(path, readFileSync(join(root, path), 'utf8')))
}

function listFilesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? listFilesUnder(path) : [path]
  })
}
