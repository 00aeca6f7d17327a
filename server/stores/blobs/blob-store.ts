import type { Readable } from 'node:stream'

/** A stored file. */
export interface BlobInfo {
  key: string
  bytes: number
  modified: Date
}

/** The validity of a link to a file, and headers of its response. */
export interface SignedLink {
  /** Validity from now on, at most a week. */
  seconds: number
  contentType: string
  contentDisposition: string
}

/**
 * Files that all servers of an installation see: raw input, uploads, exports, logos. A key is a path with
 * `/`, such as `exports/ID`. Writes are atomic.
 */
export interface BlobStore {
  /** Describes the store in messages; contains no secrets. */
  readonly name: string
  /** The folder of this machine that contains the files; null if another service stores them. */
  readonly directory: string | null
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Stores a file of this machine and removes the original, unless `retainsOriginal` is set. */
  putFile(key: string, file: string, options?: { retainsOriginal?: boolean }): Promise<void>
  /** The content; null if the file does not exist. */
  get(key: string): Promise<Readable | null>
  /** Path of a local, read-only copy of the file; null if it does not exist. */
  localFile(key: string): Promise<string | null>
  head(key: string): Promise<BlobInfo | null>
  /** Removes a file, if it exists. */
  delete(key: string): Promise<void>
  /** Removes all files in a folder (`raw/REGION/`) and its subfolders. */
  deleteAll(folder: string): Promise<void>
  /** All files in a folder and its subfolders, ordered by key. */
  list(folder: string): AsyncIterable<BlobInfo>
  /** Names of the folders within a folder. */
  folders(folder: string): Promise<string[]>
  /** A URL from which browsers read the file without signing in; null if the server has to send it. */
  signedUrl(key: string, link: SignedLink): string | null
}

/** Reads the content of a file; null if it does not exist. */
export async function readBlob(blobs: Pick<BlobStore, 'get'>, key: string): Promise<Buffer | null> {
  const stream = await blobs.get(key)
  if (!stream) return null
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
