/** The first line of a retained response, which describes it. `url` has no secrets. Times: ms since 1970. */
export interface RawHead {
  url: string
  status: number
  received: number
  stream: string
  /** The start of the requested hour, day or month; the time of receipt for continuous streams. */
  windowStart: number
  page: number
  version: string
}

/** The prefix of raw input in the blob store. */
export const rawRoot = 'raw/'

/** Returns the prefix for a region, feed and UTC day of receipt. */
const getRawFolder = (regionId: string, feedId: string, received: number): string =>
  `${rawRoot}${regionId}/${feedId}/${new Date(received).toISOString().slice(0, 10)}/`

/** Formats a time (ms) for a file name, such as `2026-01-31T120000000Z`. */
const formatStamp = (time: number): string => new Date(time).toISOString().replaceAll(/[:.]/g, '')

/** Returns the key of a response in the blob store. Keys sort by receipt, then by page. */
export function getRawKey(
  { regionId, feedId }: { regionId: string; feedId: string },
  { received, stream, windowStart, page }: RawHead,
): string {
  const streamName = stream.replaceAll(/[^\w-]+/g, '_')
  const pageNumber = String(page).padStart(4, '0')
  const file = `${formatStamp(received)}_${streamName}_${formatStamp(windowStart)}_${pageNumber}.gz`
  return getRawFolder(regionId, feedId, received) + file
}
