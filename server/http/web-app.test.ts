import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWebApp } from './web-app.ts'

const webRoot = fs.mkdtempSync(path.join(tmpdir(), 'publicway-web-'))
let usual: FastifyInstance
let development: FastifyInstance
beforeAll(async () => {
  fs.writeFileSync(path.join(webRoot, 'index.html'), '<!doctype html><title>Publicway</title>')
  usual = await openWebApp(webRoot, () => undefined, { development: false })
  development = await openWebApp(webRoot, () => undefined, { development: true })
})
afterAll(async () => {
  await usual.close()
  await development.close()
  fs.rmSync(webRoot, { recursive: true })
})

const status = async (app: FastifyInstance, url: string): Promise<number> => (await app.inject({ url })).statusCode

describe('pages', () => {
  it('are the one page, whatever their address', async () => {
    for (const url of ['/', '/login', '/alder/mobility/maps/trips?from=x', '/developers', '/device']) {
      const answer = await usual.inject({ url })
      expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([url, 200, 'text/html; charset=utf-8'])
    }
  })

  it('for developers are there in development only, however the address is written', async () => {
    for (const url of ['/dev', '/dev/', '/dev/gallery', '/dev/mail', '/dev?x', '/DEV/gallery', '/%64ev/gallery', '/dev%2Fgallery', '//dev/gallery', '/dev%5Cgallery', '/dev/%E0%A4%A']) expect([url, await status(usual, url)]).toEqual([url, expect.toSatisfy((code: number) => code === 404 || code === 400)])
    expect(await status(development, '/dev/gallery')).toBe(200)
  })

  it('end where the API begins', async () => {
    const answer = await usual.inject({ url: '/v2/nothing' })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
    expect(await status(usual, '/missing.js')).toBe(404)
  })
})
