import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolder } from '../../test/engines/open-stores.ts'
import { ZipArchive, ZipError } from './zip-archive.ts'

const { folder, remove } = createFolder()
afterAll(() => remove())

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
/** Returns the offset of the first entry in the table of contents. */
const getDirectoryOffset = (zip: Uint8Array): number =>
  new DataView(zip.buffer).getUint32(zip.length - 6, true)
/** Returns a modified copy of an archive. `at` is the offset of the table of contents. */
function modify(zip: Uint8Array, write: (view: DataView, at: number) => void): Uint8Array {
  const copy = zip.slice()
  write(new DataView(copy.buffer), getDirectoryOffset(copy))
  return copy
}

/** Reads names and contents of all entries. */
async function readContents(zip: Uint8Array | string): Promise<[string, string][]> {
  const archive = await ZipArchive.open(zip)
  try {
    const entries: [string, string][] = []
    for (const entry of archive.entries) entries.push([entry.name, (await archive.read(entry)).toString()])
    return entries
  } finally {
    await archive.close()
  }
}
/** Returns the message of the error when reading an archive, or `was read`. */
const getRefusal = (zip: Uint8Array): Promise<string> =>
  readContents(zip).then(
    () => 'was read',
    (error: unknown) => {
      if (error instanceof ZipError) return error.message
      throw error
    },
  )

const twoFiles = zipSync({ 'a.txt': encode('some text'), 'b.txt': encode('more text') })

