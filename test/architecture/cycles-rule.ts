import type { Rule } from './rule.ts'
import type { SourceFile } from './source-file.ts'

/** Depth-first: an import that leads back onto the path just walked closes a cycle. */
export const cyclesRule: Rule = {
  number: '6',
  text: 'no import cycle, types counted',
  check(files) {
    const byPath = new Map(files.map((file) => [file.path, file]))
    const done = new Set<string>()
    return files.flatMap((file) => walk(file, [], byPath, done))
  },
}

function walk(
  file: SourceFile,
  path: string[],
  byPath: Map<string, SourceFile>,
  done: Set<string>,
): ReturnType<Rule['check']> {
  if (done.has(file.path)) return []
  const here = [...path, file.path]
  const breaches = file.imports.flatMap(({ target, line }) => {
    const next = target === undefined ? undefined : byPath.get(target)
    if (!next) return []
    const start = here.indexOf(next.path)
    if (start === -1) return walk(next, here, byPath, done)
    return [{ path: file.path, line, text: [...here.slice(start), next.path].join(' -> ') }]
  })
  done.add(file.path)
  return breaches
}
