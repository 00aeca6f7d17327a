import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createUser } from '#server/identity/create-user.ts'
import { createPasswordLink } from '#server/identity/create-password-link.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openTestApp, request, type TestApp } from '../app.ts'
import { makePeople, password, type TestCity } from '../city.ts'
import { errorOf, Visitor } from '../visitor.ts'

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
  id = await createUser(
    app.auth,
    app.state,
    { email, name: 'Person', password, organizationId: city.organizations.alder, permissions: [] },
    new Date(),
  )
})
afterEach(() => void vi.useRealTimers())

const newPassword = 'a wholly new password'
const later = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)
const mailsTo = (to: string) => app.mails.filter((mail) => mail.to === to)
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const tokenIn = (text: string): string =>
  new URL(/https?:\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? ''
const askFor = (to: string, headers: Record<string, string> = {}) =>
  new Visitor(app).auth('/request-password-reset', { email: to }, headers)
/** The token of the next mail. */
const mailedToken = async (): Promise<string> => {
  const before = mailsTo(email).length
  expect((await askFor(email)).statusCode).toBe(200)
  await vi.waitFor(() => expect(mailsTo(email).length).toBe(before + 1))
  return tokenIn(mailsTo(email).at(-1)?.text ?? '')
}
const choose = (token: string, chosen = newPassword) =>
  new Visitor(app).auth('/reset-password', { token, newPassword: chosen })
const canSignIn = async (word: string): Promise<boolean> =>
  (await new Visitor(app).signIn(email, word)).statusCode === 200
const idOf = async (): Promise<string> =>
  (
    await app.state
      .as(systemScope)
      .selectFrom('user')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  ).id

describe('a user who forgot the password', () => {
  test('gets a link by mail, sets a new one with it once, and all sessions end', async () => {
    const [browser, program] = [new Visitor(app), await new Visitor(app).signIn(email, password)]
    await browser.signIn(email, password)
    const token = await mailedToken()
    expect(mailsTo(email)[0]).toMatchObject({
      subject: 'Choose a new password for Publicway',
      text: expect.stringContaining(`${publicUrl}/login/new-password?token=${token}\n`),
    })
    expect(await canSignIn(password)).toBe(true)
    expect((await choose(token)).json()).toEqual({ status: true })
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
    expect(errorOf(await choose(token, 'yet another password'))).toEqual([400, 'INVALID_TOKEN'])
    await vi.waitFor(() => expect(mailsTo(email).at(-1)?.subject).toBe('Your Publicway password was changed'))
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

  test('has an hour for it, and every link ends with the first that is used', async () => {
    const [first, second] = [await mailedToken(), await mailedToken()]
    later(3599)
    expect((await choose(first)).statusCode).toBe(200)
    expect(errorOf(await choose(second))).toEqual([400, 'INVALID_TOKEN'])
    const third = await mailedToken()
    later(3601)
    expect(errorOf(await choose(third))).toEqual([400, 'INVALID_TOKEN'])
  })

  test('gets mails in the language of the account', async () => {
    await app.state.as(systemScope).updateTable('user').set({ language: 'es' }).where('id', '=', id).execute()
    const token = await mailedToken()
    expect(mailsTo(email)[0]?.subject).toBe('Elija una nueva contraseña para Publicway')
    await choose(token)
    await vi.waitFor(() =>
      expect(mailsTo(email).at(-1)?.subject).toBe('Se cambió su contraseña de Publicway'),
    )
  })

  test('gets the password rules, and the link stays valid', async () => {
    const token = await mailedToken()
    expect(errorOf(await choose(token, 'too short'))).toEqual([400, 'PASSWORD_TOO_SHORT'])
    expect(errorOf(await choose(token, 'x'.repeat(129)))).toEqual([400, 'PASSWORD_TOO_LONG'])
    expect(errorOf(await choose(token, 'Password1234'))).toEqual([400, 'PASSWORD_COMMON'])
    expect((await choose(token)).statusCode).toBe(200)
    for (const bad of ['', 'unknown', `${token}x`])
      expect(errorOf(await choose(bad))).toEqual([400, 'INVALID_TOKEN'])
  })

  test('can sign in again after a lockout', async () => {
    for (let i = 0; i < 10; i++) await new Visitor(app).signIn(email, 'wrong wrong wrong')
    expect((await new Visitor(app).signIn(email, password)).statusCode).toBe(429)
    await choose(await mailedToken())
    expect(await canSignIn(newPassword)).toBe(true)
  })

  test('gets three mails an hour, regardless of the number of client addresses', async () => {
    for (let i = 0; i < 3; i++) await mailedToken()
    expect((await askFor(email)).statusCode).toBe(200)
    await pause(200)
    expect(mailsTo(email)).toHaveLength(3)
    later(3601)
    await mailedToken()
  })
})

describe('the link', () => {
  test('leads to the configured address, regardless of the Host header', async () => {
    const response = await askFor(email, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      origin: 'https://evil.example',
      'x-forwarded-proto': 'http',
    })
    expect(response.statusCode).toBe(200)
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1))
    const { text } = mailsTo(email)[0] ?? { text: '' }
    expect(text.match(/https?:\/\/[^/\s]+/g)).toEqual([publicUrl])
    expect(text).not.toContain('evil')
  })

  test('is stored as a hash', async () => {
    const token = await mailedToken()
    const { rows } = await app.state.execute('select * from verification')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('of an invited user is valid for some days, and sets the first password', async () => {
    await app.state.execute(`delete from account where "userId" = $1`, [id])
    await app.state.as(systemScope).updateTable('user').set({ invited: true }).where('id', '=', id).execute()
    const token = tokenIn(
      await createPasswordLink(
        app.auth,
        { publicUrl },
        { userId: id, validSeconds: 7 * 24 * 3600, at: new Date() },
      ),
    )
    later(7 * 24 * 3600 - 5)
    expect(await canSignIn(newPassword)).toBe(false)
    expect((await choose(token)).statusCode).toBe(200)
    expect(await canSignIn(newPassword)).toBe(true)
    expect(
      await app.state
        .as(systemScope)
        .selectFrom('user')
        .select(['invited', 'emailVerified'])
        .where('id', '=', await idOf())
        .executeTakeFirst(),
    ).toEqual({ invited: false, emailVerified: true })
  })
})

describe('nobody learns whether there is an account', () => {
  test('from the response, which is the same for all and sent before the lookup', async () => {
    const known = await askFor(email)
    const unknown = await askFor('nobody@alder.example')
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    expect(Object.keys(unknown.headers).toSorted()).toEqual(Object.keys(known.headers).toSorted())
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1))
    expect(mailsTo('nobody@alder.example')).toEqual([])
  })

  test('and no link is sent to users who are disabled or have no password', async () => {
    await app.state
      .as(systemScope)
      .updateTable('user')
      .set({ disabled: true })
      .where('email', '=', email)
      .execute()
    const single = `single${number}@alder.example`
    await app.state.execute(`delete from account where "userId" = $1`, [
      await createUser(
        app.auth,
        app.state,
        { email: single, name: 'S', password, organizationId: city.organizations.alder, permissions: [] },
        new Date(),
      ),
    ])
    for (const to of [email, single]) expect((await askFor(to)).json()).toEqual({ status: true })
    await pause(200)
    expect([mailsTo(email), mailsTo(single)]).toEqual([[], []])
  })

  test('one address may ask five times a minute', async () => {
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

describe('changing the password while signed in', () => {
  const change = (visitor: Visitor, currentPassword: string, chosen = newPassword) =>
    visitor.auth('/change-password', { currentPassword, newPassword: chosen })

  test('needs the current one; every other session ends, this one goes on under another name', async () => {
    const [here, there] = [new Visitor(app), new Visitor(app)]
    await here.signIn(email, password)
    await there.signIn(email, password)
    const token = await mailedToken()
    expect(errorOf(await change(here, 'not the current one'))).toEqual([400, 'INVALID_PASSWORD'])
    expect(errorOf(await change(here, password, 'short'))).toEqual([400, 'PASSWORD_TOO_SHORT'])
    expect(errorOf(await change(here, password, 'Password1234'))).toEqual([400, 'PASSWORD_COMMON'])
    expect(errorOf(await change(new Visitor(app), password))[0]).toBe(401)
    const before = new Map(here.cookies)
    expect((await change(here, password)).json()).toEqual({ status: true })
    expect([await here.isIn(), await there.isIn()]).toEqual([true, false])
    const replay = new Visitor(app)
    for (const [name, value] of before) replay.cookies.set(name, value)
    expect(await replay.isIn()).toBe(false)
    expect([await canSignIn(password), await canSignIn(newPassword)]).toEqual([false, true])
    // A link that was on its way is worth nothing now.
    expect(errorOf(await choose(token))).toEqual([400, 'INVALID_TOKEN'])
    await vi.waitFor(() => expect(mailsTo(email).at(-1)?.subject).toBe('Your Publicway password was changed'))
  })

  test('limits guesses', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn(email, password)
    const codes: (string | null)[] = []
    for (let i = 0; i < 7; i++) codes.push(errorOf(await change(visitor, `guess number ${i}`))[1])
    expect(codes).toEqual([
      ...Array.from({ length: 5 }, () => 'INVALID_PASSWORD'),
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_ATTEMPTS',
    ])
    expect((await new Visitor(app).signIn(email, password)).statusCode).toBe(200)
  })

  test('is not available with single sign-on', async () => {
    const visitor = new Visitor(app)
    await visitor.signIn(email, password)
    await app.state.execute(`delete from account where "userId" = $1`, [id])
    expect(errorOf(await change(visitor, password))).toEqual([400, 'NO_PASSWORD'])
  })
})
