import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { getErrorMessage } from '#contract/problem-text.ts'
import { SettingError } from '#server/config.ts'
import type { BlobStore } from './blob-store.ts'
import { openDirectoryBlobs } from './directory-blobs.ts'
import { openS3Blobs } from './s3-blobs.ts'

interface BlobLocation {
  /** `file:///…` or `s3://…`. */
  blobUrl: string
  dataDir: string
}

/** Opens the store of BLOB_URL. */
export function openBlobStore({ blobUrl, dataDir }: BlobLocation, now: () => Date): BlobStore {
  const url = new URL(blobUrl)
  if (url.protocol !== 's3:') return openDirectoryBlobs(fileURLToPath(url))
  try {
    return openS3Blobs({ url, cacheFolder: path.join(dataDir, 'blob-cache'), now })
  } catch (error) {
    throw new SettingError(`BLOB_URL: ${getErrorMessage(error)}.`)
  }
}
