import { posix } from 'node:path'

/** The repository path that an import means (`#contract/x.ts`, `./x.ts`), without vite's `?url`; nothing for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  const path = specifier.replace(/\?.*$/, '')
  if (/^#(?:contract|server|web)\//.test(path)) return path.slice(1)
  return path.startsWith('.') ? posix.join(posix.dirname(from), path) : undefined
}

/** `@deck.gl/core/typed` -> `@deck.gl/core`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
