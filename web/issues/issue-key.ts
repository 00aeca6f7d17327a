import type { IssuePoints } from '#contract/issues.ts'

/** The id of an issue in the URL: its source and its number, which is unique only within the source. */
export interface IssueKey {
  /** Null for the source that was received last. */
  source: string | null
  id: string
}

// Issues come from files or from a feed, which has a UUID.
const sourceKeyPattern = /^(files|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(.+)$/is

export const toIssueKey = (source: string, id: string): string => `${source}:${id}`

/** Parses a key such as `files:1042`, or a number without a source. */
export function parseIssueKey(text: string): IssueKey {
  const [, source, id] = sourceKeyPattern.exec(text) ?? []
  return source !== undefined && id !== undefined ? { source, id } : { source: null, id: text }
}

/** Returns the id of an issue's mark on the map, without slashes, which marks of several issues have. */
export const toMark = (key: string): string => key.replaceAll('%', '%25').replaceAll('/', '%2F')
export const fromMark = (mark: string): string => mark.replaceAll('%2F', '/').replaceAll('%25', '%')

/** Finds the index of an issue by its key; -1 if missing. A number without a source matches any source. */
export function findPointIndex(
  { id, source, sources }: Pick<IssuePoints, 'id' | 'source' | 'sources'>,
  key: string,
): number {
  const requested = parseIssueKey(key)
  if (requested.source === null) return id.indexOf(requested.id)
  const sourceIndex = sources.indexOf(requested.source)
  for (let index = id.indexOf(requested.id); index >= 0; index = id.indexOf(requested.id, index + 1))
    if (source[index] === sourceIndex) return index
  return -1
}
