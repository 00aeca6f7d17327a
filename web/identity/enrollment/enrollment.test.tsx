import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EnrolledFactor, User } from '#contract/identity.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { IdentityGate } from '../identity-gate.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/here', 'shell:pages.home', () => <h1>The app</h1>),
  makeScreenEntry('/login', 'shell:pages.login', () => <h1>Sign in</h1>, 'public'),
  makeScreenEntry('/logout', 'shell:pages.logout', () => <h1>Out</h1>, 'public'),
]
const codes = Array.from({ length: 10 }, (_, index) => `abcd${index}-efgh${index}`)
const enrollment = {
  uri: 'otpauth://totp/Publicway:ada?secret=ABCDEFGHIJKLMNOP',
  key: 'ABCDEFGHIJKLMNOP',
  recoveryCodes: codes,
}
const factor = (kind: EnrolledFactor['kind']): EnrolledFactor => ({
  id: '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e',
  kind,
  displayName: kind === 'totp' ? 'Authenticator app' : '••••01',
  enrolledTime: '2026-11-21T12:00:00.000Z',
})

beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

/** Opens the app behind the gate; replies may change the user with `become`. */
async function openGate(responses: Responses = {}, first: Partial<User> = { mfaRequired: true }) {
  let me: Partial<User> = first
  const { requests } = fakeServer({
    ...signedIn(),
    'GET /v2/users/me': () => ({ ...signedIn()['GET /v2/users/me'](), ...me }),
    ...responses,
  })
  const Gate = ({ children }: { children: React.ReactNode }) => (
    <StrictMode>
      <IdentityGate>{children}</IdentityGate>
    </StrictMode>
  )
  const router = await renderApp(screens, '/port-meridian/here', {}, { Gate })
  const listBodies = (path: string) =>
    requests.filter((request) => request.path === `/api/auth${path}`).map((request) => request.body)
  return { bodies: listBodies, router, become: (next: Partial<User>) => (me = next) }
}
const findChooser = () => screen.findByRole('heading', { name: 'Add a second factor' })
const choose = async (name: RegExp) => {
  await findChooser()
  await userEvent.click(screen.getByRole('button', { name }))
}
const confirmCodes = async () => {
  expect((await screen.findByRole('list', { name: 'Recovery codes' })).textContent).toBe(codes.join(''))
  const continueButton = screen.getByRole('button', { name: 'Continue' })
  expect(continueButton).toBeDisabled()
  await userEvent.click(screen.getByLabelText('I have stored these codes'))
  await userEvent.click(continueButton)
}

