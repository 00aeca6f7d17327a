import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { decodeBody } from './response-body.ts'
import { mdsProvider } from './mds-provider.ts'
import { checkParseLimits } from './check-parse-limits.ts'

const request = {
  feedId: 'f',
  regionId: 'r',
  operator: 'lark',
  providerId: '',
  version: '2.0',
  url: 'https://lark.example',
  settings: {},
  timezone: 'UTC',
  lat: 40,
  lon: -83,
}
const deep = Buffer.from(`  ${'['.repeat(100_000)}`)

test('checkParseLimits accepts legitimate responses', () => {
  for (const text of [
    '',
    '[]',
    ' {"a": [1, {"b": null}]}',
    '<a><b/></a>',
    'a,b\n1,2',
    '\ufeff{}',
    '[ broken',
  ])
    expect(() => checkParseLimits(Buffer.from(text))).not.toThrow()
})

test('checkParseLimits rejects responses that would not fit into memory, compressed or not, in every adapter', () => {
  expect(() => checkParseLimits(deep)).toThrow('The response is nested deeper than 64.')
  expect(() => checkParseLimits(Buffer.from(`[${'[],'.repeat(8_000_000)}[]]`))).toThrow(
    'The response contains more than 15000000 values.',
  )
  expect(() => checkParseLimits(Buffer.from('\n'.repeat(5_000_001)))).toThrow(
    'The response has more than 5000000 lines or tags.',
  )
  expect(() => checkParseLimits(Buffer.from('<a/>'.repeat(5_000_001)))).toThrow(
    'The response has more than 5000000 lines or tags.',
  )
  expect(() => decodeBody(gzipSync(deep))).toThrow('The response is nested deeper than 64.')
  expect(() => mdsProvider.read(request, 'vehicles', deep, 0)).toThrow(
    'The response is nested deeper than 64.',
  )
})
