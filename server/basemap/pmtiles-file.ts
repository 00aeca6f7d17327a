import fs, { type FileHandle } from 'node:fs/promises'
import { BasemapFileError } from './basemap-file-error.ts'
import { type PmtilesAbout, readPmtiles } from './read-pmtiles.ts'

/** The open file at one moment. */
export interface OpenPmtiles {
  handle: FileHandle
  size: number
  /** Changes whenever the file is replaced. */
  etag: string
}

/** The tile file of a deployment. It may be replaced while the server runs. */
export class PmtilesFile {
  readonly #path: string
  #known: { etag: string; about: PmtilesAbout } | null = null
  constructor(path: string) {
    this.#path = path
  }

  /** Must be closed by the caller. */
  async open(): Promise<OpenPmtiles> {
    const handle = await fs.open(this.#path).catch((error: NodeJS.ErrnoException) => {
      throw new BasemapFileError(
        error.code === 'ENOENT'
          ? 'there is no such file'
          : `it cannot be opened (${error.code ?? 'unknown'})`,
      )
    })
    const about = await handle.stat()
    if (!about.isFile()) {
      await handle.close()
      throw new BasemapFileError('it is not a file')
    }
    return {
      handle,
      size: about.size,
      etag: `"${about.size.toString(36)}-${Math.round(about.mtimeMs).toString(36)}-${about.ino.toString(36)}"`,
    }
  }

  /** Its description; read again when the file was replaced. */
  async about(): Promise<PmtilesAbout & { etag: string }> {
    const { handle, etag } = await this.open()
    try {
      if (this.#known?.etag !== etag) this.#known = { etag, about: await readPmtiles(handle) }
      return { ...this.#known.about, etag }
    } finally {
      await handle.close()
    }
  }
}
