import path from 'node:path'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { ImportRow } from './read-import.ts'
import { loadStations, type StationPlace } from './stations/station-places.ts'

/** The prefix of received files in the blob store. */
export const tripUploadsRoot = 'trip-files/'

/** Returns the blob key of a received file, from `import.file_path`: a path on a server in older versions. */
export const getTripFileKey = (filePath: string): string => tripUploadsRoot + path.basename(filePath)

/** Returns the blob key of the stations of a received file, which are stored until its rows are stored. */
export const getStationsKey = (filePath: string): string => `${getTripFileKey(filePath)}.stations`

/** Finds the received file of an import on this machine. @throws TableFileError if it is missing. */
export async function findLocalTripFile(
  blobs: BlobStore,
  { file_path: filePath }: Pick<ImportRow, 'file_path'>,
): Promise<string> {
  const file = await blobs.localFile(getTripFileKey(filePath))
  if (file === null) throw new TableFileError('The received file is no longer on the server. Send it again.')
  return file
}

/** Reads the station lookup of a received file. @throws TableFileError if the stations are missing. */
export async function readLocalStations(
  blobs: BlobStore,
  { file_path: filePath }: Pick<ImportRow, 'file_path'>,
): Promise<(text: string) => StationPlace> {
  const file = await blobs.localFile(getStationsKey(filePath))
  if (file === null) throw new TableFileError('The stations of this file are gone. Send them again.')
  return loadStations(file)
}

/** Removes a received file with its stations. */
export async function removeTripFile(blobs: BlobStore, filePath: string): Promise<void> {
  await blobs.delete(getTripFileKey(filePath))
  await blobs.delete(getStationsKey(filePath))
}
