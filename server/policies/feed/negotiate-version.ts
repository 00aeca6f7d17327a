/** MDS versions of the public feeds. The first is the default. */
export const feedVersions = ['2.0', '1.2'] as const
export type FeedVersion = (typeof feedVersions)[number]

const isServed = (version: string): version is FeedVersion =>
  (feedVersions as readonly string[]).includes(version)

/**
 * Returns the first supported version in an Accept header; null if it lists only others. Versions have no
 * patch number.
 */
export function negotiateVersion(accept: string | null): FeedVersion | null {
  const named = [...(accept ?? '').matchAll(/;\s*version\s*=\s*"?([^\s";,]*)"?/gi)].map(
    ([, version = '']) => version,
  )
  return named.length ? (named.find(isServed) ?? null) : feedVersions[0]
}

export const getMediaType = (version: FeedVersion): string => `application/vnd.mds+json;version=${version}`
