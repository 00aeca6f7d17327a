import { lookup as systemLookup } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { classifyAddress } from './private-address.ts'
import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
}

/** The body of an answer as it was before it was packed for travel; null where it was packed in a way that is not known. */
function unpackAnswer(answer: IncomingMessage): Readable | null {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return answer
  const unpacker = unpackers[encoding]?.()
  if (!unpacker) return null
  // What breaks the travel breaks the unpacking: else its reader would wait for ever.
  answer
    .once('error', (error) => unpacker.destroy(error))
    .once('aborted', () => unpacker.destroy(new Error('The answer was cut off')))
  return answer.pipe(unpacker)
}

/** A request that was not made, or was broken off, because of where it leads or how much or long it took. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
  readonly code: 'address' | 'protocol' | 'size' | 'time' | 'redirect' | 'encoding'
  constructor(code: FetchRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}

export interface GuardedRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | URLSearchParams | null
  signal?: AbortSignal
  /** How often a GET is led on (0: a redirect is answered as it is). Every hop is checked anew. */
  redirects?: number
  /** Bytes, unpacked (1 MB). */
  maxBytes?: number
  /** Milliseconds from the first hop to the last byte (10 seconds). */
  timeoutMs?: number
  /** The body is not waited for and not given. */
  statusOnly?: boolean
}

/** Fetches from servers that users name. */
export type GuardedFetch = (url: string, ask?: GuardedRequest) => Promise<Response>

interface Guard {
  /** Private and loopback addresses, and plain HTTP, are allowed; addresses of cloud metadata never are. */
  privateAddresses: boolean
  /** Servers of our own on this machine, as `http://127.0.0.1:4001`: the demo's operators. */
  ownOrigins?: readonly string[]
  /** The resolver, for tests. */
  lookup?: typeof systemLookup
}

interface Address {
  address: string
  family: number
}

const refusedAddress = (host: string): FetchRefused =>
  new FetchRefused(
    'address',
    `${host} is at an address that is not public. PRIVATE_ADDRESSES=on allows private ones.`,
  )

/** Resolves names for a connection and refuses bad addresses there: no second answer of the DNS can come between check and use. */
function guardedLookup({ privateAddresses, lookup = systemLookup }: Guard): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const addresses = found as Address[]
      if (error) return done(error, '')
      if (addresses.some(({ address }) => !isAllowed(address, privateAddresses)))
        return done(refusedAddress(host), '')
      const [first] = addresses
      if (options.all) return done(null, addresses)
      return first ? done(null, first.address, first.family) : done(new Error(`${host} has no address`), '')
    })
  }
}

function isAllowed(address: string, privateAddresses: boolean): boolean {
  const kind = classifyAddress(address)
  return kind === 'public' || (kind === 'private' && privateAddresses)
}

function checkUrl(url: URL, { privateAddresses, ownOrigins = [] }: Guard): void {
  if (ownOrigins.includes(url.origin) && isIP(url.hostname) && !url.username && !url.password) return
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && privateAddresses))
    throw new FetchRefused('protocol', `${url.origin} must begin with https://`)
  if (url.username || url.password)
    throw new FetchRefused('protocol', 'An address with a user name in it is not fetched.')
  // A host that is an address already is never looked up. The URL has written 0x7f.1 and 2130706433 as 127.0.0.1 by now.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !isAllowed(host, privateAddresses)) throw refusedAddress(host)
}

/** Whether an address may be asked at all, before it is. Throws FetchRefused, and what the resolver throws where a name is not known. */
export const guardedCheck =
  (guard: Guard) =>
  async (address: string): Promise<void> => {
    const url = new URL(address)
    checkUrl(url, guard)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!isIP(host))
      await new Promise<void>((resolve, reject) =>
        guardedLookup(guard)(host, { all: true }, (error) => (error ? reject(error) : resolve())),
      )
  }

