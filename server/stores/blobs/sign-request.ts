import { createHash, createHmac } from 'node:crypto'

/** Credentials of an S3-compatible service. */
export interface S3Credentials {
  accessKey: string
  secretKey: string
  region: string
}

/** Computes the SHA-256 hash as hexadecimal digits. */
export const sha256Hex = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex')
const computeHmac = (key: Uint8Array | string, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** Percent-encodes all but the unreserved characters of RFC 3986; encodeURIComponent leaves out !'()*. */
export const encodePart = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const algorithm = 'AWS4-HMAC-SHA256'

/** Formats a time as `20130524T000000Z`. */
const formatTimestamp = (at: Date): string => `${at.toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`

const formatCredentialScope = (stamp: string, region: string): string =>
  `${stamp.slice(0, 8)}/${region}/s3/aws4_request`

/** Computes the Signature Version 4 of a canonical request, with a key for day, region and service. */
function computeSignature(
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
  const canonicalRequest = [
    method,
    url.pathname,
    query,
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    headers.map(([name]) => name).join(';'),
    payloadHash,
  ].join('\n')
  const stringToSign = [
    algorithm,
    stamp,
    formatCredentialScope(stamp, region),
    sha256Hex(canonicalRequest),
  ].join('\n')
  const dayKey = computeHmac(`AWS4${secretKey}`, stamp.slice(0, 8))
  const signingKey = computeHmac(computeHmac(computeHmac(dayKey, region), 's3'), 'aws4_request')
  return computeHmac(signingKey, stringToSign).toString('hex')
}

interface RequestToSign {
  method: string
  /** The path must be percent-encoded, once. */
  url: URL
  headers: Record<string, string>
  /** SHA-256 of the body. */
  payloadHash: string
  at: Date
}

/** Returns the headers of a request with AWS Signature Version 4 for S3. */
export function signRequest(
  credentials: S3Credentials,
  { method, url, headers, payloadHash, at }: RequestToSign,
): Record<string, string> {
  const stamp = formatTimestamp(at)
  const signedHeaders: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': stamp,
  }
  const sortedHeaders = Object.entries(signedHeaders)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replaceAll(/ +/g, ' ')])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const signature = computeSignature(credentials, { method, url, headers: sortedHeaders, payloadHash, stamp })
  // fetch sets the header `host` itself.
  const { host: _, ...sentHeaders } = signedHeaders
  return {
    ...sentHeaders,
    authorization: `${algorithm} Credential=${credentials.accessKey}/${formatCredentialScope(stamp, credentials.region)},SignedHeaders=${sortedHeaders.map(([name]) => name).join(';')},Signature=${signature}`,
  }
}

/** Returns a presigned URL for GET that expires after `seconds`. */
export function signUrl(credentials: S3Credentials, url: URL, seconds: number, at: Date): URL {
  const stamp = formatTimestamp(at)
  const signedUrl = new URL(url)
  for (const [name, value] of [
    ['X-Amz-Algorithm', algorithm],
    ['X-Amz-Credential', `${credentials.accessKey}/${formatCredentialScope(stamp, credentials.region)}`],
    ['X-Amz-Date', stamp],
    ['X-Amz-Expires', String(seconds)],
    ['X-Amz-SignedHeaders', 'host'],
  ] as const)
    signedUrl.searchParams.set(name, value)
  const signature = computeSignature(credentials, {
    method: 'GET',
    url: signedUrl,
    headers: [['host', url.host]],
    payloadHash: 'UNSIGNED-PAYLOAD',
    stamp,
  })
  signedUrl.searchParams.set('X-Amz-Signature', signature)
  return signedUrl
}
