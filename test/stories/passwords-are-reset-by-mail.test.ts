import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPasswordLink } from '#server/identity/create-password-link.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openTestApp, request, type TestApp } from '../app.ts'
import { makePeople, password, type TestCity, addUser } from '../city.ts'
import { getError, Visitor } from '../visitor.ts'

let app: TestApp
let city: TestCity
let number = 0
let email = ''
let id = ''
const publicUrl = 'https://curb.streets.example'
beforeAll(async () => {
  app = await openTestApp(undefined, { PUBLIC_URL: publicUrl })
  city = await makePeople(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  email = `forgetful${++number}@alder.example`
  id = await addUser(app, city, email)
})
afterEach(() => void vi.useRealTimers())

const newPassword = 'a wholly new password'
const advance = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)
const listMails = (to: string) => app.mails.filter((mail) => mail.to === to)
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const findToken = (text: string): string =>
  new URL(/https?:\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? ''
const requestReset = (to: string, headers: Record<string, string> = {}) =>
  new Visitor(app).auth('/request-password-reset', { email: to }, headers)
/** Requests a reset and returns the token of the mail. */
const requestToken = async (): Promise<string> => {
  const before = listMails(email).length
  expect((await requestReset(email)).statusCode).toBe(200)
  await vi.waitFor(() => expect(listMails(email).length).toBe(before + 1))
  return findToken(listMails(email).at(-1)?.text ?? '')
}
const resetPassword = (token: string, chosen = newPassword) =>
  new Visitor(app).auth('/reset-password', { token, newPassword: chosen })
const canSignIn = async (word: string): Promise<boolean> =>
  (await new Visitor(app).signIn(email, word)).statusCode === 200
const readUserId = async (): Promise<string> =>
  (
    await app.state
      .as(systemScope)
      .selectFrom('user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id

describe('a user who forgot the password', () => {
  it('gets a link by email, sets a new one with it once, and all sessions end', async () => {
    const [browser, program] = [new Visitor(app), await new Visitor(app).signIn(email, password)]
    await browser.signIn(email, password)
    const token = await requestToken()
    expect(listMails(email)[0]).toMatchObject({
      subject: 'Choose a new password for Publicway',
      text: expect.stringContaining(`${publicUrl}/login/new-password?token=${token}\n`),
    })
    expect(await canSignIn(password)).toBe(true)
    expect((await resetPassword(token)).json()).toEqual({ status: true })
    expect([await canSignIn(password), await canSignIn(newPassword)]).toEqual([false, true])
    expect([
      await browser.isIn(),
      (
        await request(app, {
          method: 'GET',
          url: '/v2/users/me',
          headers: { authorization: `Bearer ${String(program.headers['set-auth-token'])}` },
        })
      ).statusCode,
    ]).toEqual([false, 401])
    expect(getError(await resetPassword(token, 'yet another password'))).toEqual([400, 'INVALID_TOKEN'])
    await vi.waitFor(() =>
      expect(listMails(email).at(-1)?.subject).toBe('Your Publicway password was changed'),
    )
    const acts = (
      await app.state
        .as(systemScope)
        .selectFrom('audit')
        .select('action')
        .where('user_email', '=', email)
        .execute()
    ).map(({ action }) => action)
    expect(acts).toEqual(expect.arrayContaining(['password reset requested', 'password reset']))
  })

  it('has an hour to use the link, and every link ends with the first that is used', async () => {
    const [first, second] = [await requestToken(), await requestToken()]
    advance(3599)
    expect((await resetPassword(first)).statusCode).toBe(200)
    expect(getError(await resetPassword(second))).toEqual([400, 'INVALID_TOKEN'])
    const third = await requestToken()
    advance(3601)
    expect(getError(await resetPassword(third))).toEqual([400, 'INVALID_TOKEN'])
  })

  it('gets emails in the language of the account', async () => {
    await app.state.as(systemScope).updateTable('user').set({ language: 'es' }).where('id', '=', id).execute()
    const token = await requestToken()
    expect(listMails(email)[0]?.subject).toBe('Elija una nueva contraseña para Publicway')
    await resetPassword(token)
    await vi.waitFor(() =>
      expect(listMails(email).at(-1)?.subject).toBe('Se cambió su contraseña de Publicway'),
    )
  })

  it('gets the password rules, and the link remains valid', async () => {
    const token = await requestToken()
    expect(getError(await resetPassword(token, 'too short'))).toEqual([400, 'PASSWORD_TOO_SHORT'])
    expect(getError(await resetPassword(token, 'x'.repeat(129)))).toEqual([400, 'PASSWORD_TOO_LONG'])
    expect(getError(await resetPassword(token, 'Password1234'))).toEqual([400, 'PASSWORD_COMMON'])
    expect((await resetPassword(token)).statusCode).toBe(200)
    for (const bad of ['', 'unknown', `${token}x`])
      expect(getError(await resetPassword(bad))).toEqual([400, 'INVALID_TOKEN'])
  })

  it('can sign in again after a lockout', async () => {
    for (let i = 0; i < 10; i++) await new Visitor(app).signIn(email, 'wrong wrong wrong')
    expect((await new Visitor(app).signIn(email, password)).statusCode).toBe(429)
    await resetPassword(await requestToken())
    expect(await canSignIn(newPassword)).toBe(true)
  })

  it('gets three emails an hour, regardless of the number of client addresses', async () => {
    for (let i = 0; i < 3; i++) await requestToken()
    expect((await requestReset(email)).statusCode).toBe(200)
    await wait(200)
    expect(listMails(email)).toHaveLength(3)
    advance(3601)
    await requestToken()
  })
})

describe('the link of a reset email', () => {
  it('leads to the configured address, regardless of the Host header', async () => {
    const response = await requestReset(email, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      origin: 'https://evil.example',
      'x-forwarded-proto': 'http',
    })
    expect(response.statusCode).toBe(200)
    await vi.waitFor(() => expect(listMails(email)).toHaveLength(1))
    const { text } = listMails(email)[0] ?? { text: '' }
    expect(text.match(/https?:\/\/[^/\s]+/g)).toEqual([publicUrl])
    expect(text).not.toContain('evil')
  })

  it('is stored as a hash', async () => {
    const token = await requestToken()
    const { rows } = await app.state.execute('select * from verification')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it('is valid for some days for an invited user, and sets the first password', async () => {
    await app.state.execute(`delete from account where "userId" = $1`, [id])
    await app.state.as(systemScope).updateTable('user').set({ invited: true }).where('id', '=', id).execute()
    const token = findToken(
      await createPasswordLink(
        app.auth,
        { publicUrl },
        { userId: id, validSeconds: 7 * 24 * 3600, at: new Date() },
      ),
    )
    advance(7 * 24 * 3600 - 5)
    expect(await canSignIn(newPassword)).toBe(false)
    expect((await resetPassword(token)).statusCode).toBe(200)
    expect(await canSignIn(newPassword)).toBe(true)
    expect(
      await app.state
        .as(systemScope)
        .selectFrom('user')
        .select(['invited', 'emailVerified'])
        .where('id', '=', await readUserId())
        .executeTakeFirst(),
    ).toEqual({ invited: false, emailVerified: true })
  })
})

describe('a request for a password reset', () => {
  it('has the same response for all, sent before the lookup', async () => {
    const known = await requestReset(email)
    const unknown = await requestReset('nobody@alder.example')
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    expect(Object.keys(unknown.headers).toSorted()).toEqual(Object.keys(known.headers).toSorted())
    await vi.waitFor(() => expect(listMails(email)).toHaveLength(1))
    expect(listMails('nobody@alder.example')).toEqual([])
  })

  it('sends no link to users who are disabled or have no password', async () => {
    await app.state
      .as(systemScope)
      .updateTable('user')
      .set({ disabled: true })
      .where('email', '=', email)
      .execute()
    const single = `single${number}@alder.example`
    await app.state.execute(`delete from account where "userId" = $1`, [await addUser(app, city, single)])
    for (const to of [email, single]) expect((await requestReset(to)).json()).toEqual({ status: true })
    await wait(200)
    expect([listMails(email), listMails(single)]).toEqual([[], []])
  })

  it('is limited to five a minute from one address', async () => {
    const visitor = new Visitor(app)
    const codes: number[] = []
    for (let i = 0; i < 6; i++)
      codes.push(
        (await visitor.auth('/request-password-reset', { email: `guess${i}@alder.example` })).statusCode,
      )
    expect(codes).toEqual([200, 200, 200, 200, 200, 429])
    expect((await new Visitor(app).auth('/request-password-reset', { email: 'no address' })).statusCode).toBe(
      400,
    )
  })
})

describe('a password change while signed in', () => {
  const change = (visitor: Visitor, currentPassword: string, chosen = newPassword) =>
    visitor.auth('/change-password', { currentPassword, newPassword: chosen })

  it('needs the current password and ends every other session; this one continues under another token', async () => {
    const [here, there] = [new Visitor(app), new Visitor(app)]
    await here.signIn(email, password)
    await there.signIn(email, password)
    const token = await requestToken()
    expect(getError(await change(here, 'not the current one'))).toEqual([400, 'INVALID_PASSWORD'])
    expect(getError(await change(here, password, 'short'))).toEqual([400, 'PASSWORD_TOO_SHORT'])
    expect(getError(await change(here, password, 'Password1234'))).toEqual([400, 'PASSWORD_COMMON'])
    expect(getError(await change(new Visitor(app), password))[0]).toBe(401)
    const before = new Map(here.cookies)
    expect((await change(here, password)).json()).toEqual({ status: true })
    expect([await here.isIn(), await there.isIn()]).toEqual([true, false])
    const replay = new Visitor(app)
    for (const [name, value] of before) replay.cookies.set(name, value)
    expect(await replay.isIn()).toBe(false)
    expect([await canSignIn(password), await canSignIn(newPassword)]).toEqual([false, true])
    // A link that was sent before is not valid any more.
    expect(getError(await resetPassword(token))).toEqual([400, 'INVALID_TOKEN'])
    await vi.waitFor(() =>
      expect(listMails(email).at(-1)?.subject).toBe('Your Publicway password was changed'),
    )
  })

  it('limits guesses', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn(email, password)
    const codes: (string | null)[] = []
    for (let i = 0; i < 7; i++) codes.push(getError(await change(visitor, `guess number ${i}`))[1])
    expect(codes).toEqual([
      ...Array.from({ length: 5 }, () => 'INVALID_PASSWORD'),
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_ATTEMPTS',
    ])
    expect((await new Visitor(app).signIn(email, password)).statusCode).toBe(200)
  })

  it('is not available with single sign-on', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn(email, password)
    await app.state.execute(`delete from account where "userId" = $1`, [id])
    expect(getError(await change(visitor, password))).toEqual([400, 'NO_PASSWORD'])
  })
})
