import path from 'node:path'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { ImportRow } from './read-import.ts'
import { loadStations, type StationPlace } from './stations/station-places.ts'

export const tripUploadsRoot = 'trip-files/'

/** The key of a received file by `import.file_path`, which older versions stored as a path of their server. */
export const tripFileKey = (filePath: string): string => tripUploadsRoot + path.basename(filePath)

/** The key of the stations of a received file, until its rows are stored. */
export const stationsKey = (filePath: string): string => `${tripFileKey(filePath)}.stations`

/** The received file of an import on this machine. */
export async function localTripFile(
  blobs: BlobStore,
  { file_path: filePath }: Pick<ImportRow, 'file_path'>,
): Promise<string> {
  const file = await blobs.localFile(tripFileKey(filePath))
  if (file === null) throw new TableFileError('The received file is no longer on the server. Send it again.')
  return file
}

/** The stations of a received file. */
export async function localStations(
  blobs: BlobStore,
  { file_path: filePath }: Pick<ImportRow, 'file_path'>,
): Promise<(text: string) => StationPlace> {
  const file = await blobs.localFile(stationsKey(filePath))
  if (file === null) throw new TableFileError('The stations of this file are gone. Send them again.')
  return loadStations(file)
}

/** Removes a received file with its stations. */
export async function removeTripFile(blobs: BlobStore, filePath: string): Promise<void> {
  await blobs.delete(tripFileKey(filePath))
  await blobs.delete(stationsKey(filePath))
}