/** Collects a body up to a number of bytes, counted as they are once unpacked: a small answer may unpack to a large one. */
async function readBytes(answer: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const tooLarge = (): FetchRefused =>
    new FetchRefused('size', `The answer is larger than ${maxBytes} bytes.`)
  const body = unpackAnswer(answer)
  if (!body) throw new FetchRefused('encoding', 'The answer is packed in a way that was not asked for.')
  const isPacked = body !== answer
  if (!isPacked && Number(answer.headers['content-length']) > maxBytes) throw tooLarge()
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      size += part.length
      if (size > maxBytes) throw tooLarge()
      parts.push(part)
    }
  } catch (error) {
    if (
      error instanceof FetchRefused ||
      !isPacked ||
      !(error as NodeJS.ErrnoException).code?.match(/^(Z_|ERR_)/)
    )
      throw error
    throw new FetchRefused('encoding', 'The answer could not be unpacked.')
  }
  return Buffer.concat(parts)
}

/** One request, without redirects. */
async function fetchOnce(
  url: URL,
  init: GuardedRequest,
  guard: Guard,
  signal: AbortSignal,
): Promise<Response> {
  checkUrl(url, guard)
  const { request } = url.protocol === 'https:' ? https : http
  const body = init.body instanceof URLSearchParams ? init.body.toString() : init.body
  const form =
    init.body instanceof URLSearchParams
      ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
      : {}
  const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {}
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    // No pooled connection: each is made to an address that was checked for this request.
    const sent = request(url, {
      method: init.method ?? 'GET',
      headers: { 'accept-encoding': 'identity', ...form, ...init.headers, ...length },
      lookup: guardedLookup(guard),
      agent: false,
      signal,
    })
    sent.once('response', resolve).once('error', reject)
    // Whoever wants to speak something else than HTTP is told no; whatever ends without an answer must not be waited for.
    sent
      .once('upgrade', (_answer, socket) => void socket.destroy())
      .once('close', () =>
        reject(Object.assign(new Error(`${url.origin} gave no answer`), { code: 'ECONNRESET' })),
      )
    sent.end(body ?? undefined)
  })
  const status = answer.statusCode ?? 502
  const bare = init.statusOnly === true || [101, 204, 205, 304].includes(status)
  const bytes = await (
    bare ? Promise.resolve(Buffer.alloc(0)) : readBytes(answer, init.maxBytes ?? 1_000_000)
  ).finally(() => answer.destroy())
  const headers = new Headers()
  for (let i = 0; i + 1 < answer.rawHeaders.length; i += 2)
    headers.append(answer.rawHeaders[i] ?? '', answer.rawHeaders[i + 1] ?? '')
  headers.delete('content-encoding')
  return new Response(bare ? null : new Uint8Array(bytes), {
    status: status < 200 || status > 599 ? 502 : status,
    headers,
  })
}

/** A fetch for addresses that users give: public hosts over HTTPS only, bounded in time and size, redirects checked hop by hop. */
export const guardedFetch =
  (guard: Guard): GuardedFetch =>
  async (address, ask = {}) => {
    const late = AbortSignal.timeout(ask.timeoutMs ?? 10_000)
    const signal = ask.signal ? AbortSignal.any([late, ask.signal]) : late
    let url = new URL(address)
    let left = ask.redirects ?? 0
    let headers = ask.headers
    try {
      for (;;) {
        const response = await fetchOnce(url, { ...ask, ...(headers ? { headers } : {}) }, guard, signal)
        const to = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
        if (!to || !ask.redirects || (ask.method ?? 'GET') !== 'GET') return response
        if (left-- <= 0)
          throw new FetchRefused('redirect', `${url.origin} leads on more than ${ask.redirects} times.`)
        const next = new URL(to, url)
        // What was meant for one host is not told to another.
        if (next.origin !== url.origin && headers)
          headers = Object.fromEntries(
            Object.entries(headers).filter(([name]) => /^(accept|accept-language|user-agent)$/i.test(name)),
          )
        url = next
      }
    } catch (error) {
      if (late.aborted) throw new FetchRefused('time', `${url.origin} took too long to answer.`)
      throw error
    }
  }
