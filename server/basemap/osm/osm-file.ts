import fs, { type FileHandle } from 'node:fs/promises'
import { type Blob, listBlobs, unpackBlob } from './blobs.ts'
import { OsmFileError } from './osm-file-error.ts'
import { type BlockKinds, readBlock, type Visitor } from './read-block.ts'
import { WireReader } from './wire-reader.ts'

const supportedFeatures = ['OsmSchema-V0.6', 'DenseNodes']

/** Checks the features that a file requires. @throws OsmFileError if one is not supported. */
function checkHeader(bytes: Uint8Array): void {
  const reader = new WireReader(bytes)
  for (let field = reader.readField(); field !== 0; field = reader.readField()) {
    if (field !== 4) {
      reader.skip()
      continue
    }
    const feature = reader.readText()
    if (feature === 'HistoricalInformation')
      throw new OsmFileError('This is a history file: it contains all past versions. Use a current extract.')
    if (!supportedFeatures.includes(feature))
      throw new OsmFileError(
        `The file requires the feature '${feature.slice(0, 60)}', which is not supported.`,
      )
  }
}

/** Receives the progress of a pass through the file, as a share from 0 to 1. */
export type OnShare = (share: number) => void

/** An OpenStreetMap file that can be read several times. One block at a time is in memory. */
export class OsmFile {
  readonly #handle: FileHandle
  readonly #blobs: readonly Blob[]
  readonly #kinds: (BlockKinds | undefined)[] = []
  private constructor(handle: FileHandle, blobs: readonly Blob[]) {
    this.#handle = handle
    this.#blobs = blobs
  }

  /** Opens a file and checks its headers. @throws OsmFileError if it is invalid. */
  static async open(path: string): Promise<OsmFile> {
    const handle = await fs.open(path)
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) throw new OsmFileError('This is not a file.')
      const blobs = await listBlobs(handle, stats.size)
      for (const blob of blobs) if (blob.type === 'OSMHeader') checkHeader(await unpackBlob(handle, blob))
      if (!blobs.some(({ type }) => type === 'OSMData'))
        throw new OsmFileError('The file contains only a header.')
      return new OsmFile(handle, blobs)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Reads the blocks that may contain objects of the kinds that the visitor has callbacks for. */
  async read(visitor: Visitor, onShare: OnShare = () => undefined): Promise<void> {
    for (const [index, blob] of this.#blobs.entries()) {
      const kinds = this.#kinds[index]
      const isNeeded =
        !kinds ||
        (kinds.nodes && visitor.node) ||
        (kinds.ways && visitor.way) ||
        (kinds.relations && visitor.relation)
      if (blob.type === 'OSMData' && isNeeded)
        this.#kinds[index] = readBlock(await unpackBlob(this.#handle, blob), visitor)
      onShare((index + 1) / this.#blobs.length)
    }
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
