import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyAddress } from './private-address.ts'

describe('classifyAddress', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.7',
    '::1',
    '::',
    'fc00::1',
    'fd12:3456::1',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001:0:1234::1',
    '::7f00:1',
    // IPv4 within IPv6: mapped (hexadecimal and dotted), translated, NAT64.
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.1.2.3',
    '::FFFF:C0A8:0101',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
  ])('%s is private', (address) => expect(classifyAddress(address)).toBe('private'))

  it.each([
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '64:ff9b::169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
  ])('%s is an address of cloud metadata', (address) => expect(classifyAddress(address)).toBe('metadata'))

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('%s is public', (address) => expect(classifyAddress(address)).toBe('public'))

  it.each(['', 'localhost', '127.1', '2130706433', '0x7f000001', '[::1]', '1.2.3.4.5', 'not an address'])(
    '%j is not an address, so not public',
    (text) => expect(classifyAddress(text)).toBe('private'),
  )

  it('classifies all notations of an IPv4 address alike', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        const kind = classifyAddress([a, b, c, d].join('.'))
        const hexGroups = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)].join(':')
        expect([
          classifyAddress(`::ffff:${hexGroups}`),
          classifyAddress(`::ffff:${a}.${b}.${c}.${d}`),
          classifyAddress(`64:ff9b::${hexGroups}`),
        ]).toEqual([kind, kind, kind])
      }),
      { numRuns: 300 },
    )
  })
})
