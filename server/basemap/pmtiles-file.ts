import fs, { type FileHandle } from 'node:fs/promises'
import { BasemapFileError } from './basemap-file-error.ts'
import { type PmtilesMetadata, readPmtiles } from './read-pmtiles.ts'

/** An opened tile file. */
export interface OpenPmtiles {
  handle: FileHandle
  size: number
  /** Changes whenever the file is replaced. */
  etag: string
}

/** The tile file of a deployment. It may be replaced while the server runs. */
export class PmtilesFile {
  readonly #path: string
  #cached: { etag: string; metadata: PmtilesMetadata } | null = null
  constructor(path: string) {
    this.#path = path
  }

  /** Opens the current file; the caller must close the handle. @throws BasemapFileError */
  async open(): Promise<OpenPmtiles> {
    const handle = await fs.open(this.#path).catch((error: NodeJS.ErrnoException) => {
      throw new BasemapFileError(
        error.code === 'ENOENT'
          ? 'there is no such file'
          : `it cannot be opened (${error.code ?? 'unknown'})`,
      )
    })
    const stats = await handle.stat()
    if (!stats.isFile()) {
      await handle.close()
      throw new BasemapFileError('it is not a file')
    }
    return {
      handle,
      size: stats.size,
      etag: `"${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}-${stats.ino.toString(36)}"`,
    }
  }

  /** Returns the file's metadata, read only if the file was replaced since the last call. */
  async readMetadata(): Promise<PmtilesMetadata & { etag: string }> {
    const { handle, etag } = await this.open()
    try {
      if (this.#cached?.etag !== etag) this.#cached = { etag, metadata: await readPmtiles(handle) }
      return { ...this.#cached.metadata, etag }
    } finally {
      await handle.close()
    }
  }
}
