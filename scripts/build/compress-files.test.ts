import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { compressFile } from './compress-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'compress-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('compressFile writes both compressed forms of a file, and none of a small file', async () => {
  const text = 'const answer = 42\n'.repeat(500)
  writeFileSync(join(folder, 'a.js'), text)
  writeFileSync(join(folder, 'b.js'), 'const b = 1')
  await Promise.all(['a.js', 'b.js'].map((name) => compressFile(join(folder, name))))
  const [br, gz] = ['br', 'gz'].map((kind) => readFileSync(join(folder, `a.js.${kind}`)))
  expect([String(brotliDecompressSync(br!)), String(gunzipSync(gz!)), br!.length < 200]).toEqual([
    text,
    text,
    true,
  ])
  expect(existsSync(join(folder, 'b.js.br'))).toBe(false)
})
