import { setTimeout as wait } from 'node:timers/promises'
import { encodePart, type S3Credentials, sha256Hex, signRequest, signUrl } from './sign-request.ts'

/** Settings of a bucket, from BLOB_URL. */
interface S3Settings extends S3Credentials {
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
  const knownOptions = ['region', 'sse', 'sse_key_id', 'tls', 'downloads']
  const unknownOptions = [...url.searchParams.keys()].filter((name) => !knownOptions.includes(name))
  const sse = url.searchParams.get('sse')
  const keyId = url.searchParams.get('sse_key_id')
  if (!url.username || !url.password || !url.host || !bucket)
    throw new Error(`it must look like s3://${s3UrlForm}`)
  if (unknownOptions.length) throw new Error(`it has unknown options: ${unknownOptions.join(', ')}`)
  if (sse !== null && sse !== 'AES256' && sse !== 'aws:kms') throw new Error('sse must be AES256 or aws:kms')
  return {
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint: `${url.searchParams.get('tls') === 'off' ? 'http' : 'https'}://${url.host}`,
    bucket,
    prefix: rest.map((segment) => `${segment}/`).join(''),
    encryption: {
      ...(sse ? { 'x-amz-server-side-encryption': sse } : {}),
      ...(keyId ? { 'x-amz-server-side-encryption-aws-kms-key-id': keyId } : {}),
    },
    isDirect: url.searchParams.get('downloads') === 'direct',
  }
}

const maxTries = 4
/** Half of the delay before the first retry; it doubles with each retry. */
const retryMs = 200
const requestTimeoutMs = 120_000

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
/** Reads the texts of all elements with a name in a response. */
export const readTexts = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g'))].map(([, text = '']) =>
    unescapeXml(text),
  )
/** Reads keys, which lists percent-encode on request, because XML cannot represent every character. */
export const readKeys = (xml: string, element: string): string[] =>
  readTexts(xml, element).map((text) => decodeURIComponent(text.replaceAll('+', ' ')))

interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
}

/** Sends signed requests to a bucket of an S3-compatible service. */
export class S3Client {
  readonly settings: S3Settings
  readonly #now: () => Date

  constructor(settings: S3Settings, now: () => Date) {
    this.settings = settings
    this.#now = now
  }

  /** Sends a request; retries failures of the network and of the service. Returns 404 as a response. */
  async send(request: S3Request): Promise<Response> {
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#trySend(request)
      } catch (error) {
        const isTransient = !(error instanceof S3Error) || error.status >= 500 || error.status === 429
        if (!isTransient || attempt >= maxTries) throw error
        await wait(retryMs * 2 ** attempt)
      }
  }

  /** Sends a request and returns the text of its response; 404 is an error. */
  async sendForText(request: S3Request): Promise<string> {
    const response = await this.send(request)
    const text = await response.text()
    // Completing a multipart upload may fail after status 200 was sent; the error is in the body.
    if (response.status === 404 || text.includes('<Error>'))
      throw new S3Error(
        response.status,
        `The blob store has no bucket or upload for ${request.key ?? this.settings.bucket}`,
      )
    return text
  }

  /** Yields the pages of a list of the keys that start with `folder`, as XML. */
  async *listPages(folder: string, query: Record<string, string> = {}): AsyncGenerator<string> {
    let token: string | undefined
    do {
      const xml = await this.sendForText({
        method: 'GET',
        query: {
          'list-type': '2',
          'encoding-type': 'url',
          prefix: this.settings.prefix + folder,
          ...query,
          ...(token ? { 'continuation-token': token } : {}),
        },
      })
      yield xml
      token = readTexts(xml, 'NextContinuationToken')[0]
    } while (token)
  }

  /** Returns a URL at which anybody can read a key for some seconds. */
  signedUrl(key: string, query: Record<string, string>, seconds: number): string {
    return signUrl(this.settings, this.#toUrl(key, query), seconds, this.#now()).href
  }

  async #trySend({ method, key = '', query, headers = {}, body }: S3Request): Promise<Response> {
    const url = this.#toUrl(key, query)
    const payloadHash = sha256Hex(body ?? '')
    const response = await fetch(url, {
      method,
      headers: signRequest(this.settings, { method, url, headers, payloadHash, at: this.#now() }),
      body: (body as Uint8Array<ArrayBuffer> | undefined) ?? null,
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    if (response.ok || response.status === 404) return response
    const text = await response.text().catch(() => '')
    const [code = ''] = readTexts(text, 'Code')
    throw new S3Error(
      response.status,
      `The blob store answered ${response.status} ${code} to ${method} ${key || this.settings.bucket}`,
    )
  }

  #toUrl(key: string, query: Record<string, string> = {}): URL {
    const { endpoint, bucket, prefix } = this.settings
    const parts = [bucket, ...(key === '' ? [] : (prefix + key).split('/'))]
    const url = new URL(`/${parts.map(encodePart).join('/')}`, endpoint)
    // Must equal the query in the signature; URLSearchParams would encode a space as +.
    url.search = Object.entries(query)
      .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
      .join('&')
    return url
  }
}
