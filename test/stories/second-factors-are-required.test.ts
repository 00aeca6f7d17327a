import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { systemScope } from '#server/identity/scope.ts'
import { openTestApp, request, type TestApp } from '../app.ts'
import { makePeople, password, type TestCity, addUser } from '../city.ts'
import { currentTotp } from '../current-totp.ts'
import { getError, Visitor } from '../visitor.ts'

let app: TestApp
let city: TestCity
let number = 0
/** The email of a new person for each test. */
let email = ''
beforeAll(async () => {
  app = await openTestApp()
  city = await makePeople(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  email = `person${++number}@alder.example`
  await addUser(app, city, email)
})
afterEach(() => void vi.useRealTimers())

const invalidCode = [400, 'INVALID_CODE']
const unsupported = [400, 'UNSUPPORTED_FACTOR']
const expired = [401, 'CHALLENGE_EXPIRED']
const tooOld = [403, 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN']
const tooMany = [429, 'TOO_MANY_ATTEMPTS']
const advance = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)
const makeWrong = (code: string): string => code.replace(/./g, (digit) => String((Number(digit) + 1) % 10))
const readSentCode = (to: string): string =>
  /^\d{6}/.exec(app.mails.findLast((mail) => mail.to === to)?.text ?? '')?.[0] ?? ''
const signInPerson = async (): Promise<Visitor> => {
  const visitor = new Visitor(app)
  expect((await visitor.signIn(email, password)).statusCode).toBe(200)
  return visitor
}
const enrollApp = async (visitor: Visitor): Promise<{ key: string; recoveryCodes: string[] | null }> => {
  const enrollment = (await visitor.auth('/multi-factor/totp/start')).json<{
    uri: string
    key: string
    recoveryCodes: string[] | null
  }>()
  expect(
    (await visitor.auth('/multi-factor/totp/finish', { code: currentTotp(enrollment.key) })).statusCode,
  ).toBe(200)
  return enrollment
}
const enrollPhone = async (visitor: Visitor, phoneNumber: string) => {
  expect((await visitor.auth('/multi-factor/phone/start', { phoneNumber })).statusCode).toBe(200)
  return visitor.auth('/multi-factor/phone/finish', { code: readSentCode(phoneNumber) })
}
const readFactors = async (visitor: Visitor): Promise<string[]> =>
  (await visitor.get('/v2/users/me'))
    .json<{ enrolledFactors: { kind: string }[] }>()
    .enrolledFactors.map(({ kind }) => kind)
const startChallenge = async (): Promise<Visitor> => {
  const visitor = new Visitor(app)
  expect((await visitor.signIn(email, password)).json()).toMatchObject({ twoFactorRedirect: true })
  return visitor
}
const readAudit = async (): Promise<string[]> => {
  const rows = await app.state
    .as(systemScope)
    .selectFrom('audit')
    .select(['action', 'status'])
    .where('user_email', '=', email)
    .orderBy('audit_id')
    .execute()
  return rows.map(({ action, status }) => `${action} ${status}`)
}
const waitForMail = async (subject: string): Promise<void> =>
  vi.waitFor(() =>
    expect(app.mails.filter((mail) => mail.to === email).map((mail) => mail.subject)).toContain(subject),
  )

describe('an authenticator app', () => {
  it('is enrolled with its first code, and required from then on', async () => {
    const visitor = await signInPerson()
    const enrollment = (await visitor.auth('/multi-factor/totp/start')).json()
    expect(enrollment.uri).toMatch(
      `otpauth://totp/Publicway:${encodeURIComponent(email)}?secret=${enrollment.key}&issuer=Publicway`,
    )
    expect(enrollment.recoveryCodes).toHaveLength(10)
    // A started enrollment does not count.
    expect([
      await readFactors(visitor),
      (await new Visitor(app).signIn(email, password)).json().twoFactorRedirect,
    ]).toEqual([[], undefined])
    expect(
      getError(
        await visitor.auth('/multi-factor/totp/finish', { code: makeWrong(currentTotp(enrollment.key)) }),
      ),
    ).toEqual(invalidCode)
    const { enrolledFactors } = (
      await visitor.auth('/multi-factor/totp/finish', { code: currentTotp(enrollment.key) })
    ).json()
    expect(enrolledFactors).toMatchObject([{ kind: 'totp', displayName: 'Authenticator app' }])
    expect((await visitor.get('/v2/users/me')).json()).toMatchObject({
      enrolledFactors,
      providerData: [{ providerId: 'password' }],
    })
    await waitForMail('A second factor was added to your Publicway account')
    expect(getError(await visitor.auth('/multi-factor/totp/start'))).toEqual([409, 'FACTOR_ALREADY_ENROLLED'])

    const next = new Visitor(app)
    const response = await next.signIn(email, password)
    expect(response.json()).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'], phoneHint: null })
    // A sign-in without the second factor gives neither access nor a token.
    expect([await next.isIn(), response.headers['set-auth-token']]).toEqual([false, undefined])
    expect(
      getError(await next.auth('/two-factor/verify-totp', { code: makeWrong(currentTotp(enrollment.key)) })),
    ).toEqual(invalidCode)
    advance(30)
    const verified = await next.auth('/two-factor/verify-totp', { code: currentTotp(enrollment.key) })
    expect([verified.statusCode, await next.isIn()]).toEqual([200, true])
    expect(
      (
        await request(app, {
          method: 'GET',
          url: '/v2/users/me',
          headers: { authorization: `Bearer ${String(verified.headers['set-auth-token'])}` },
        })
      ).statusCode,
    ).toBe(200)
    await vi.waitFor(async () =>
      expect((await readAudit()).toSorted()).toEqual([
        'second factor added: totp 200',
        'sign-in 200',
        'sign-in 200',
        'sign-in 200',
        'sign-in refused 401',
      ]),
    )
  })

  it('accepts each code once: not for enrolling and signing in, not concurrently, not after a later one', async () => {
    const visitor = await signInPerson()
    const { key } = await enrollApp(visitor)
    const verify = async (code: string) =>
      (await (await startChallenge()).auth('/two-factor/verify-totp', { code })).statusCode
    expect(await verify(currentTotp(key))).toBe(400)
    advance(60)
    const code = currentTotp(key)
    const both = [await startChallenge(), await startChallenge()]
    expect(
      (await Promise.all(both.map((visitor) => visitor.auth('/two-factor/verify-totp', { code }))))
        .map(({ statusCode }) => statusCode)
        .toSorted(),
    ).toEqual([200, 400])
    expect(await verify(currentTotp(key, -1))).toBe(400)
    advance(30)
    expect(await verify(currentTotp(key))).toBe(200)
  })

  it('must be enrolled again after a long time or five guesses', async () => {
    const visitor = await signInPerson()
    const { key } = (await visitor.auth('/multi-factor/totp/start')).json()
    for (let i = 0; i < 5; i++)
      expect(
        getError(await visitor.auth('/multi-factor/totp/finish', { code: makeWrong(currentTotp(key)) }))[1],
      ).toBe('INVALID_CODE')
    expect(getError(await visitor.auth('/multi-factor/totp/finish', { code: currentTotp(key) }))[1]).toBe(
      'CODE_EXPIRED',
    )
    const again = (await visitor.auth('/multi-factor/totp/start')).json()
    expect(again.key).not.toBe(key)
    advance(601)
    expect(
      getError(await visitor.auth('/multi-factor/totp/finish', { code: currentTotp(again.key) }))[1],
    ).toBe('CODE_EXPIRED')
    expect(await readFactors(visitor)).toEqual([])
  })
})

describe('a phone', () => {
  it('counts after its code is confirmed; only the last digits of its number are shown', async () => {
    const visitor = await signInPerson()
    expect(getError(await visitor.auth('/multi-factor/phone/start', { phoneNumber: '030 123' }))).toEqual([
      400,
      'INVALID_PHONE_NUMBER',
    ])
    expect(
      (await visitor.auth('/multi-factor/phone/start', { phoneNumber: '1 (555) 010-0101' })).json(),
    ).toEqual({ phoneNumber: '+15550100101' })
    const code = readSentCode('+15550100101')
    expect(getError(await visitor.auth('/multi-factor/phone/finish', { code: makeWrong(code) }))).toEqual(
      invalidCode,
    )
    expect([
      await readFactors(visitor),
      (await new Visitor(app).signIn(email, password)).json().twoFactorRedirect,
    ]).toEqual([[], undefined])
    const done = (await visitor.auth('/multi-factor/phone/finish', { code })).json()
    expect(done.enrolledFactors).toMatchObject([{ kind: 'phone', displayName: '••••••••••01' }])
    expect(done.recoveryCodes).toHaveLength(10)
    expect(getError(await visitor.auth('/multi-factor/phone/finish', { code }))[1]).toBe('CODE_EXPIRED')

    const next = new Visitor(app)
    expect((await next.signIn(email, password)).json()).toEqual({
      twoFactorRedirect: true,
      twoFactorMethods: ['otp'],
      phoneHint: '••••••••••01',
    })
    expect(getError(await next.auth('/two-factor/verify-totp', { code: '123456' }))).toEqual(unsupported)
    expect(getError(await next.auth('/two-factor/verify-otp', { code }))).toEqual([400, 'CODE_EXPIRED'])
    expect((await next.auth('/two-factor/send-otp')).statusCode).toBe(200)
    const sent = readSentCode('+15550100101')
    expect(getError(await next.auth('/two-factor/verify-otp', { code: makeWrong(sent) }))).toEqual(
      invalidCode,
    )
    expect((await next.auth('/two-factor/verify-otp', { code: sent })).statusCode).toBe(200)
    expect(await next.isIn()).toBe(true)
    const { rows } = await app.state.execute('select value from verification')
    expect(JSON.stringify(rows)).not.toContain(sent)
  })

  it('gets at most ten messages an hour, regardless of the client address', async () => {
    const visitor = await signInPerson()
    await enrollPhone(visitor, '+15550100102')
    const codes: number[] = []
    for (let i = 0; i < 11; i++)
      codes.push((await (await startChallenge()).auth('/two-factor/send-otp')).statusCode)
    expect(codes).toEqual([...Array.from({ length: 9 }, () => 200), 429, 429])
    advance(3601)
    expect((await (await startChallenge()).auth('/two-factor/send-otp')).statusCode).toBe(200)
  })

  it('is never sent a code unless it is being enrolled', async () => {
    await enrollApp(await signInPerson())
    const before = app.mails.length
    expect(getError(await (await startChallenge()).auth('/two-factor/send-otp'))).toEqual(unsupported)
    expect(app.mails.slice(before).filter((mail) => !mail.subject)).toEqual([])
  })
})

describe('the step after the password', () => {
  it('allows five guesses, and ten in a row over all sign-ins', async () => {
    const { key } = await enrollApp(await signInPerson())
    advance(60)
    const guessCode = async (visitor: Visitor) =>
      getError(await visitor.auth('/two-factor/verify-totp', { code: makeWrong(currentTotp(key)) }))
    const first = await startChallenge()
    for (let i = 0; i < 5; i++) expect(await guessCode(first)).toEqual(invalidCode)
    expect(getError(await first.auth('/two-factor/verify-totp', { code: currentTotp(key) }))).toEqual(tooMany)
    advance(30)
    expect(getError(await first.auth('/two-factor/verify-totp', { code: currentTotp(key) }))).toEqual(expired)
    const second = await startChallenge()
    for (let i = 0; i < 5; i++) expect(await guessCode(second)).toEqual(invalidCode)
    advance(30)
    expect(
      getError(await (await startChallenge()).auth('/two-factor/verify-totp', { code: currentTotp(key) })),
    ).toEqual(tooMany)
    advance(901)
    expect(
      (await (await startChallenge()).auth('/two-factor/verify-totp', { code: currentTotp(key) })).statusCode,
    ).toBe(200)
  })

  it('does not reset the guesses at a phone code when another one is sent', async () => {
    const visitor = await signInPerson()
    await enrollPhone(visitor, '+15550100103')
    const next = await startChallenge()
    for (let round = 0; round < 2; round++) {
      advance(1)
      await next.auth('/two-factor/send-otp')
      for (let i = 0; i < 5; i++)
        expect(
          getError(
            await next.auth('/two-factor/verify-otp', { code: makeWrong(readSentCode('+15550100103')) }),
          )[1],
        ).toBe('INVALID_CODE')
    }
    const last = await startChallenge()
    await last.auth('/two-factor/send-otp')
    expect(
      getError(await last.auth('/two-factor/verify-otp', { code: readSentCode('+15550100103') })),
    ).toEqual(tooMany)
  })

  it('ends after ten minutes, is not for signed-in users, and trusts no device', async () => {
    const visitor = await signInPerson()
    const { key } = await enrollApp(visitor)
    expect(getError(await visitor.auth('/two-factor/verify-totp', { code: currentTotp(key) }))).toEqual(
      expired,
    )
    const late = await startChallenge()
    advance(601)
    expect(getError(await late.auth('/two-factor/verify-totp', { code: currentTotp(key) }))).toEqual(expired)
    const next = await startChallenge()
    expect(
      (await next.auth('/two-factor/verify-totp', { code: currentTotp(key), trustDevice: true })).statusCode,
    ).toBe(200)
    expect([...next.cookies.keys()].filter((name) => !name.includes('device'))).toEqual([
      'publicway.session_token',
    ])
    expect((await next.signIn(email, password)).json().twoFactorRedirect).toBe(true)
  })

  it('ends with the password that it began with', async () => {
    const visitor = await signInPerson()
    const { key } = await enrollApp(visitor)
    advance(60)
    const [enrollment, other] = [await startChallenge(), await startChallenge()]
    expect(
      (
        await visitor.auth('/change-password', {
          currentPassword: password,
          newPassword: 'another long password',
        })
      ).statusCode,
    ).toBe(200)
    expect(getError(await enrollment.auth('/two-factor/verify-totp', { code: currentTotp(key) }))).toEqual(
      expired,
    )
    expect(await other.isIn()).toBe(false)
  })

  it('is rejected if the user was disabled in the meantime', async () => {
    const { key } = await enrollApp(await signInPerson())
    advance(60)
    const next = await startChallenge()
    await app.state
      .as(systemScope)
      .updateTable('user')
      .set({ disabled: true })
      .where('email', '=', email)
      .execute()
    expect(getError(await next.auth('/two-factor/verify-totp', { code: currentTotp(key) }))).toEqual([
      401,
      'INVALID_EMAIL_OR_PASSWORD',
    ])
    expect(await next.isIn()).toBe(false)
  })
})

describe('recovery codes', () => {
  it('work once each, in any notation', async () => {
    const { recoveryCodes } = await enrollApp(await signInPerson())
    const [first = '', second = ''] = recoveryCodes ?? []
    const use = async (code: string) =>
      getError(
        await (await startChallenge()).auth('/two-factor/verify-backup-code', { code, disableSession: true }),
      )
    const next = await startChallenge()
    expect((await next.auth('/two-factor/verify-backup-code', { code: first })).statusCode).toBe(200)
    expect(await next.isIn()).toBe(true)
    expect(await use(first)).toEqual(invalidCode)
    expect((await use(second.toUpperCase().replace('-', ' ')))[0]).toBe(200)
    expect(await use('aaaaa-aaaaa')).toEqual(invalidCode)
    const { rows } = await app.state.execute('select "backupCodes", secret from "twoFactor"')
    for (const code of recoveryCodes ?? []) expect(JSON.stringify(rows)).not.toContain(code)
  })

  it('are renewed, which invalidates the old ones', async () => {
    const visitor = await signInPerson()
    expect(getError(await visitor.auth('/multi-factor/recovery-codes'))).toEqual(unsupported)
    const { recoveryCodes: old } = await enrollApp(visitor)
    const fresh = (await visitor.auth('/multi-factor/recovery-codes')).json().recoveryCodes
    expect(fresh).toHaveLength(10)
    expect(
      (await (await startChallenge()).auth('/two-factor/verify-backup-code', { code: old?.[0] })).statusCode,
    ).toBe(400)
    expect(
      (await (await startChallenge()).auth('/two-factor/verify-backup-code', { code: fresh[0] })).statusCode,
    ).toBe(200)
    await waitForMail('New recovery codes for your Publicway account')
    expect(await readAudit()).toContain('recovery codes renewed 200')
  })
})

describe('changing second factors', () => {
  it('keeps one kind when two are enrolled and the first is removed', async () => {
    const visitor = await signInPerson()
    await enrollPhone(visitor, '+15550100104')
    advance(1)
    const enrollment = (await visitor.auth('/multi-factor/totp/start')).json()
    expect(enrollment.recoveryCodes).toBeNull()
    await visitor.auth('/multi-factor/totp/finish', { code: currentTotp(enrollment.key) })
    expect(await readFactors(visitor)).toEqual(['phone', 'totp'])
    expect((await new Visitor(app).signIn(email, password)).json()).toMatchObject({
      twoFactorMethods: ['otp', 'totp'],
      phoneHint: '••••••••••04',
    })
    expect((await visitor.auth('/multi-factor/unenrol')).json().enrolledFactors).toMatchObject([
      { kind: 'totp' },
    ])
    expect((await new Visitor(app).signIn(email, password)).json()).toMatchObject({
      twoFactorMethods: ['totp'],
      phoneHint: null,
    })
    await waitForMail('A second factor was removed from your Publicway account')

    expect((await visitor.auth('/multi-factor/unenrol')).json()).toEqual({ enrolledFactors: [] })
    expect(getError(await visitor.auth('/multi-factor/unenrol'))).toEqual(unsupported)
    expect(getError(await visitor.auth('/multi-factor/recovery-codes'))).toEqual(unsupported)
    expect((await new Visitor(app).signIn(email, password)).json().twoFactorRedirect).toBeUndefined()
    expect(await readAudit()).toEqual(
      expect.arrayContaining(['second factor removed: phone 200', 'second factor removed: totp 200']),
    )
  })

  it('makes a removed app useless', async () => {
    const visitor = await signInPerson()
    const { key } = await enrollApp(visitor)
    advance(1)
    await enrollPhone(visitor, '+15550100105')
    await visitor.auth('/multi-factor/unenrol')
    advance(60)
    expect(
      getError(await (await startChallenge()).auth('/two-factor/verify-totp', { code: currentTotp(key) })),
    ).toEqual(unsupported)
    expect(await readFactors(visitor)).toEqual(['phone'])
  })

  it('needs a sign-in within the last half hour', async () => {
    const visitor = await signInPerson()
    const calls = [
      ['totp/start', {}],
      ['totp/finish', { code: '123456' }],
      ['phone/start', { phoneNumber: '+15550100106' }],
      ['phone/finish', { code: '123456' }],
      ['unenrol', {}],
      ['recovery-codes', {}],
    ] as const
    advance(1801)
    for (const [path, body] of calls) {
      expect(getError(await visitor.auth(`/multi-factor/${path}`, body))).toEqual(tooOld)
      expect(getError(await new Visitor(app).auth(`/multi-factor/${path}`, body))).toEqual([
        401,
        'UNAUTHORIZED',
      ])
    }
    // A new password does not count as a new sign-in.
    expect(
      (
        await visitor.auth('/change-password', {
          currentPassword: password,
          newPassword: 'another long password',
        })
      ).statusCode,
    ).toBe(200)
    expect(await visitor.isIn()).toBe(true)
    expect(getError(await visitor.auth('/multi-factor/unenrol'))).toEqual(tooOld)
  })

  it('works by token as well', async () => {
    const signedIn = await new Visitor(app).signIn(email, password)
    const headers = { authorization: `Bearer ${String(signedIn.headers['set-auth-token'])}` }
    expect(
      (
        await request(app, {
          method: 'POST',
          url: '/api/auth/multi-factor/totp/start',
          body: {},
          headers,
          from: '10.8.0.1',
        })
      ).json().key,
    ).toMatch(/^[A-Z2-7]{52}$/)
  })
})

test('an organization that requires a second factor blocks all calls until it is enrolled', async () => {
  await app.state
    .as(systemScope)
    .updateTable('organization')
    .set({ settings: JSON.stringify({ mfaRequired: true }) })
    .where('organization_id', '=', city.organizations.alder)
    .execute()
  const visitor = await signInPerson()
  const getStatus = async () => (await visitor.get('/v2/regions')).statusCode
  expect([(await visitor.get('/v2/users/me')).json().mfaRequired, await getStatus()]).toEqual([true, 403])
  await enrollApp(visitor)
  expect([(await visitor.get('/v2/users/me')).json().mfaRequired, await getStatus()]).toEqual([false, 200])
  await visitor.auth('/multi-factor/unenrol')
  expect(await getStatus()).toBe(403)
})
