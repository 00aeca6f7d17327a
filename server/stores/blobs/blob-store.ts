import type { Readable } from 'node:stream'

/** A stored file. */
export interface BlobInfo {
  key: string
  bytes: number
  modified: Date
}

/** How a link to a file is to be answered. */
export interface SignedLink {
  /** From now, at most a week. */
  seconds: number
  contentType: string
  contentDisposition: string
}

/**
 * Files that all servers of an installation see: raw input, uploads, exports, logos. A key is a path with `/`, such as
 * `exports/ID`. A file appears whole or not at all.
 */
export interface BlobStore {
  /** What it is, for messages; without secrets. */
  readonly name: string
  /** A folder of this machine that the files are in; null: another service. */
  readonly directory: string | null
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Stores a file of this machine, which is removed unless it is to stay. */
  putFile(key: string, file: string, options?: { stays?: boolean }): Promise<void>
  /** Null: there is none. */
  get(key: string): Promise<Readable | null>
  /** A file on this machine with the content, which must not be changed; null: there is none. */
  localFile(key: string): Promise<string | null>
  head(key: string): Promise<BlobInfo | null>
  /** Removes a file, if there is one. */
  delete(key: string): Promise<void>
  /** Removes all files with keys that begin with a folder (`raw/REGION/`). */
  deleteAll(folder: string): Promise<void>
  /** All files with keys that begin with a folder, ordered by key. */
  list(folder: string): AsyncIterable<BlobInfo>
  /** Names of the folders within a folder. */
  folders(folder: string): Promise<string[]>
  /** A URL from which browsers read the file without a sign-in; null: the server has to send it. */
  signedUrl(key: string, link: SignedLink): string | null
}

/** The whole content of a file; null: there is none. */
export async function readBlob(blobs: Pick<BlobStore, 'get'>, key: string): Promise<Buffer | null> {
  const stream = await blobs.get(key)
  if (!stream) return null
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