describe('a zip archive', () => {
  it('is decompressed from memory and from disk, stored or deflated', async () => {
    const text = 'shape '.repeat(100_000)
    const zip = zipSync({
      'a/stored.txt': [encode(text), { level: 0 }],
      'deflated.txt': [encode(text), { level: 9 }],
      'empty.txt': new Uint8Array(0),
      'folder/': new Uint8Array(0),
    })
    const expected = [
      ['a/stored.txt', text],
      ['deflated.txt', text],
      ['empty.txt', ''],
      ['folder/', ''],
    ]
    const file = path.join(folder, 'a.zip')
    fs.writeFileSync(file, zip)
    expect(await readContents(zip)).toEqual(expected)
    expect(await readContents(file)).toEqual(expected)
    expect(await readContents(zipSync({}))).toEqual([])
  })

  it('reports the number of compressed bytes that were read, and its decompressed size', async () => {
    const zip = zipSync({ a: [encode('shape '.repeat(1000)), { level: 9 }], b: encode('x') })
    const archive = await ZipArchive.open(zip)
    const [entry] = archive.entries
    let read = 0
    let bytes = 0
    for await (const chunk of archive.unpack(entry!, (byteCount) => (read += byteCount)))
      bytes += chunk.length
    expect([bytes, archive.unpackedBytes, archive.bytes]).toEqual([6000, 6001, zip.length])
    expect(read).toBe(entry!.packedBytes)
  })

  it('closes its file, even if reading ends early', async () => {
    const file = path.join(folder, 'early.zip')
    fs.writeFileSync(file, zipSync({ a: [new Uint8Array(5_000_000), { level: 1 }] }))
    const archive = await ZipArchive.open(file)
    for await (const chunk of archive.unpack(archive.entries[0]!)) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    await archive.close()
    const readNames = (): string[] =>
      fs.readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return fs.readlinkSync(`/proc/self/fd/${fd}`) === file
        } catch {
          return false
        }
      })
    await expect.poll(readNames).toEqual([])
  })

  it.each<[string, (name: Uint8Array) => void, string]>([
    ['UTF-8, whether it says so or not', (name) => name.set(encode('Zürich')), 'Zürich'],
    ['CP437', (name) => name.set([0x5a, 0x81, 0x72, 0x69, 0x63, 0x68, 0x21]), 'Zürich!'],
    ['folders of Windows', (name) => name.set(encode('..\\a\\b')), '../a/b!'],
  ])('has names in %s', async (_name, write, expected) => {
    const zip = zipSync({ '!!!!!!!': encode('x') })
    write(zip.subarray(getDirectoryOffset(zip) + 46))
    expect((await readContents(zip))[0]?.[0]).toBe(expected)
  })

  it('throws the error of the file system if the file does not exist', async () => {
    await expect(readContents(path.join(folder, 'nothing'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('a damaged or unusual zip archive', () => {
  const deflated = zipSync({ 'a.csv': [encode('1,2\n'.repeat(500)), { level: 9 }] })
  const stored = zipSync({ 'a.csv': [encode('hello'), { level: 0 }] })
  it.each<[string, Uint8Array, RegExp]>([
    [
      'with too many entries, before any of them is read',
      zipSync(
        Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`${index}`, new Uint8Array(0)])),
      ),
      /contains 2,001 files; the limit is 2,000/,
    ],
    [
      'that says to have more entries than it has',
      modify(twoFiles, (view) => view.setUint16(twoFiles.length - 12, 3, true)),
      /table of contents cannot be read/,
    ],
    [
      'that unpacks to more than it declares',
      modify(zipSync({ a: [new Uint8Array(20 * 2 ** 20), { level: 9 }] }), (view, at) =>
        view.setUint32(at + 24, 1000, true),
      ),
      /a is longer than declared/,
    ],
    [
      'that unpacks to less than it declares',
      modify(deflated, (view, at) => view.setUint32(at + 24, 5000, true)),
      /a\.csv is shorter than declared/,
    ],
    [
      'with a stored entry of two lengths',
      modify(stored, (view, at) => view.setUint32(at + 24, 50, true)),
      /table of contents cannot be read/,
    ],
    ['with a changed content', modify(stored, (view) => view.setUint8(36, 0x58)), /checksum of a\.csv/],
    [
      'with damage',
      modify(deflated, (view) => view.setUint32(36, 0xffffffff)),
      /a\.csv (cannot be decompressed|is shorter than declared)/,
    ],
    [
      'with a password',
      modify(deflated, (view, at) => view.setUint16(at + 8, 1, true)),
      /password \(a\.csv\)/,
    ],
    [
      'compressed in an unusual way',
      modify(deflated, (view, at) => view.setUint16(at + 10, 14, true)),
      /a\.csv is compressed with an unsupported method \(14\)/,
    ],
    [
      'with an entry that is not there',
      modify(deflated, (view, at) => view.setUint32(at + 42, 3, true)),
      /a\.csv is missing from it/,
    ],
    [
      'with an entry that ends after its end',
      modify(deflated, (view, at) => view.setUint32(at + 20, 5000, true)),
      /a\.csv is missing from it/,
    ],
    ['with other bytes after it', Buffer.concat([twoFiles, Buffer.from('more')]), /followed by other bytes/],
  ])('is rejected %s', async (_name, zip, sentence) => expect(await getRefusal(zip)).toMatch(sentence))

  it('is rejected if it is truncated at any byte', async () => {
    for (let length = 0; length < twoFiles.length; length++)
      expect(await getRefusal(twoFiles.slice(0, length))).toMatch(
        /^The zip archive is damaged: its end is missing/,
      )
  })

  it('is read or rejected with a ZipError, whatever byte is changed', async () => {
    for (const at of twoFiles.keys())
      expect(
        await getRefusal(modify(twoFiles, (view) => view.setUint8(at, view.getUint8(at) ^ 0xff))),
      ).toMatch(/^The zip archive|^[^]{5} (is|cannot)|^was read$/)
  })

  it('is rejected if it has Zip64 records with invalid positions', async () => {
    const end = twoFiles.subarray(twoFiles.length - 22)
    const anyPosition = fc.oneof(fc.bigInt(0n, 400n), fc.bigInt(0n, 2n ** 64n - 1n), fc.constant(2n ** 53n))
    await fc.assert(
      fc.asyncProperty(anyPosition, anyPosition, anyPosition, async (recordAt, count, directoryAt) => {
        const record = Buffer.alloc(56)
        record.writeUInt32LE(0x06064b50, 0)
        record.writeBigUInt64LE(count, 32)
        record.writeBigUInt64LE(directoryAt, 48)
        const locator = Buffer.alloc(20)
        locator.writeUInt32LE(0x07064b50, 0)
        locator.writeBigUInt64LE(recordAt, 8)
        const zip = Buffer.concat([twoFiles.subarray(0, getDirectoryOffset(twoFiles)), record, locator, end])
        expect(await getRefusal(zip)).toMatch(/^The zip archive|^was read$/)
      }),
      { numRuns: 200 },
    )
  })
})
