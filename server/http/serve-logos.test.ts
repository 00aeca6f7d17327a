import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { openDirectoryBlobs } from '#server/stores/blobs/directory-blobs.ts'
import { serveLogos } from './serve-logos.ts'

const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'publicway-logos-'))
fs.mkdirSync(path.join(dataDir, 'logos'))
fs.writeFileSync(path.join(dataDir, 'logos', 'city.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
fs.writeFileSync(path.join(dataDir, 'logos', 'notes.txt'), 'private text')
fs.writeFileSync(path.join(dataDir, 'secret.svg'), 'private text')
const app = fastify()
serveLogos(app, openDirectoryBlobs(dataDir))
afterAll(() => app.close().then(() => fs.rmSync(dataDir, { recursive: true })))

test('serveLogos serves images of its folder, which cannot run scripts', async () => {
  const response = await app.inject({ method: 'GET', url: '/logos/city.svg' })
  expect([
    response.statusCode,
    response.headers['content-type'],
    response.headers['content-security-policy'],
  ]).toEqual([200, 'image/svg+xml', "default-src 'none'; style-src 'unsafe-inline'; sandbox"])
})

test.each([
  'none.svg',
  'notes.txt',
  '..%2Fsecret.svg',
  '%2e%2e%2fsecret.svg',
  'city.svg%00.png',
  '.svg',
  'constructor',
  'city.constructor',
])('serveLogos responds with 404 for %s', async (name) => {
  const response = await app.inject({ method: 'GET', url: `/logos/${name}` })
  expect(response.statusCode).toBe(404)
  expect(response.body).not.toContain('private text')
})
