import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { answerText } from './answer-body.ts'
import { mdsProvider } from './mds-provider.ts'
import { refuseExcess } from './refuse-excess.ts'

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

it('accepts what an operator may send', () => {
  for (const text of [
    '',
    '[]',
    ' {"a": [1, {"b": null}]}',
    '<a><b/></a>',
    'a,b\n1,2',
    '\ufeff{}',
    '[ broken',
  ])
    expect(() => refuseExcess(Buffer.from(text))).not.toThrow()
})

it('refuses what would not fit into memory, compressed or not, by any adapter', () => {
  expect(() => refuseExcess(deep)).toThrow('The response is nested deeper than 64.')
  expect(() => refuseExcess(Buffer.from(`[${'[],'.repeat(8_000_000)}[]]`))).toThrow(
    'The response holds more than 15000000 values.',
  )
  expect(() => refuseExcess(Buffer.from('\n'.repeat(5_000_001)))).toThrow(
    'The response has more than 5000000 lines or tags.',
  )
  expect(() => refuseExcess(Buffer.from('<a/>'.repeat(5_000_001)))).toThrow(
    'The response has more than 5000000 lines or tags.',
  )
  expect(() => answerText(gzipSync(deep))).toThrow('The response is nested deeper than 64.')
  expect(() => mdsProvider.read(request, 'vehicles', deep, 0)).toThrow(
    'The response is nested deeper than 64.',
  )
})
