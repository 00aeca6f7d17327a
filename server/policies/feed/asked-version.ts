/** Versions of MDS that the public feeds speak; the first where nothing is said. */
export const feedVersions = ['2.0', '1.2'] as const
export type FeedVersion = (typeof feedVersions)[number]

const isServed = (version: string): version is FeedVersion =>
  (feedVersions as readonly string[]).includes(version)

/** The version that an Accept header names first among those that are served; null: it names others only. Versions are named without their patch. */
export function askedVersion(accept: string | null): FeedVersion | null {
  const named = [...(accept ?? '').matchAll(/;\s*version\s*=\s*"?([^\s";,]*)"?/gi)].map(
    ([, version = '']) => version,
  )
  return named.length ? (named.find(isServed) ?? null) : feedVersions[0]
}

export const mediaType = (version: FeedVersion): string => `application/vnd.mds+json;version=${version}`