describe('an authenticator app', () => {
  it('an authenticator app is started once, confirmed by its code, and its recovery codes are confirmed before the app opens', async () => {
    const { bodies, become } = await openGate({
      'POST /api/auth/multi-factor/totp/start': () => enrollment,
      'POST /api/auth/multi-factor/totp/finish': () => ({}),
    })
    await choose(/^Authenticator app/)
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument()
    expect(screen.getByText('ABCD EFGH IJKL MNOP')).toBeInTheDocument()
    expect(bodies('/multi-factor/totp/start')).toHaveLength(1)
    expect(screen.getByLabelText('Code from the app')).toHaveFocus()
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(screen.getByText('MFA code required')).toBeInTheDocument()
    await userEvent.type(screen.getByLabelText('Code from the app'), '12x3456')
    become({ enrolledFactors: [factor('totp')] })
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    await confirmCodes()
    expect(bodies('/multi-factor/totp/finish')).toEqual([{ code: '123456' }])
    expect(screen.getByRole('status')).toHaveTextContent('Multi-factor device added')
    expect(screen.queryByRole('heading', { name: 'The app' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByRole('heading', { name: 'The app' })).toBeInTheDocument()
  })

  it('shows an error, and waits for another code', async () => {
    await openGate({
      'POST /api/auth/multi-factor/totp/start': () => enrollment,
      'POST /api/auth/multi-factor/totp/finish': () => new ErrorResponse(400, 'x', 'INVALID_CODE'),
    })
    await choose(/^Authenticator app/)
    await userEvent.type(await screen.findByLabelText('Code from the app'), '123456{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('Multi-factor ErrorThe code is wrong.')
    expect(screen.getByRole('img')).toBeInTheDocument()
  })

  it('an authenticator app that cannot be started shows an error, and can be tried again', async () => {
    const responses = [new ErrorResponse(500, 'x', 'SOMETHING_NEW'), enrollment]
    await openGate({ 'POST /api/auth/multi-factor/totp/start': () => responses.shift() })
    await choose(/^Authenticator app/)
    expect(await screen.findByRole('alert')).toHaveTextContent('Multi-factor ErrorError during device setup')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('img')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('a text message', () => {
  it('needs a number with its country code; the plus is added', async () => {
    const { bodies } = await openGate({
      'POST /api/auth/multi-factor/phone/start': () => ({ phoneNumber: '+15550100100' }),
      'POST /api/auth/multi-factor/phone/finish': () => ({ recoveryCodes: codes }),
    })
    await choose(/^Text message/)
    const field = await screen.findByLabelText('Phone number')
    expect(field).toHaveFocus()
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
    expect(field).toHaveAccessibleDescription(
      'With its country code, as in +1 555 010 0100 All fields are required.',
    )
    await userEvent.type(field, '0301234567')
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
    expect(field).toHaveAccessibleDescription(/The phone number must include a country code\.$/)
    await userEvent.clear(field)
    await userEvent.type(field, '1 (555) 010-0100{Enter}')
    expect(await screen.findByText('The code was sent to +15550100100.')).toBeInTheDocument()
    expect(bodies('/multi-factor/phone/start')).toEqual([{ phoneNumber: '+15550100100' }])
    await userEvent.type(screen.getByLabelText('Code from the message'), '654321{Enter}')
    await confirmCodes()
    expect(bodies('/multi-factor/phone/finish')).toEqual([{ code: '654321' }])
  })

  it('a text message to a wrong number can be sent to another one', async () => {
    await openGate({
      'POST /api/auth/multi-factor/phone/start': () => ({ phoneNumber: '+15550100100' }),
      'POST /api/auth/multi-factor/phone/finish': () => new ErrorResponse(400, 'x', 'CODE_EXPIRED'),
    })
    await choose(/^Text message/)
    await userEvent.type(await screen.findByLabelText('Phone number'), '+15550100100{Enter}')
    await userEvent.type(await screen.findByLabelText('Code from the message'), '654321{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Multi-factor ErrorThe code has expired. Request a new one.',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Change the number' }))
    expect(screen.getByLabelText('Phone number')).toHaveValue('+15550100100')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('a sign-in that is too old', () => {
  it('ends, and the pending action is stored for the user', async () => {
    const { router } = await openGate({
      'POST /api/auth/multi-factor/totp/start': () =>
        new ErrorResponse(403, 'x', 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'),
      'POST /api/auth/sign-out': () => ({}),
    })
    await choose(/^Authenticator app/)
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeInTheDocument()
    expect(router.state.location.search).toEqual({ origin: '/port-meridian/here', said: 'tooOld' })
    expect(JSON.parse(localStorage.getItem('publicway.want-to-enroll') ?? '')).toMatchObject({ userId: 'u1' })
    expect(localStorage.getItem('publicway.user')).toBeNull()
  })

  it('leads to the sign-in page if it has also expired', async () => {
    const { router } = await openGate({
      'POST /api/auth/multi-factor/totp/start': () => new ErrorResponse(401, 'x', 'UNAUTHORIZED'),
    })
    await choose(/^Authenticator app/)
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    expect(localStorage.getItem('publicway.user')).not.toBeNull()
  })
})

describe('recovery codes', () => {
  it('recovery codes can be copied, copied by hand if that fails, and downloaded', async () => {
    await openGate({
      'POST /api/auth/multi-factor/totp/start': () => enrollment,
      'POST /api/auth/multi-factor/totp/finish': () => ({}),
    })
    await choose(/^Authenticator app/)
    await userEvent.type(await screen.findByLabelText('Code from the app'), '123456{Enter}')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Copy' }))
    expect(await screen.findByText('Copied')).toBeInTheDocument()
    expect(await navigator.clipboard.readText()).toBe(`${codes.join('\n')}\n`)
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByText(/Copying is not possible here/)).toBeInTheDocument()
    const createObjectUrl = vi.fn<(file: Blob) => string>(() => 'blob:x')
    URL.createObjectURL = createObjectUrl
    URL.revokeObjectURL = () => undefined
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await user.click(screen.getByRole('button', { name: 'Download' }))
    expect(createObjectUrl.mock.calls[0]?.[0]).toHaveProperty('size', `${codes.join('\n')}\n`.length)
  })
})
