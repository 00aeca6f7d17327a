import type { IssuePoints } from '#contract/issues.ts'
import { readKey } from './issue-key.ts'

/** Index of an issue among the points by its key, or -1; a number alone finds the first of whatever source. */
export function findPoint(
  { id, source, sources }: Pick<IssuePoints, 'id' | 'source' | 'sources'>,
  key: string,
): number {
  const wanted = readKey(key)
  if (wanted.source === null) return id.indexOf(wanted.id)
  const from = sources.indexOf(wanted.source)
  for (let at = id.indexOf(wanted.id); at >= 0; at = id.indexOf(wanted.id, at + 1))
    if (source[at] === from) return at
  return -1
}
