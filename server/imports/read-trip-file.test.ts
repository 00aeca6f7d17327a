import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolder } from '../../test/engines/open-stores.ts'
import { readFileBytes, readFileLines } from './read-trip-file.ts'
import { harmlessUnpackedBytes } from './zip-tables.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'

const { folder, remove } = createFolder()
afterAll(() => remove())

let count = 0
function writeTripFile(bytes: Uint8Array | string): string {
  const file = path.join(folder, String(count++))
  fs.writeFileSync(file, bytes)
  return file
}

async function readLines(bytes: Uint8Array | string): Promise<string[]> {
  const lines: string[] = []
  for await (const batch of readFileLines(writeTripFile(bytes))) lines.push(...batch)
  return lines
}

describe('lines', () => {
  it('are the same for every line ending, compressed or not, in UTF-8 and UTF-16', async () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .map((text) => text.replace(/[\r\n\0\uFEFF\uFFFD]/g, ''))
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.constantFrom('utf8', 'bom', 'utf16le'),
        fc.boolean(),
        async (some, ending, last, encoding, packed) => {
          const lines = ['trip id,überall', ...some, 'end']
          const text = lines.join(ending) + (last ? ending : '')
          const bytes =
            encoding === 'utf16le'
              ? Buffer.from(`\uFEFF${text}`, 'utf16le')
              : Buffer.from(encoding === 'bom' ? `\uFEFF${text}` : text)
          expect(await readLines(packed ? gzipSync(bytes) : bytes)).toEqual(lines)
        },
      ),
      { numRuns: 120 },
    )
  })

  it('are complete at the ends of read buffers, even between CR and LF and within a character', async () => {
    // Buffers have 262,144 bytes: with rows of 9, 11 and 13 bytes, every position comes to lie on a border.
    for (const [row, ending] of [
      ['abcdéfgh', '\r\n'],
      ['é'.repeat(6), '\n'],
      ['1234567', '\r\n'],
    ] as const) {
      const rows = Array.from({ length: 250_000 }, () => row)
      const lines = await readLines(rows.join(ending))
      expect(lines.length).toBe(rows.length)
      expect(lines.every((line) => line === row)).toBe(true)
    }
  })

  it('are read from big-endian UTF-16', async () => {
    expect(await readLines(Buffer.from('\uFEFFa,é\n1,2', 'utf16le').swap16())).toEqual(['a,é', '1,2'])
  })

  it.each([['\n'], ['\r'], ['\r\n']])('are read from windows-1252 with line ends %j', async (ending) => {
    expect(await readLines(Buffer.from(`id,name${ending}1,Caf\u00e9 \u0080`, 'latin1'))).toEqual([
      'id,name',
      '1,Café €',
    ])
  })

  it('are read from a file with one line without a line ending', async () =>
    expect(await readLines('a,b,c')).toEqual(['a,b,c']))
})

