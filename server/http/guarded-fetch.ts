import { lookup as systemLookup } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'
import { classifyAddress } from './private-address.ts'

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
}

/** Returns the decompressed body of a response; null if its encoding is unknown. */
function decompress(response: IncomingMessage): Readable | null {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return response
  const decompressor = decompressors[encoding]?.()
  if (!decompressor) return null
  // Errors of the response must also destroy the decompressor, or its reader would wait forever.
  response
    .once('error', (error) => decompressor.destroy(error))
    .once('aborted', () => decompressor.destroy(new Error('The response was cut off')))
  return response.pipe(decompressor)
}

/** A request was refused or aborted because of its address, size or duration. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
  readonly code: 'address' | 'protocol' | 'size' | 'time' | 'redirect' | 'encoding'
  constructor(code: FetchRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}

const defaultMaxBytes = 1_000_000
const defaultTimeoutMs = 10_000

/** A request and its limits. */
export interface GuardedRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | URLSearchParams | null
  signal?: AbortSignal
  /** Maximum number of redirects that a GET follows (default 0: none). Every hop is checked. */
  redirects?: number
  /** Maximum size of the decompressed body in bytes (default 1 MB). */
  maxBytes?: number
  /** Milliseconds from the first hop to the last byte (default 10 seconds). */
  timeoutMs?: number
  /** Whether to ignore the body. */
  statusOnly?: boolean
}

/** Fetches a URL that a user entered. */
export type GuardedFetch = (url: string, options?: GuardedRequest) => Promise<Response>

/** Which servers may be called besides public ones over HTTPS. */
interface Guard {
  /** Allows private and loopback addresses and plain HTTP. Cloud metadata addresses are never allowed. */
  privateAddresses: boolean
  /** Origins of trusted servers on this machine, such as `http://127.0.0.1:4001` of demo operators. */
  ownOrigins?: readonly string[]
  /** DNS resolver; replaced in tests. */
  lookup?: typeof systemLookup
}

interface Address {
  address: string
  family: number
}

const createAddressRefusal = (host: string): FetchRefused =>
  new FetchRefused(
    'address',
    `${host} is at an address that is not public. PRIVATE_ADDRESSES=on allows private ones.`,
  )

/** Resolves a name and checks its addresses while connecting: a check before could see other addresses. */
function createGuardedLookup({ privateAddresses, lookup = systemLookup }: Guard): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, resolved) => {
      const addresses = resolved as Address[]
      if (error) return done(error, '')
      if (addresses.some(({ address }) => !isAllowed(address, privateAddresses)))
        return done(createAddressRefusal(host), '')
      if (options.all) return done(null, addresses)
      const [firstAddress] = addresses
      if (!firstAddress) return done(new Error(`${host} has no address`), '')
      return done(null, firstAddress.address, firstAddress.family)
    })
  }
}

/** Returns whether requests to an IP address are allowed. */
function isAllowed(address: string, privateAddresses: boolean): boolean {
  const kind = classifyAddress(address)
  return kind === 'public' || (kind === 'private' && privateAddresses)
}

/** Checks protocol, credentials and IP address of a URL. @throws FetchRefused. */
function checkUrl(url: URL, { privateAddresses, ownOrigins = [] }: Guard): void {
  if (ownOrigins.includes(url.origin) && isIP(url.hostname) && !url.username && !url.password) return
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && privateAddresses))
    throw new FetchRefused('protocol', `${url.origin} must begin with https://`)
  if (url.username || url.password)
    throw new FetchRefused('protocol', 'An address with a user name in it is not fetched.')
  // IP addresses are never resolved, so they are checked here. URL has normalized forms such as 0x7f.1.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isAllowed(host, privateAddresses)) throw createAddressRefusal(host)
}

/**
 * Creates a function that checks an address without a request.
 * @throws FetchRefused, or the resolver's error for an unknown name.
 */
export const createGuardedCheck =
  (guard: Guard) =>
  async (address: string): Promise<void> => {
    const url = new URL(address)
    checkUrl(url, guard)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!isIP(host))
      await new Promise<void>((resolve, reject) =>
        createGuardedLookup(guard)(host, { all: true }, (error) => (error ? reject(error) : resolve())),
      )
  }

