import { afterEach, describe, expect, it, vi } from 'vitest'
import { getAuthErrorCode } from './auth-call.ts'
import { fakeServer, ErrorResponse } from './test-server.ts'
import {
  finishPhone,
  finishTotp,
  passChallenge,
  renewRecoveryCodes,
  sendChallengeCode,
  startPhone,
  startTotp,
  unenrollFirstFactor,
} from './second-factor.ts'
import { changePassword, findDemo, requestPasswordReset, resetPassword, signIn, signOut } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

it('signs in and out', async () => {
  const { requests } = fakeServer({
    'POST /api/auth/sign-in/email': () => ({}),
    'POST /api/auth/sign-out': () => ({}),
  })
  expect(await signIn('ada@city.example', 'secret')).toBeNull()
  await signOut()
  expect(requests.map(({ path, body }) => [path, body])).toEqual([
    ['/api/auth/sign-in/email', { email: 'ada@city.example', password: 'secret' }],
    ['/api/auth/sign-out', {}],
  ])
})

it('returns the challenge that a sign-in requires', async () => {
  fakeServer({
    'POST /api/auth/sign-in/email': () => ({
      twoFactorRedirect: true,
      twoFactorMethods: ['totp', 'otp'],
      phoneHint: '••01',
    }),
  })
  expect(await signIn('a', 'b')).toEqual({ methods: ['totp', 'otp'], phoneHint: '••01' })
  fakeServer({ 'POST /api/auth/sign-in/email': () => ({ twoFactorRedirect: true }) })
  expect(await signIn('a', 'b')).toEqual({ methods: [], phoneHint: null })
})

it('throws the error code of the server without the request', async () => {
  fakeServer({
    'POST /api/auth/sign-in/email': () => new ErrorResponse(401, 'x', 'INVALID_EMAIL_OR_PASSWORD'),
  })
  const error = await signIn('a', 'secret').catch((caught: unknown) => caught)
  expect(error).toMatchObject({ status: 401, body: { code: 'INVALID_EMAIL_OR_PASSWORD' }, request: null })
  expect([getAuthErrorCode(error), getAuthErrorCode(new Error('x')), getAuthErrorCode(null)]).toEqual([
    'INVALID_EMAIL_OR_PASSWORD',
    null,
    null,
  ])
})

it('throws without a response', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
  const error = await signOut().catch((caught: unknown) => caught)
  expect(error).toMatchObject({ status: 0 })
  expect(getAuthErrorCode(error)).toBeNull()
})

it('finds the demo city, or null', async () => {
  const demo = { sign_ins: [{ email: 'a@b.example', password: 'x', role: 'Analyst' }] }
  fakeServer({ 'GET /internal/demo': () => demo })
  expect(await findDemo()).toEqual(demo)
  fakeServer({})
  expect(await findDemo()).toBeNull()
})

describe('each call', () => {
  const calls: [string, () => Promise<unknown>, object][] = [
    [
      '/request-password-reset',
      () => requestPasswordReset('ada@city.example'),
      { email: 'ada@city.example' },
    ],
    [
      '/reset-password',
      () => resetPassword('t', 'a new password'),
      { token: 't', newPassword: 'a new password' },
    ],
    [
      '/change-password',
      () => changePassword('old', 'a new password'),
      { currentPassword: 'old', newPassword: 'a new password' },
    ],
    ['/two-factor/verify-totp', () => passChallenge('totp', '123456'), { code: '123456' }],
    ['/two-factor/verify-otp', () => passChallenge('otp', '123456'), { code: '123456' }],
    [
      '/two-factor/verify-backup-code',
      () => passChallenge('recovery', 'abcde-fghij'),
      { code: 'abcde-fghij' },
    ],
    ['/two-factor/send-otp', () => sendChallengeCode(), {}],
    ['/multi-factor/totp/start', () => startTotp(), {}],
    ['/multi-factor/totp/finish', () => finishTotp('123456'), { code: '123456' }],
    ['/multi-factor/phone/start', () => startPhone('+15550100100'), { phoneNumber: '+15550100100' }],
    ['/multi-factor/phone/finish', () => finishPhone('123456'), { code: '123456' }],
    ['/multi-factor/unenrol', () => unenrollFirstFactor(), {}],
    ['/multi-factor/recovery-codes', () => renewRecoveryCodes(), {}],
  ]
  it.each(calls)('%s', async (path, send, body) => {
    const { requests } = fakeServer({ [`POST /api/auth${path}`]: () => ({}) })
    await send()
    expect(requests.map((request) => [request.method, request.path, request.body])).toEqual([
      ['POST', `/api/auth${path}`, body],
    ])
  })
})
