import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, Refusal } from './fake-server.ts'
import { findDemo, signIn, signOut } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

it('signs in and out', async () => {
  const { asked } = fakeServer({ 'POST /api/auth/sign-in/email': () => ({}), 'POST /api/auth/sign-out': () => ({}) })
  await signIn('ada@city.example', 'secret')
  await signOut()
  expect(asked.map(({ path, body }) => [path, body])).toEqual([
    ['/api/auth/sign-in/email', { email: 'ada@city.example', password: 'secret' }],
    ['/api/auth/sign-out', {}],
  ])
})

it('says what the server refused', async () => {
  fakeServer({ 'POST /api/auth/sign-in/email': () => new Refusal(401, 'x', 'INVALID_EMAIL_OR_PASSWORD') })
  await expect(signIn('a', 'b')).rejects.toMatchObject({ status: 401, body: { code: 'INVALID_EMAIL_OR_PASSWORD' } })
})

it('says when no answer came', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(signOut()).rejects.toMatchObject({ status: 0 })
})

it('finds the demo city, or none', async () => {
  const demo = { sign_ins: [{ email: 'a@b.example', password: 'x', role: 'Analyst' }] }
  fakeServer({ 'GET /internal/demo': () => demo })
  expect(await findDemo()).toEqual(demo)
  fakeServer({})
  expect(await findDemo()).toBeNull()
})
