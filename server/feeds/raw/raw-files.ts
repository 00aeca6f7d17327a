/** The first line of a retained response: its address without secrets, and what it is. Times are ms. */
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

/** The folder of raw input in the blob store. */
export const rawRoot = 'raw/'

/** The folder of a region, feed and UTC day of receipt. */
const rawFolder = (regionId: string, feedId: string, received: number): string =>
  `${rawRoot}${regionId}/${feedId}/${new Date(received).toISOString().slice(0, 10)}/`

const stamp = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '')

/** Where a response is stored. Names sort by receipt, then by page. */
export const rawKey = (
  { regionId, feedId }: { regionId: string; feedId: string },
  { received, stream, windowStart, page }: RawHead,
): string =>
  `${rawFolder(regionId, feedId, received)}${stamp(received)}_${stream.replaceAll(/[^\w-]+/g, '_')}_${stamp(windowStart)}_${String(page).padStart(4, '0')}.gz`