/** Reads a body of at most `maxBytes` bytes, counted after decompression. */
async function readBytes(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const createSizeRefusal = (): FetchRefused =>
    new FetchRefused('size', `The response is larger than ${maxBytes} bytes.`)
  const body = decompress(response)
  if (!body) throw new FetchRefused('encoding', 'The response has an encoding that was not requested.')
  const isCompressed = body !== response
  if (!isCompressed && Number(response.headers['content-length']) > maxBytes) throw createSizeRefusal()
  const chunks: Buffer[] = []
  let byteCount = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      byteCount += chunk.length
      if (byteCount > maxBytes) throw createSizeRefusal()
      chunks.push(chunk)
    }
  } catch (error) {
    if (
      error instanceof FetchRefused ||
      !isCompressed ||
      !(error as NodeJS.ErrnoException).code?.match(/^(Z_|ERR_)/)
    )
      throw error
    throw new FetchRefused('encoding', 'The response could not be decompressed.')
  }
  return Buffer.concat(chunks)
}

/** Sends one request without following redirects. */
async function fetchOnce(
  url: URL,
  init: GuardedRequest,
  guard: Guard,
  signal: AbortSignal,
): Promise<Response> {
  checkUrl(url, guard)
  const { request } = url.protocol === 'https:' ? https : http
  const body = init.body instanceof URLSearchParams ? init.body.toString() : init.body
  const formHeaders =
    init.body instanceof URLSearchParams
      ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
      : {}
  const lengthHeaders = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    // `agent: false` prevents pooled connections, because the address must be checked for every request.
    const outgoing = request(url, {
      method: init.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...formHeaders, ...init.headers, ...lengthHeaders },
      lookup: createGuardedLookup(guard),
      agent: false,
      signal,
    })
    outgoing.once('response', resolve).once('error', reject)
    // Protocol upgrades are refused. The promise is rejected if the connection closes without a response.
    outgoing
      .once('upgrade', (_response, socket) => void socket.destroy())
      .once('close', () =>
        reject(Object.assign(new Error(`${url.origin} sent no response`), { code: 'ECONNRESET' })),
      )
    outgoing.end(body ?? undefined)
  })
  const status = response.statusCode ?? 502
  // Responses with these statuses have no body (RFC 9110).
  const hasNoBody = init.statusOnly === true || [101, 204, 205, 304].includes(status)
  const bytes = await (
    hasNoBody ? Promise.resolve(Buffer.alloc(0)) : readBytes(response, init.maxBytes ?? defaultMaxBytes)
  ).finally(() => response.destroy())
  const headers = new Headers()
  // Names and values alternate.
  for (let index = 0; index + 1 < response.rawHeaders.length; index += 2)
    headers.append(response.rawHeaders[index] ?? '', response.rawHeaders[index + 1] ?? '')
  headers.delete('content-encoding')
  return new Response(hasNoBody ? null : new Uint8Array(bytes), {
    status: status < 200 || status > 599 ? 502 : status,
    headers,
  })
}

/** Creates a fetch for URLs of users: public hosts over HTTPS, limited, with every redirect checked. */
export const createGuardedFetch =
  (guard: Guard): GuardedFetch =>
  async (address, options = {}) => {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout
    let url = new URL(address)
    let remainingRedirects = options.redirects ?? 0
    let headers = options.headers
    try {
      for (;;) {
        const response = await fetchOnce(url, { ...options, ...(headers ? { headers } : {}) }, guard, signal)
        const isRedirect = response.status >= 300 && response.status < 400
        const location = isRedirect ? response.headers.get('location') : null
        if (!location || !options.redirects || (options.method ?? 'GET') !== 'GET') return response
        if (remainingRedirects-- <= 0)
          throw new FetchRefused('redirect', `${url.origin} leads on more than ${options.redirects} times.`)
        const nextUrl = new URL(location, url)
        // Credentials for one origin must not be sent to another.
        if (nextUrl.origin !== url.origin && headers)
          headers = Object.fromEntries(
            Object.entries(headers).filter(([name]) => /^(accept|accept-language|user-agent)$/i.test(name)),
          )
        url = nextUrl
      }
    } catch (error) {
      if (timeout.aborted) throw new FetchRefused('time', `${url.origin} took too long to answer.`)
      throw error
    }
  }
