// An in-memory S3 service with path-style URLs and XML responses like Amazon's. It checks signatures with the code
// under test; `sign-request.test.ts` compares that code with Amazon's examples.
import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sha256Hex, signRequest, signUrl } from '#server/stores/blobs/sign-request.ts'

interface StoredObject {
  bytes: Buffer
  modified: Date
  encryption: string | null
}

export interface FakeS3 {
  /** URL of the bucket, with credentials. */
  url: string
  objects: Map<string, StoredObject>
  /** Number of multipart uploads that were neither completed nor aborted. */
  openUploads(): number
  /** Responds to the next requests with 503. */
  failNext(requests: number): void
  close(): Promise<void>
}

export const fakeCredentials = { accessKey: 'AKTEST/1', secretKey: 'secret/+key', region: 'eu-test-1' }
const bucket = 'city files'
/** Small, so that lists have several pages. */
const pageSize = 3

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Parses a time such as `20130524T000000Z`. */
const parseStamp = (stamp: string): Date =>
  new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

/** Checks whether the signature of a request matches its method, URL, headers and body. */
function isSigned(request: http.IncomingMessage, url: URL, body: Buffer): boolean {
  const { headers, method = 'GET' } = request
  if (url.searchParams.has('X-Amz-Signature')) {
    const unsigned = new URL(url)
    for (const name of url.searchParams.keys())
      if (name.startsWith('X-Amz-')) unsigned.searchParams.delete(name)
    const signedAt = parseStamp(url.searchParams.get('X-Amz-Date') ?? '')
    const seconds = Number(url.searchParams.get('X-Amz-Expires'))
    const expected = signUrl(fakeCredentials, unsigned, seconds, signedAt).searchParams.get('X-Amz-Signature')
    return (
      method === 'GET' &&
      expected === url.searchParams.get('X-Amz-Signature') &&
      signedAt.getTime() + seconds * 1000 > Date.now()
    )
  }
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '') ?? []
  const signed = Object.fromEntries(
    names
      .split(';')
      .filter((name) => !['host', 'x-amz-date', 'x-amz-content-sha256'].includes(name))
      .map((name) => [name, String(headers[name])]),
  )
  const expected = signRequest(fakeCredentials, {
    method,
    url,
    headers: signed,
    payloadHash: sha256Hex(body),
    at: parseStamp(String(headers['x-amz-date'])),
  })
  return expected['authorization'] === headers.authorization
}

export async function openFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Map<number, Buffer>>()
  let failures = 0
  const handleRequest = async (
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> => {
    const body = await buffer(request)
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
    const send = (status: number, text: string | Buffer = '', headers: http.OutgoingHttpHeaders = {}): void =>
      void response.writeHead(status, headers).end(request.method === 'HEAD' ? '' : text)
    if (failures > 0) {
      failures--
      return send(503, '<Error><Code>SlowDown</Code></Error>')
    }
    if (!isSigned(request, url, body)) return send(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    const [, requestedBucket, ...keyParts] = url.pathname.split('/').map(decodeURIComponent)
    if (requestedBucket !== bucket) return send(404, '<Error><Code>NoSuchBucket</Code></Error>')
    const key = keyParts.join('/')
    const query = url.searchParams
    const store = (bytes: Buffer): void =>
      void objects.set(key, {
        bytes,
        modified: new Date(),
        encryption: String(request.headers['x-amz-server-side-encryption'] ?? '') || null,
      })
    if (request.method === 'GET' && key === '') return send(200, listObjects(objects, query))
    if (query.has('uploads')) {
      const id = randomUUID()
      uploads.set(id, new Map())
      return send(
        200,
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const uploadId = query.get('uploadId')
    const parts = uploadId === null ? null : uploads.get(uploadId)
    if (uploadId !== null && !parts) return send(404, '<Error><Code>NoSuchUpload</Code></Error>')
    if (parts && uploadId !== null) {
      const partNumber = Number(query.get('partNumber'))
      if (request.method === 'PUT') {
        parts.set(partNumber, body)
        return send(200, '', { etag: `"${sha256Hex(body)}"` })
      }
      uploads.delete(uploadId)
      if (request.method === 'DELETE') return send(204)
      const listedParts = [
        ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;/g),
      ]
      const isComplete =
        listedParts.length === parts.size &&
        listedParts.every(([, part, tag]) => sha256Hex(parts.get(Number(part)) ?? '') === tag)
      // S3 reports this error with status 200.
      if (!isComplete) return send(200, '<Error><Code>InvalidPart</Code></Error>')
      store(Buffer.concat(listedParts.map(([, part]) => parts.get(Number(part)) ?? Buffer.alloc(0))))
      return send(200, '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
    }
    if (request.method === 'PUT') {
      store(body)
      return send(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return send(204)
    }
    const object = objects.get(key)
    if (!object) return send(404, '<Error><Code>NoSuchKey</Code></Error>')
    return send(200, object.bytes, {
      'content-length': object.bytes.length,
      'last-modified': object.modified.toUTCString(),
      'content-type': query.get('response-content-type') ?? 'binary/octet-stream',
    })
  }
  const server = http.createServer(
    (request, response) =>
      void handleRequest(request, response).catch((error: unknown) => response.destroy(error as Error)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const login = `${encodeURIComponent(fakeCredentials.accessKey)}:${encodeURIComponent(fakeCredentials.secretKey)}`
  return {
    // The objects are below a prefix, as in a shared bucket.
    url: `s3://${login}@127.0.0.1:${port}/${encodeURIComponent(bucket)}/a/b?region=${fakeCredentials.region}&tls=off`,
    objects,
    openUploads: () => uploads.size,
    failNext: (requests) => void (failures = requests),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Returns a page of the objects and folders under a prefix, as XML. */
function listObjects(objects: Map<string, StoredObject>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter')
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted()
  const getFolder = (key: string): string | null => {
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length)
    return end < 0 ? null : key.slice(0, end + 1)
  }
  const items = [...new Set(keys.map((key) => getFolder(key) ?? key))].filter((item) => item > after)
  const page = items.slice(0, pageSize)
  const encode = (text: string): string => escapeXml(encodeURIComponent(text).replaceAll('%20', '+'))
  const contents = page.map((item) => {
    const object = objects.get(item)
    return object
      ? `<Contents><Key>${encode(item)}</Key><LastModified>${object.modified.toISOString()}</LastModified><Size>${object.bytes.length}</Size></Contents>`
      : `<CommonPrefixes><Prefix>${encode(item)}</Prefix></CommonPrefixes>`
  })
  const continuation =
    items.length > pageSize
      ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>`
      : ''
  return `<ListBucketResult>${contents.join('')}${continuation}</ListBucketResult>`
}
