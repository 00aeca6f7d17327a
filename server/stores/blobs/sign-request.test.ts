import { expect, test } from 'vitest'
import { encodePart, sha256Hex, signRequest, signUrl } from './sign-request.ts'

// The examples of "Signature calculations for the Authorization header" and "… query parameters" in the API
// reference of Amazon S3.
const credentials = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const at = new Date('2013-05-24T00:00:00Z')
const host = 'https://examplebucket.s3.amazonaws.com'
const getSignatureIn = (headers: Record<string, string>): string =>
  headers['authorization']?.split('Signature=')[1] ?? ''

test.each([
  {
    method: 'GET',
    url: '/test.txt',
    headers: { Range: 'bytes=0-9' },
    body: '',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    method: 'PUT',
    url: '/test%24file.text',
    headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    body: 'Welcome to Amazon S3.',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    method: 'GET',
    url: '/?lifecycle',
    headers: {},
    body: '',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    method: 'GET',
    url: '/?max-keys=2&prefix=J',
    headers: {},
    body: '',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
])('signRequest signs $method $url as Amazon does', ({ method, url, headers, body, signature }) => {
  const signed = signRequest(credentials, {
    method,
    url: new URL(url, host),
    headers: headers as Record<string, string>,
    payloadHash: sha256Hex(body),
    at,
  })
  expect(getSignatureIn(signed)).toBe(signature)
})

test('signUrl signs a link like the example of Amazon', () => {
  const url = signUrl(credentials, new URL('/test.txt', host), 86_400, at)
  expect(url.searchParams.get('X-Amz-Signature')).toBe(
    'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})

test('encodePart encodes characters that JavaScript does not encode', () => {
  expect(encodePart("a b/(c)*'é")).toBe('a%20b%2F%28c%29%2A%27%C3%A9')
})
