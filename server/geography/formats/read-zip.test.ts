import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { BoundaryFileError } from './boundary-file-error.ts'
import { readZip } from './read-zip.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
/** Offset of the first directory entry. */
const directory = (zip: Uint8Array): number => new DataView(zip.buffer).getUint32(zip.length - 6, true)

function failure(zip: Uint8Array): BoundaryFileError {
  try {
    for (const entry of readZip(zip)) entry.unpack()
  } catch (error) {
    if (error instanceof BoundaryFileError) return error
    throw error
  }
  throw new Error('was read')
}

describe('readZip', () => {
  it('unpacks stored and deflated entries', () => {
    const content = encode('shape '.repeat(1000))
    const entries = readZip(
      zipSync({
        'a/stored.txt': [content, { level: 0 }],
        'deflated.txt': [content, { level: 9 }],
        'empty.txt': new Uint8Array(0),
      }),
    )
    expect(entries.map((entry) => [entry.name, entry.size])).toEqual([
      ['a/stored.txt', 6000],
      ['deflated.txt', 6000],
      ['empty.txt', 0],
    ])
    for (const entry of entries.slice(0, 2)) expect([...entry.unpack()]).toEqual([...content])
    expect(entries[2]?.unpack()).toHaveLength(0)
  })

  it('refuses too many entries before reading any', () => {
    expect(
      failure(
        zipSync(
          Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`${index}`, new Uint8Array(0)])),
        ),
      ),
    ).toMatchObject({ code: 'zip-too-large' })
  })

  it('refuses entries that declare more than 400 MB together', () => {
    const zip = zipSync({ a: encode('x'), b: encode('y') })
    new DataView(zip.buffer).setUint32(directory(zip) + 24, 399 * 2 ** 20, true)
    expect(readZip(zip)).toHaveLength(2)
    new DataView(zip.buffer).setUint32(directory(zip) + 24, 400 * 2 ** 20, true)
    expect(failure(zip)).toMatchObject({
      code: 'zip-too-large',
      message: 'The zip file would unpack to more than 400 MB.',
    })
  })

  it('refuses an entry that unpacks to more than it declares', () => {
    const bomb = zipSync({ a: [new Uint8Array(20 * 2 ** 20), { level: 9 }] })
    new DataView(bomb.buffer).setUint32(directory(bomb) + 24, 1000, true)
    expect(failure(bomb).message).toContain('a cannot be unpacked')
  })

  it('refuses an entry shorter than declared, or changed', () => {
    const short = zipSync({ a: [encode('hello'), { level: 9 }] })
    new DataView(short.buffer).setUint32(directory(short) + 24, 50, true)
    expect(failure(short).message).toContain('not as long as the zip says')
    const changed = zipSync({ a: [encode('hello'), { level: 0 }] })
    changed[31] = 0x58
    expect(failure(changed).message).toContain('checksum')
  })

  it('refuses passwords and unsupported compression by name', () => {
    const locked = zipSync({ 'zones.shp': encode('x') })
    new DataView(locked.buffer).setUint16(directory(locked) + 8, 1, true)
    expect(failure(locked)).toMatchObject({ code: 'zip-encrypted' })
    const odd = zipSync({ a: encode('x') })
    new DataView(odd.buffer).setUint16(directory(odd) + 10, 14, true)
    expect(failure(odd).message).toContain('method 14')
  })

  it('refuses every truncated zip with a message', () => {
    const zip = zipSync({ 'a.txt': encode('some text'), 'b.txt': encode('more text') })
    for (let length = 0; length < zip.length; length += 1)
      expect(failure(zip.slice(0, length)).code).toBe('broken-zip')
  })

  it('survives any one changed byte', () => {
    const zip = zipSync({ 'a.txt': encode('some text'), 'b.txt': encode('more text') })
    const survives = (at: number): boolean => {
      const changed = zip.slice()
      changed[at] = (changed[at] ?? 0) ^ 0xff
      try {
        return readZip(changed).every((entry) => entry.unpack().length < 100)
      } catch (error) {
        return error instanceof BoundaryFileError
      }
    }
    expect([...zip.keys()].filter((at) => !survives(at))).toEqual([])
  })
})
