import { randomBytes } from 'node:crypto'
import { Readable, type Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createDecryption, createEncryption, DecryptionError } from './encrypted-file.ts'

const passphrase = 'correct horse battery staple'
const transformBytes = (bytes: Buffer, transform: Transform, chunk = 70_000): Promise<Buffer> => {
  const parts: Buffer[] = []
  for (let index = 0; index < bytes.length; index += chunk) parts.push(bytes.subarray(index, index + chunk))
  const source = Readable.from(parts)
  source.once('error', (error) => transform.destroy(error))
  return buffer(source.pipe(transform))
}
const encrypt = (bytes: Buffer) => transformBytes(bytes, createEncryption(passphrase))

test.each([0, 1, 1 << 20, (1 << 20) + 1, 3_500_000])('Decryption restores %i bytes', async (size) => {
  const plain = randomBytes(size)
  const sealed = await encrypt(plain)
  expect(sealed.length).toBeGreaterThan(size)
  expect(size > 16 && sealed.includes(plain.subarray(0, 16))).toBe(false)
  expect((await transformBytes(sealed, createDecryption(passphrase), 1313)).equals(plain)).toBe(true)
})

test('Encryption never encrypts the same bytes in the same form', async () => {
  const plain = Buffer.from('the same')
  expect((await encrypt(plain)).equals(await encrypt(plain))).toBe(false)
})

test('Decryption refuses a wrong passphrase, and changed, missing, exchanged and appended bytes', async () => {
  const sealed = await encrypt(randomBytes(3_000_000))
  const segment = (1 << 20) + 16
  const [start, first, second, rest] = [
    sealed.subarray(0, 31),
    sealed.subarray(31, 31 + segment),
    sealed.subarray(31 + segment, 31 + 2 * segment),
    sealed.subarray(31 + 2 * segment),
  ]
  const changed = Buffer.from(sealed)
  changed[500_000] = (changed[500_000] ?? 0) ^ 1
  const refused = [
    [sealed, 'another passphrase'],
    [changed, passphrase],
    [sealed.subarray(0, 31 + segment), passphrase],
    [sealed.subarray(0, -1), passphrase],
    [sealed.subarray(0, 10), passphrase],
    [Buffer.concat([start, second, first, rest]), passphrase],
    [Buffer.concat([sealed, rest]), passphrase],
    [randomBytes(5000), passphrase],
  ] as const
  for (const [bytes, word] of refused)
    await expect(transformBytes(bytes, createDecryption(word))).rejects.toThrow(DecryptionError)
})
