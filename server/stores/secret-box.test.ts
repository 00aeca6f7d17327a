import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSecretBox, createSecretBox } from './secret-box.ts'

const secretBox = createSecretBox('ab'.repeat(32))

test('A sealed text can only be opened unchanged and for its purpose', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, index) => {
      const sealed = secretBox.seal('feed', text)
      expect(secretBox.open('feed', sealed)).toBe(text)
      expect(() => secretBox.open('mail', sealed)).toThrow(Error)
      expect(() => createSecretBox('ac'.repeat(32)).open('feed', sealed)).toThrow(Error)
      const bytes = Buffer.from(sealed.slice(3), 'base64url')
      bytes[index % bytes.length] = (bytes[index % bytes.length] ?? 0) ^ 1
      expect(() => secretBox.open('feed', `v1.${bytes.toString('base64url')}`)).toThrow(Error)
    }),
    { numRuns: 50 },
  )
  expect(secretBox.seal('feed', 'same')).not.toBe(secretBox.seal('feed', 'same'))
  expect(secretBox.derive('a')).not.toBe(secretBox.derive('b'))
  for (const bad of ['', 'v1.', 'v2.abc', 'plain text'])
    expect(() => secretBox.open('feed', bad)).toThrow(Error)
})

test('The key is created once, readable only by its owner', () => {
  const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'publicway-key-'))
  const first = openSecretBox({ secretKey: null, dataDir })
  expect(fs.statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  expect(openSecretBox({ secretKey: null, dataDir }).open('x', first.seal('x', 'text'))).toBe('text')
  fs.writeFileSync(path.join(dataDir, 'secret.key'), 'short')
  expect(() => openSecretBox({ secretKey: null, dataDir })).toThrow('64 hexadecimal')
  expect(openSecretBox({ secretKey: 'ab'.repeat(32), dataDir }).open('x', secretBox.seal('x', 'given'))).toBe(
    'given',
  )
  fs.rmSync(dataDir, { recursive: true })
})
