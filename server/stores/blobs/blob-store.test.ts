import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openFakeS3, type FakeS3 } from '../../../test/fake-s3.ts'
import { createDataDir } from '../../../test/new-data-dir.ts'
import { type BlobStore, readBlob } from './blob-store.ts'
import { openBlobStore } from './open-blob-store.ts'
import { openS3Blobs } from './s3-blobs.ts'
import { readS3Url } from './s3-client.ts'

const folder = createDataDir()
let s3: FakeS3
beforeAll(async () => {
  s3 = await openFakeS3()
})
afterAll(async () => {
  await s3.close()
  fs.rmSync(folder, { recursive: true, force: true })
})
const now = (): Date => new Date()
const readKeys = async (blobs: BlobStore, prefix: string): Promise<string[]> => {
  const keys: string[] = []
  for await (const { key } of blobs.list(prefix)) keys.push(key)
  return keys
}
const fileWith = (bytes: Uint8Array): string => {
  const file = path.join(folder, `file-${randomBytes(4).toString('hex')}`)
  fs.writeFileSync(file, bytes)
  return file
}
const partBytes = 1000
const keyToEscape = "x/a b (1)+'ü&%2F.gz"

describe.each([
  {
    name: 'a directory',
    open: () =>
      openBlobStore({ blobUrl: pathToFileURL(path.join(folder, 'all files')).href, dataDir: folder }, now),
  },
  {
    name: 'an S3-compatible service',
    open: () =>
      openS3Blobs({ url: new URL(s3.url), cacheFolder: path.join(folder, 'cache'), now, partBytes }),
  },
])('files in $name', ({ open }) => {
  let blobs: BlobStore
  beforeEach(async () => {
    blobs = open()
    await blobs.deleteAll('x/')
  })

  it('reads blobs unchanged, and replaces them completely', async () => {
    const bytes = randomBytes(500)
    await blobs.put(keyToEscape, Buffer.from('before'))
    await blobs.put(keyToEscape, bytes)
    expect(await readBlob(blobs, keyToEscape)).toEqual(bytes)
    expect(await blobs.head(keyToEscape)).toMatchObject({ key: keyToEscape, bytes: 500 })
    expect(await readKeys(blobs, 'x/')).toEqual([keyToEscape])
    await blobs.put('x/empty', new Uint8Array())
    expect(await readBlob(blobs, 'x/empty')).toEqual(Buffer.alloc(0))
  })

  it('returns null for blobs that do not exist', async () => {
    expect(await blobs.get('x/none')).toBeNull()
    expect(await blobs.head('x/none')).toBeNull()
    expect(await blobs.localFile('x/none')).toBeNull()
    await blobs.delete('x/none')
    expect(await readKeys(blobs, 'x/')).toEqual([])
    expect(await blobs.folders('x/')).toEqual([])
  })

  it('writes blobs from local files of one or several parts, and reads from them', async () => {
    for (const size of [0, partBytes, 3 * partBytes + 7]) {
      const bytes = randomBytes(size)
      const file = fileWith(bytes)
      await blobs.putFile(`x/file-${size}`, file)
      expect(fs.existsSync(file)).toBe(false)
      const local = await blobs.localFile(`x/file-${size}`)
      expect(fs.readFileSync(local ?? '')).toEqual(bytes)
      expect(fs.readFileSync((await blobs.localFile(`x/file-${size}`)) ?? '')).toEqual(bytes)
    }
    expect(s3.openUploads()).toBe(0)
  })

  it('lists blobs by folder, in order and over several pages, and removes them by folder', async () => {
    const keys = ['x/1/a', 'x/1/b', 'x/1/c/d', 'x/2/a', 'x/3', 'x/10/e', 'x/9/f', 'x/8/g']
    for (const key of keys) await blobs.put(key, Buffer.from(key))
    expect(await readKeys(blobs, 'x/')).toEqual(keys.toSorted())
    expect(await blobs.folders('x/')).toEqual(['1', '10', '2', '8', '9'])
    expect(await blobs.folders('x/1/')).toEqual(['c'])
    await blobs.deleteAll('x/1/')
    expect(await readKeys(blobs, 'x/')).toEqual(['x/10/e', 'x/2/a', 'x/3', 'x/8/g', 'x/9/f'])
    await blobs.delete('x/3')
    expect(await readBlob(blobs, 'x/3')).toBeNull()
  })

  it.each(['../secret.key', 'x/../../secret.key', '/etc/passwd', 'x//y', '', 'x/\0'])(
    'refuses blobs under the key %j',
    async (key) => {
      await expect(async () => blobs.put(key, Buffer.from('x'))).rejects.toThrow('Not a key')
      await expect(async () => blobs.get(key)).rejects.toThrow('Not a key')
    },
  )
})

describe('an S3-compatible service', () => {
  const open = (options = '', url = s3.url): BlobStore =>
    openS3Blobs({ url: new URL(url + options), cacheFolder: path.join(folder, 'cache'), now, partBytes })

  it('refuses a wrong password', async () => {
    const urlWithWrongPassword = new URL(s3.url)
    urlWithWrongPassword.password = 'wrong'
    await expect(open('', urlWithWrongPassword.href).put('x/a', Buffer.from('a'))).rejects.toThrow(
      '403 SignatureDoesNotMatch',
    )
  })

  it('repeats requests while the service is busy', async () => {
    s3.failNext(2)
    await open().put('x/busy', Buffer.from('a'))
    expect(s3.objects.get('a/b/x/busy')?.bytes.toString()).toBe('a')
  })

  it('encrypts at rest if the setting says so', async () => {
    const blobs = open('&sse=AES256')
    await blobs.put('x/small', Buffer.from('a'))
    expect(s3.objects.get('a/b/x/small')?.encryption).toBe('AES256')
  })

  it('returns links that work without credentials until they expire', async () => {
    const link = {
      seconds: 60,
      contentType: 'text/csv',
      contentDisposition: 'attachment; filename="a b.csv"',
    }
    await open().put('x/link', Buffer.from('rows'))
    expect(open().signedUrl('x/link', link)).toBeNull()
    const url = open('&downloads=direct').signedUrl('x/link', link) ?? ''
    const response = await fetch(url)
    expect(response.headers.get('content-type')).toBe('text/csv')
    expect(await response.text()).toBe('rows')
    expect((await fetch(url.replace('x/link', 'x/busy'))).status).toBe(403)
    const earlierStore = openS3Blobs({
      url: new URL(`${s3.url}&downloads=direct`),
      cacheFolder: folder,
      now: () => new Date(Date.now() - 120_000),
    })
    expect((await fetch(earlierStore.signedUrl('x/link', link) ?? '')).status).toBe(403)
  })

  it('stores and returns files of many parts', async () => {
    const bytes = randomBytes(300_000)
    await open().putFile('x/large', fileWith(bytes))
    const stream = await open().get('x/large')
    expect(stream && (await buffer(stream))).toEqual(bytes)
  })

  it.each([
    ['s3://host/bucket', 'must look like'],
    ['s3://a:b@host', 'must look like'],
    ['s3://a:b@host/bucket?ssl=on', 'unknown options: ssl'],
    ['s3://a:b@host/bucket?sse=yes', 'sse must be'],
  ])('refuses the address %s', (url, message) => {
    expect(() => readS3Url(new URL(url))).toThrow(message)
  })
})
