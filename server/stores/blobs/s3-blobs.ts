import fs from 'node:fs'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { ReadableStream } from 'node:stream/web'
import { checkKey } from './blob-key.ts'
import type { BlobInfo, BlobStore } from './blob-store.ts'
import { encodePart, type S3Credentials, sha256Hex, signRequest, signUrl } from './sign-request.ts'

/** Settings of a bucket, from BLOB_URL. */
export interface S3Settings extends S3Credentials {
  /** Origin of the service; the bucket is the first segment of paths. */
  endpoint: string
  bucket: string
  /** Prefix of all keys: empty, or with a trailing slash. */
  prefix: string
  /** Request headers for server-side encryption. */
  encryption: Record<string, string>
  /** Whether browsers download exports from the service itself, by signed URLs. */
  isDirect: boolean
}

const s3UrlForm = 'key:secret@host:port/bucket/prefix?region=…&sse=AES256&downloads=direct'

/** Parses `s3://key:secret@host/bucket/prefix`; throws an Error with the reason if it is invalid. */
export function readS3Url(url: URL): S3Settings {
  const [bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/').filter(Boolean)
  const known = ['region', 'sse', 'sse_key_id', 'tls', 'downloads']
  const unknown = [...url.searchParams.keys()].filter((name) => !known.includes(name))
  const sse = url.searchParams.get('sse')
  const keyId = url.searchParams.get('sse_key_id')
  if (!url.username || !url.password || !url.host || !bucket)
    throw new Error(`it must look like s3://${s3UrlForm}`)
  if (unknown.length) throw new Error(`it has unknown options: ${unknown.join(', ')}`)
  if (sse !== null && sse !== 'AES256' && sse !== 'aws:kms') throw new Error('sse must be AES256 or aws:kms')
  return {
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: `${url.searchParams.get('tls') === 'off' ? 'http' : 'https'}://${url.host}`,
    bucket,
    prefix: rest.map((part) => `${part}/`).join(''),
    encryption: {
      ...(sse ? { 'x-amz-server-side-encryption': sse } : {}),
      ...(keyId ? { 'x-amz-server-side-encryption-aws-kms-key-id': keyId } : {}),
    },
    isDirect: url.searchParams.get('downloads') === 'direct',
  }
}

/** Larger files are uploaded in parts of this size. S3 accepts at most 10,000 parts. */
export const defaultPartBytes = 16 << 20
const maxParts = 10_000
const [maxTries, retryMs, requestMs] = [4, 200, 120_000]
/** Local copies are removed if they were not used for this time. */
const cacheMs = 24 * 3600_000

/** The service refused a request, or cannot be reached. */
export class S3Error extends Error {
  override name = 'S3Error'
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const unescapeXml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))].map(([, text = '']) =>
    unescapeXml(text),
  )
/** Keys in lists are percent-encoded on request, because XML cannot represent every character. */
const keysOf = (xml: string, element: string): string[] =>
  textsOf(xml, element).map((text) => decodeURIComponent(text.replaceAll('+', ' ')))

interface S3Options {
  url: URL
  /** Folder of local copies, for readers that need random access. */
  cacheFolder: string
  now: () => Date
  partBytes?: number
}

interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
}

