import type { IssuePoints } from '#contract/issues.ts'

/** What an issue is called in the address bar: its source and its number, which two sources may share. */
export interface IssueKey {
  /** Null: whichever source told it last. */
  source: string | null
  id: string
}

// Issues come from files or from a feed, whose id is a UUID.
const withSource = /^(files|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(.+)$/is

export const keyText = (source: string, id: string): string => `${source}:${id}`

/** The source and the number of a key; a number alone will do. */
export function readKey(text: string): IssueKey {
  const [, source, id] = withSource.exec(text) ?? []
  return source !== undefined && id !== undefined ? { source, id } : { source: null, id: text }
}

/** A key as the map's marks take it: without a slash, which marks of many have. */
export const markOf = (key: string): string => key.replaceAll('%', '%25').replaceAll('/', '%2F')
export const keyOfMark = (mark: string): string => mark.replaceAll('%2F', '/').replaceAll('%25', '%')

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
