import fs from 'node:fs'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { checkKey } from './blob-key.ts'
import type { BlobInfo, BlobStore } from './blob-store.ts'
import { readKeys, readS3Url, S3Client, S3Error, readTexts } from './s3-client.ts'
import { sha256Hex } from './sign-request.ts'

/** Larger files are uploaded in parts of this size. S3 accepts at most 10,000 parts. */
export const defaultPartBytes = 16 << 20
const maxParts = 10_000
/** Local copies are removed if they were not used for this time. */
const cacheMs = 24 * 3600_000

interface S3Options {
  url: URL
  /** Folder of local copies, for readers that need random access. */
  cacheFolder: string
  now: () => Date
  partBytes?: number
}

/** Opens the files of a bucket of an S3-compatible service, addressed by path. */
export function openS3Blobs({ url, cacheFolder, now, partBytes = defaultPartBytes }: S3Options): BlobStore {
  const client = new S3Client(readS3Url(url), now)
  const { endpoint, bucket, prefix, encryption, isDirect } = client.settings
  const copies = new LocalCopies(cacheFolder, now)
  const put = async (key: string, body: Uint8Array): Promise<void> => {
    await client.sendForText({ method: 'PUT', key: checkKey(key), headers: encryption, body })
  }
  const get = async (key: string): Promise<Readable | null> => {
    const response = await client.send({ method: 'GET', key: checkKey(key) })
    if (response.status === 404 || !response.body) {
      await response.arrayBuffer()
      return response.status === 404 ? null : Readable.from([])
    }
    return Readable.fromWeb(response.body as unknown as ReadableStream)
  }
  async function* list(folder: string): AsyncGenerator<BlobInfo> {
    for await (const xml of client.listPages(checkKey(folder)))
      for (const item of xml.match(/<Contents>[\s\S]*?<\/Contents>/g) ?? []) {
        const [key = ''] = readKeys(item, 'Key')
        const [size] = readTexts(item, 'Size')
        const [modified = 0] = readTexts(item, 'LastModified')
        yield { key: key.slice(prefix.length), bytes: Number(size), modified: new Date(modified) }
      }
  }
  const remove = async (key: string): Promise<void> => {
    await (await client.send({ method: 'DELETE', key: checkKey(key) })).arrayBuffer()
    await copies.remove(key)
  }
  return {
    name: `${endpoint}/${bucket}/${prefix}`,
    directory: null,
    put,
    async putFile(key, file, { retainsOriginal = false } = {}) {
      checkKey(key)
      const { size } = await fs.promises.stat(file)
      await (size > partBytes
        ? putParts(client, key, { file, bytes: size, partBytes })
        : put(key, await fs.promises.readFile(file)))
      if (!retainsOriginal) await fs.promises.rm(file, { force: true })
    },
    get,
    localFile: (key) => copies.find(key, () => get(key)),
    async head(key) {
      const response = await client.send({ method: 'HEAD', key: checkKey(key) })
      if (response.status === 404) return null
      const { headers } = response
      return {
        key,
        bytes: Number(headers.get('content-length')),
        modified: new Date(headers.get('last-modified') ?? 0),
      }
    },
    delete: remove,
    async deleteAll(folder) {
      for await (const { key } of list(folder)) await remove(key)
    },
    list,
    async folders(folder) {
      const names: string[] = []
      for await (const xml of client.listPages(checkKey(folder), { delimiter: '/' }))
        for (const item of xml.match(/<CommonPrefixes>[\s\S]*?<\/CommonPrefixes>/g) ?? [])
          for (const key of readKeys(item, 'Prefix')) names.push(key.slice((prefix + folder).length, -1))
      return names
    },
    signedUrl(key, { seconds, contentType, contentDisposition }) {
      if (!isDirect) return null
      const query = {
        'response-content-disposition': contentDisposition,
        'response-content-type': contentType,
      }
      return client.signedUrl(checkKey(key), query, seconds)
    },
  }
}

interface PartUpload {
  file: string
  /** Size of the file. */
  bytes: number
  partBytes: number
}

/** Uploads a file in parts, and removes the parts if one fails. */
async function putParts(
  client: S3Client,
  key: string,
  { file, bytes, partBytes }: PartUpload,
): Promise<void> {
  const partSize = Math.max(partBytes, Math.ceil(bytes / maxParts))
  const startResponse = await client.sendForText({
    method: 'POST',
    key,
    query: { uploads: '' },
    headers: client.settings.encryption,
  })
  const [uploadId = ''] = readTexts(startResponse, 'UploadId')
  const handle = await fs.promises.open(file)
  try {
    const tags: string[] = []
    for (let offset = 0; offset < bytes; offset += partSize) {
      const bytesOfPart = Buffer.alloc(Math.min(partSize, bytes - offset))
      await handle.read(bytesOfPart, 0, bytesOfPart.length, offset)
      const query = { partNumber: String(tags.length + 1), uploadId }
      const response = await client.send({ method: 'PUT', key, query, body: bytesOfPart })
      if (!response.ok) throw new S3Error(response.status, `The upload of ${key} is gone`)
      await response.arrayBuffer()
      tags.push(response.headers.get('etag') ?? '')
    }
    const partElements = tags.map(
      (tag, index) =>
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
    )
    await client.sendForText({
      method: 'POST',
      key,
      query: { uploadId },
      body: Buffer.from(`<CompleteMultipartUpload>${partElements.join('')}</CompleteMultipartUpload>`),
    })
  } catch (error) {
    // Parts of an unfinished upload would be stored, and paid for, forever.
    await client.send({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

/** Copies of blobs in a local folder. */
class LocalCopies {
  readonly #folder: string
  readonly #now: () => Date

  constructor(folder: string, now: () => Date) {
    this.#folder = folder
    this.#now = now
  }

  /** Finds the path of the copy of a blob, which is read if there is none yet; null without such a blob. */
  async find(key: string, read: () => Promise<Readable | null>): Promise<string | null> {
    const file = this.#toFilePath(key)
    await this.#removeOld()
    const cached = await fs.promises.stat(file).catch(() => null)
    if (cached) {
      await fs.promises.utimes(file, this.#now(), this.#now())
      return file
    }
    const stream = await read()
    if (!stream) return null
    await fs.promises.mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const partFile = `${file}.${randomUUID().slice(0, 8)}`
    await pipeline(stream, fs.createWriteStream(partFile, { mode: 0o600 }))
    await fs.promises.rename(partFile, file)
    return file
  }

  async remove(key: string): Promise<void> {
    await fs.promises.rm(this.#toFilePath(key), { force: true })
  }

  #toFilePath(key: string): string {
    return path.join(this.#folder, sha256Hex(key))
  }

  async #removeOld(): Promise<void> {
    for (const name of await fs.promises.readdir(this.#folder).catch(() => [])) {
      const file = path.join(this.#folder, name)
      const stat = await fs.promises.stat(file).catch(() => null)
      if (stat && this.#now().getTime() - stat.mtimeMs > cacheMs) await fs.promises.rm(file, { force: true })
    }
  }
}