/** Files of a bucket of an S3-compatible service, addressed by path. */
export function openS3Blobs({ url, cacheFolder, now, partBytes = defaultPartBytes }: S3Options): BlobStore {
  const settings = readS3Url(url)
  const { endpoint, bucket, prefix, encryption } = settings
  const urlOf = (key: string, query: Record<string, string> = {}): URL => {
    const parts = [bucket, ...(key === '' ? [] : (prefix + key).split('/'))]
    const target = new URL(`/${parts.map(encodePart).join('/')}`, endpoint)
    // Must equal the query in the signature; URLSearchParams would encode a space as +.
    target.search = Object.entries(query)
      .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
      .join('&')
    return target
  }
  const trySend = async ({ method, key = '', query, headers = {}, body }: S3Request): Promise<Response> => {
    const target = urlOf(key, query)
    const payloadHash = sha256Hex(body ?? '')
    const response = await fetch(target, {
      method,
      headers: signRequest(settings, { method, url: target, headers, payloadHash, at: now() }),
      body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
      redirect: 'error',
      signal: AbortSignal.timeout(requestMs),
    })
    if (response.ok || response.status === 404) return response
    const text = await response.text().catch(() => '')
    const [code = ''] = textsOf(text, 'Code')
    throw new S3Error(
      response.status,
      `The blob store answered ${response.status} ${code} to ${method} ${key || bucket}`,
    )
  }
  /** Retries failures of the network and of the service. */
  const send = async (request: S3Request): Promise<Response> => {
    for (let attempt = 1; ; attempt++)
      try {
        return await trySend(request)
      } catch (error) {
        const isTransient = !(error instanceof S3Error) || error.status >= 500 || error.status === 429
        if (!isTransient || attempt >= maxTries) throw error
        await wait(retryMs * 2 ** attempt)
      }
  }
  const expectFound = async (request: S3Request): Promise<string> => {
    const response = await send(request)
    const text = await response.text()
    // Completing a multipart upload may fail after status 200 was sent; the error is in the body.
    if (response.status === 404 || text.includes('<Error>'))
      throw new S3Error(
        response.status,
        `The blob store has no bucket or upload for ${request.key ?? bucket}`,
      )
    return text
  }
  const put = async (key: string, body: Uint8Array): Promise<void> => {
    await expectFound({ method: 'PUT', key: checkKey(key), headers: encryption, body })
  }
  const putParts = async (key: string, file: string, bytes: number): Promise<void> => {
    const size = Math.max(partBytes, Math.ceil(bytes / maxParts))
    const started = await expectFound({ method: 'POST', key, query: { uploads: '' }, headers: encryption })
    const [uploadId = ''] = textsOf(started, 'UploadId')
    const handle = await fs.promises.open(file)
    try {
      const tags: string[] = []
      for (let offset = 0; offset < bytes; offset += size) {
        const part = Buffer.alloc(Math.min(size, bytes - offset))
        await handle.read(part, 0, part.length, offset)
        const query = { partNumber: String(tags.length + 1), uploadId }
        const response = await send({ method: 'PUT', key, query, body: part })
        if (!response.ok) throw new S3Error(response.status, `The upload of ${key} is gone`)
        await response.arrayBuffer()
        tags.push(response.headers.get('etag') ?? '')
      }
      const list = tags.map(
        (tag, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
      )
      await expectFound({
        method: 'POST',
        key,
        query: { uploadId },
        body: Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`),
      })
    } catch (error) {
      // Parts of an unfinished upload would be stored, and paid for, forever.
      await send({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined)
      throw error
    } finally {
      await handle.close()
    }
  }
  const get = async (key: string): Promise<Readable | null> => {
    const response = await send({ method: 'GET', key: checkKey(key) })
    if (response.status === 404 || !response.body) {
      await response.arrayBuffer()
      return response.status === 404 ? null : Readable.from([])
    }
    return Readable.fromWeb(response.body as unknown as ReadableStream)
  }
  const pages = async function* (folder: string, more: Record<string, string>): AsyncGenerator<string> {
    let token: string | undefined
    do {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        prefix: prefix + checkKey(folder),
        ...more,
        ...(token ? { 'continuation-token': token } : {}),
      }
      const xml = await expectFound({ method: 'GET', query })
      yield xml
      token = textsOf(xml, 'NextContinuationToken')[0]
    } while (token)
  }
  async function* list(folder: string): AsyncGenerator<BlobInfo> {
    for await (const xml of pages(folder, {}))
      for (const item of xml.match(/<Contents>[\s\S]*?<\/Contents>/g) ?? []) {
        const [key = ''] = keysOf(item, 'Key')
        const [size, modified] = [textsOf(item, 'Size')[0], textsOf(item, 'LastModified')[0]]
        yield { key: key.slice(prefix.length), bytes: Number(size), modified: new Date(modified ?? 0) }
      }
  }
  const cachedFile = (key: string): string => path.join(cacheFolder, sha256Hex(key))
  const removeOldCopies = async (): Promise<void> => {
    for (const name of await fs.promises.readdir(cacheFolder).catch(() => [])) {
      const file = path.join(cacheFolder, name)
      const stat = await fs.promises.stat(file).catch(() => null)
      if (stat && now().getTime() - stat.mtimeMs > cacheMs) await fs.promises.rm(file, { force: true })
    }
  }
  const remove = async (key: string): Promise<void> => {
    await (await send({ method: 'DELETE', key: checkKey(key) })).arrayBuffer()
    await fs.promises.rm(cachedFile(key), { force: true })
  }
  return {
    name: `${endpoint}/${bucket}/${prefix}`,
    directory: null,
    put,
    async putFile(key, file, { retainsOriginal = false } = {}) {
      checkKey(key)
      const { size } = await fs.promises.stat(file)
      await (size > partBytes ? putParts(key, file, size) : put(key, await fs.promises.readFile(file)))
      if (!retainsOriginal) await fs.promises.rm(file, { force: true })
    },
    get,
    async localFile(key) {
      const file = cachedFile(key)
      await removeOldCopies()
      const cached = await fs.promises.stat(file).catch(() => null)
      if (cached) {
        await fs.promises.utimes(file, now(), now())
        return file
      }
      const stream = await get(key)
      if (!stream) return null
      await fs.promises.mkdir(cacheFolder, { recursive: true, mode: 0o700 })
      const part = `${file}.${randomUUID().slice(0, 8)}`
      await pipeline(stream, fs.createWriteStream(part, { mode: 0o600 }))
      await fs.promises.rename(part, file)
      return file
    },
    async head(key) {
      const response = await send({ method: 'HEAD', key: checkKey(key) })
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
      for await (const xml of pages(folder, { delimiter: '/' }))
        for (const item of xml.match(/<CommonPrefixes>[\s\S]*?<\/CommonPrefixes>/g) ?? [])
          for (const key of keysOf(item, 'Prefix')) names.push(key.slice((prefix + folder).length, -1))
      return names
    },
    signedUrl(key, { seconds, contentType, contentDisposition }) {
      if (!settings.isDirect) return null
      const target = urlOf(checkKey(key), {
        'response-content-disposition': contentDisposition,
        'response-content-type': contentType,
      })
      return signUrl(settings, target, seconds, now()).href
    },
  }
}
