/** MDS versions of the public feeds. The first is the default. */
export const feedVersions = ['2.0', '1.2'] as const
export type FeedVersion = (typeof feedVersions)[number]

const isServed = (version: string): version is FeedVersion =>
  (feedVersions as readonly string[]).includes(version)

/** Finds versions in an Accept header, such as `application/vnd.mds+json;version=2.0`. */
const versionPattern = /;\s*version\s*=\s*"?([^\s";,]*)"?/gi

/**
 * Returns the first supported version in an Accept header, or the default if it names none; null if it names
 * only others. Versions have no patch number.
 */
export function negotiateVersion(accept: string | null): FeedVersion | null {
  const requestedVersions = [...(accept ?? '').matchAll(versionPattern)].map(([, version = '']) => version)
  return requestedVersions.length ? (requestedVersions.find(isServed) ?? null) : feedVersions[0]
}

export const getMediaType = (version: FeedVersion): string => `application/vnd.mds+json;version=${version}`
