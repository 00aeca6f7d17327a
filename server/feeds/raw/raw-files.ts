import path from 'node:path'

/** What stands in the first line of a kept answer: where it came from, without secrets, and what it answers. Times are ms. */
export interface RawHead {
  url: string
  status: number
  received: number
  stream: string
  /** The hour, day or month that was asked for; the time of receipt where none was. */
  piece: number
  page: number
  version: string
}

export const rawIn = (dataDir: string): string => path.join(dataDir, 'raw')

/** A folder for each region, feed and UTC day of receipt. */
export const rawFolder = (dataDir: string, regionId: string, feedId: string, received: number): string =>
  path.join(rawIn(dataDir), regionId, feedId, new Date(received).toISOString().slice(0, 10))

const stamp = (at: number): string => new Date(at).toISOString().replaceAll(/[:.]/g, '')

/** Names sort by receipt, then by page. */
export const rawName = ({ received, stream, piece, page }: RawHead): string =>
  `${stamp(received)}_${stream.replaceAll(/[^\w-]+/g, '_')}_${stamp(piece)}_${String(page).padStart(4, '0')}.gz`
