import path from 'node:path'

/** The first line of a retained response: its address without secrets, and what it is. Times are ms. */
export interface RawHead {
  url: string
  status: number
  received: number
  stream: string
  /** The start of the requested hour, day or month; the time of receipt for continuous streams. */
  piece: number
  page: number
  version: string
}

export const rawIn = (dataDir: string): string => path.join(dataDir, 'raw')

/** The folder of a region, feed and UTC day of receipt. */
export const rawFolder = (dataDir: string, regionId: string, feedId: string, received: number): string =>
  path.join(rawIn(dataDir), regionId, feedId, new Date(received).toISOString().slice(0, 10))

const stamp = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '')

/** Names sort by receipt, then by page. */
export const rawName = ({ received, stream, piece, page }: RawHead): string =>
  `${stamp(received)}_${stream.replaceAll(/[^\w-]+/g, '_')}_${stamp(piece)}_${String(page).padStart(4, '0')}.gz`
