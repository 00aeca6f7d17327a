import { createHash, createHmac } from 'node:crypto'

/** Credentials of an S3-compatible service. */
export interface S3Credentials {
  accessKey: string
  secretKey: string
  region: string
}

export const sha256Hex = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Uint8Array | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** Percent-encodes what RFC 3986 does not leave as it is. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const algorithm = 'AWS4-HMAC-SHA256'

/** `20130524T000000Z` */
const stampOf = (at: Date): string => `${at.toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`

const scopeOf = (stamp: string, region: string): string => `${stamp.slice(0, 8)}/${region}/s3/aws4_request`

function signatureOf(
  { secretKey, region }: S3Credentials,
  {
    method,
    url,
    headers,
    payloadHash,
    stamp,
  }: {
    method: string
    url: URL
    headers: [name: string, value: string][]
    payloadHash: string
    stamp: string
  },
): string {
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join('&')
  const request = [
    method,
    url.pathname,
    query,
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    headers.map(([name]) => name).join(';'),
    payloadHash,
  ].join('\n')
  const text = [algorithm, stamp, scopeOf(stamp, region), sha256Hex(request)].join('\n')
  const day = hmac(`AWS4${secretKey}`, stamp.slice(0, 8))
  return hmac(hmac(hmac(hmac(day, region), 's3'), 'aws4_request'), text).toString('hex')
}

interface RequestToSign {
  method: string
  /** Its path is percent-encoded once. */
  url: URL
  headers: Record<string, string>
  /** SHA-256 of the body. */
  payloadHash: string
  at: Date
}

/** The headers of a request with AWS Signature Version 4 for S3. */
export function signRequest(
  credentials: S3Credentials,
  { method, url, headers, payloadHash, at }: RequestToSign,
): Record<string, string> {
  const stamp = stampOf(at)
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': stamp,
  }
  const sorted = Object.entries(all)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replaceAll(/ +/g, ' ')])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const signature = signatureOf(credentials, { method, url, headers: sorted, payloadHash, stamp })
  const { host: _, ...sent } = all
  return {
    ...sent,
    authorization: `${algorithm} Credential=${credentials.accessKey}/${scopeOf(stamp, credentials.region)},SignedHeaders=${sorted.map(([name]) => name).join(';')},Signature=${signature}`,
  }
}

/** A URL that allows a GET for some seconds. */
export function signUrl(credentials: S3Credentials, url: URL, seconds: number, at: Date): URL {
  const stamp = stampOf(at)
  const signed = new URL(url)
  for (const [name, value] of [
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${credentials.accessKey}/${scopeOf(stamp, credentials.region)}`],
    ['X-Amz-Date', stamp],
    ['X-Amz-Expires', String(seconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ] as const)
    signed.searchParams.set(name, value)
  const signature = signatureOf(credentials, {
    method: 'GET',
    url: signed,
    headers: [['host', url.host]],
    payloadHash: 'UNSIGNED-PAYLOAD',
    stamp,
  })
  signed.searchParams.set('X-Amz-Signature', signature)
  return signed
}
