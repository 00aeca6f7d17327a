import fs from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openApiClient } from './api-client.ts'

let server
let url
let calls
let responses
const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-tokens-'))
const tokenFile = path.join(folder, 'deep', 'tokens.json')
const pauses = []
const client = (more = {}) =>
  openApiClient({
    url,
    email: 'a@b.example',
    password: 'x',
    tokenFile,
    pause: async (ms) => void pauses.push(ms),
    printLine: () => undefined,
    ...more,
  })

beforeEach(async () => {
  calls = []
  responses = []
  pauses.length = 0
  fs.rmSync(folder, { recursive: true, force: true })
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += part))
    request.on('end', () => {
      calls.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'} ${body}`)
      const [status, headers] = responses.shift() ?? [200, {}]
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end('{"detail":"so it is"}')
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${server.address().port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const signIn = 'POST /api/auth/sign-in/email - {"email":"a@b.example","password":"x"}'

it('signs in once, and again only after the stored token has expired', async () => {
  responses = [[200, { 'set-auth-token': 'one' }]]
  await (await client()).json('GET', '/x')
  await (await client()).json('GET', '/y')
  expect(calls).toEqual([signIn, 'GET /x Bearer one ', 'GET /y Bearer one '])
  expect(fs.statSync(tokenFile).mode & 0o777).toBe(0o600)
  responses = [
    [401, {}],
    [200, { 'set-auth-token': 'two' }],
  ]
  await (await client()).json('POST', '/z', { a: 1 })
  expect(calls.slice(3)).toEqual(['POST /z Bearer one {"a":1}', signIn, 'POST /z Bearer two {"a":1}'])
})

it('does not sign in if a token is given', async () => {
  responses = [[401, {}]]
  await expect((await client({ token: 'mine' })).json('GET', '/x')).rejects.toThrow('401: so it is')
  expect(calls).toEqual(['GET /x Bearer mine '])
})

it('waits as long as a busy server requests, also for a file, but not absurdly long or endlessly', async () => {
  const file = path.join(folder, 'f.csv')
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(file, 'a,b\n')
  responses = [
    [429, { 'retry-after': '7' }],
    [503, {}],
    [200, {}],
  ]
  await (await client({ token: 't' })).sendFile('/files', file)
  expect(calls).toEqual(Array.from({ length: 3 }, () => 'POST /files Bearer t a,b\n'))
  expect(pauses).toEqual([7000, 4000])
  responses = [[429, { 'retry-after': '179542623914966' }]]
  await expect((await client({ token: 't' })).json('GET', '/x')).rejects.toThrow('429: so it is')
  responses = Array.from({ length: 9 }, () => [429, { 'retry-after': '1' }])
  await expect((await client({ token: 't' })).json('GET', '/x')).rejects.toThrow('429: so it is')
  expect(responses).toHaveLength(3)
})