describe('a file that is not a table is rejected with a message about its format:', () => {
  const csv = `a,b,c\n${'1,2,3\n'.repeat(50_000)}`
  const packed = gzipSync(csv, { level: 1 })
  const damaged = Buffer.from(packed)
  damaged.fill(0x55, packed.length >> 1, (packed.length >> 1) + 40)
  const badSum = Buffer.from(packed)
  const tar = Buffer.alloc(10_240)
  tar.write('trips.csv')
  tar.write('ustar\u000000', 257)
  tar.write(csv.slice(0, 4000), 512)
  badSum[packed.length - 6] = (badSum[packed.length - 6] ?? 0) ^ 0xff

  it.each<[string, Uint8Array | string, RegExp]>([
    ['0 bytes', Buffer.alloc(0), /^The file is empty \(0 bytes\)\.$/],
    ['0 bytes, packed', gzipSync(''), /^The file is empty/],
    ['the beginning of a zip', Buffer.from('PK\x03\x04rest'), /zip archive is damaged: its end is missing/],
    ['a zip, packed again', gzipSync('PK\x03\x04rest'), /zip archive/],
    ['a tar', tar, /tar archive.*one by one/],
    ['a .tar.gz', gzipSync(tar), /tar archive.*one by one/],
    ['bzip2', Buffer.from('BZh91AY&SY'), /packed in a way that is not read/],
    ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /packed in a way that is not read/],
    [
      '7-Zip, packed again',
      gzipSync(Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])),
      /packed in a way that is not read/,
    ],
    ['a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), /picture/],
    ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /picture/],
    ['a PDF', Buffer.from('%PDF-1.7\n'), /PDF/],
    ['a web page', Buffer.from('\uFEFF\n<!DOCTYPE html>\n<html lang="en">a,b,c,d</html>'), /web page/],
    ['Parquet', Buffer.from('PAR1\x15\x04'), /Parquet/],
    ['binary', Buffer.from([1, 2, 0, 3]), /binary data/],
    ['a truncated gzip', packed.subarray(0, packed.length - 100), /truncated: its end is missing/],
    ['a gzip of three bytes', packed.subarray(0, 3), /truncated/],
    ['a gzip with damage', damaged, /damaged/],
    ['a gzip with a wrong sum', badSum, /damaged/],
    [
      'one enormous line',
      Buffer.alloc(3_000_000, 'a'),
      /^Line 1 of the file is longer than a million characters/,
    ],
    [
      'a line of 60 MB among others',
      Buffer.from(`a,b,c\n${'1,2,3\n'.repeat(100_000)}${'x'.repeat(60_000_000)}\n1,2,3\n`),
      /^Line 100,002 of the file is longer than a million characters/,
    ],
    [
      'a line that is a little too long and ends',
      `a,b,c\n1,2,3\n${'x'.repeat(1_050_000)}\n4,5,6\n`,
      /^Line 3 of the file is longer than a million characters/,
    ],
    [
      'one enormous line, packed',
      gzipSync(Buffer.alloc(30_000_000, 'a')),
      /longer than a million characters/,
    ],
  ])('%s', async (_name, bytes, sentence) => {
    const error = await readLines(bytes).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(TableFileError)
    expect((error as Error).message).toMatch(sentence)
  })
})

describe('readFileBytes', () => {
  it('decompresses, and counts the bytes of the file itself', async () => {
    const text = 'a,b,c\n'.repeat(100_000)
    const file = writeTripFile(gzipSync(text))
    let read = 0
    const parts: Buffer[] = []
    for await (const chunk of readFileBytes(file, (bytes) => (read += bytes))) parts.push(chunk)
    expect(Buffer.concat(parts).toString()).toBe(text)
    expect(read).toBe(fs.statSync(file).size)
  })

  it('rejects a gzip with an excessive compression ratio, and accepts small files and usual ratios', async () => {
    const unpacked = async (bytes: Uint8Array): Promise<number> => {
      let sum = 0
      for await (const chunk of readFileBytes(writeTripFile(gzipSync(bytes)))) sum += chunk.length
      return sum
    }
    const size = 65 * 1024 * 1024
    await expect(unpacked(Buffer.alloc(size, '\n'))).rejects.toThrow(
      /decompresses to more than 250 times its size/,
    )
    expect(await unpacked(Buffer.alloc(size - 1024 * 1024, '\n'))).toBe(size - 1024 * 1024)
    expect(
      await unpacked(
        Buffer.from(
          Array.from(
            { length: 1_500_000 },
            (_, index) => `${index},2026-05-01 10:00:00,41.4,-72.5,bicycle,rider\n`,
          ).join(''),
        ),
      ),
    ).toBeGreaterThan(harmlessUnpackedBytes)
  })

  it('closes the file when its reader stops early', async () => {
    const file = writeTripFile(gzipSync('a,b,c\n'.repeat(1_000_000)))
    for await (const chunk of readFileBytes(file)) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    const held = fs
      .readdirSync('/proc/self/fd')
      .filter((fd) => fs.existsSync(`/proc/self/fd/${fd}`) && fs.readlinkSync(`/proc/self/fd/${fd}`) === file)
    await expect
      .poll(() =>
        held.filter(
          (fd) => fs.existsSync(`/proc/self/fd/${fd}`) && fs.readlinkSync(`/proc/self/fd/${fd}`) === file,
        ),
      )
      .toEqual([])
  })

  it('throws for a missing file', async () => {
    await expect(readFileBytes(path.join(folder, 'nothing')).next()).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
