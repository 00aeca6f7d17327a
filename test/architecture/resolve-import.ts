import { posix } from 'node:path'

/** The repository path that an import means (`#contract/x.ts`, `./x.ts`), without vite's `?url`; nothing for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  const path = specifier.replace(/\?.*$/, '')
  if (/^#(?:contract|server|web)\//.test(path)) return path.slice(1)
  return path.startsWith('.') ? posix.join(posix.dirname(from), path) : undefined
}
