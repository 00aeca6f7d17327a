import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { listChallengeMethods, LoginScreen } from './login-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/login', 'shell:pages.login', LoginScreen, 'public'),
  makeScreenEntry('/here', 'shell:pages.home', () => <p>Arrived</p>, 'public'),
]
beforeEach(() => localStorage.clear())
afterEach(() => vi.unstubAllGlobals())

/** Signs in with a password and opens the challenge step with the given methods. */
async function openChallenge(methods: string[], responses: Responses = {}) {
  const { requests } = fakeServer({
    'GET /internal/demo': () => new ErrorResponse(404, 'Not Found'),
    'POST /api/auth/sign-in/email': () => ({
      twoFactorRedirect: true,
      twoFactorMethods: methods,
      phoneHint: '••••01',
    }),
    ...responses,
  })
  await renderApp(screens, '/login?origin=%2Fhere')
  await userEvent.type(await screen.findByLabelText('E-mail'), 'ada@city.example')
  await userEvent.type(screen.getByLabelText('Password'), 'secret{Enter}')
  const listBodies = (path: string) =>
    requests.filter((request) => request.path === `/api/auth${path}`).map((request) => request.body)
  return { bodies: listBodies }
}
const findStepHeading = () => screen.findByRole('heading', { name: 'Second factor' })
const verify = () => userEvent.click(screen.getByRole('button', { name: 'Verify' }))

describe('the step after the password', () => {
  it('accepts the digits of an authenticator app, and returns to the origin', async () => {
    const { bodies } = await openChallenge(['totp'], { 'POST /api/auth/two-factor/verify-totp': () => ({}) })
    await findStepHeading()
    const field = screen.getByLabelText('Code from the app')
    expect(field).toHaveFocus()
    expect(field).toHaveAttribute('autocomplete', 'one-time-code')
    expect(field).toHaveAttribute('inputmode', 'numeric')
    await userEvent.keyboard('12a 3-45b67')
    expect(field).toHaveValue('123456')
    await verify()
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
    expect(bodies('/two-factor/verify-totp')).toEqual([{ code: '123456' }])
    expect(localStorage.getItem('publicway.last-active')).not.toBeNull()
  })

  it('offers no text message if there is only the app, and vice versa', async () => {
    await openChallenge(['totp'])
    await findStepHeading()
    expect(screen.queryByRole('button', { name: 'Use a text message' })).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Use a recovery code' })).toBeInTheDocument()
  })

  it('requires a code', async () => {
    const { bodies } = await openChallenge(['totp'])
    await findStepHeading()
    await verify()
    await waitFor(() =>
      expect(screen.getByLabelText('Code from the app')).toHaveAccessibleDescription('MFA code required'),
    )
    expect(bodies('/two-factor/verify-totp')).toEqual([])
    await userEvent.type(screen.getByLabelText('Code from the app'), '1')
    expect(screen.queryByText('MFA code required')).not.toBeInTheDocument()
  })

  it.each([
    ['INVALID_CODE', 400, 'The code is wrong.'],
    ['CODE_EXPIRED', 400, 'The code has expired. Request a new one.'],
    ['UNSUPPORTED_FACTOR', 400, 'Unsupported MFA type'],
    ['SOMETHING_NEW', 500, 'Error processing MFA'],
  ])('shows %s as text, and waits for another code', async (code, status, text) => {
    await openChallenge(['totp'], {
      'POST /api/auth/two-factor/verify-totp': () => new ErrorResponse(status, 'x', code),
    })
    await findStepHeading()
    await userEvent.type(screen.getByLabelText('Code from the app'), '123456{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(`Multifactor Error${text}`)
    expect(screen.getByLabelText('Code from the app')).toHaveValue('')
    expect(screen.getByLabelText('Code from the app')).toHaveFocus()
  })

  it.each([
    ['TOO_MANY_ATTEMPTS', 429, 'Too many attempts. Wait a while and try again.'],
    ['CHALLENGE_EXPIRED', 401, 'This sign-in took too long. Start again with your password.'],
  ])('%s leads back to the password, with the error', async (code, status, text) => {
    await openChallenge(['totp'], {
      'POST /api/auth/two-factor/verify-totp': () => new ErrorResponse(status, 'x', code),
    })
    await findStepHeading()
    await userEvent.type(screen.getByLabelText('Code from the app'), '123456{Enter}')
    expect(await screen.findByLabelText('Password')).toHaveValue('')
    expect(screen.getByRole('alert')).toHaveTextContent(`Multifactor Error${text}`)
    expect(screen.getByLabelText('E-mail')).toHaveValue('ada@city.example')
  })

  it('goes back on request, without an error', async () => {
    await openChallenge(['totp'])
    await findStepHeading()
    await userEvent.click(screen.getByRole('button', { name: 'Back to the password' }))
    expect(await screen.findByLabelText('Password')).toHaveValue('')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('a text message', () => {
  it('a text message is sent on request, to the phone with the shown last digits', async () => {
    const { bodies } = await openChallenge(['otp'], {
      'POST /api/auth/two-factor/send-otp': () => ({}),
      'POST /api/auth/two-factor/verify-otp': () => ({}),
    })
    await findStepHeading()
    expect(screen.getByText('A code is sent as a text message to ••••01.')).toBeInTheDocument()
    expect(screen.queryByLabelText('Code from the message')).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Send code' })).toHaveFocus()
    expect(bodies('/two-factor/send-otp')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
    expect(await screen.findByLabelText('Code from the message')).toHaveFocus()
    expect(screen.getByRole('status')).toHaveTextContent('The code was sent.')
    await userEvent.keyboard('654321{Enter}')
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
    expect(bodies('/two-factor/verify-otp')).toEqual([{ code: '654321' }])
  })

  it.each([
    ['UNSUPPORTED_FACTOR', 400, 'Only SMS multi-factor is supported.'],
    ['TOO_MANY_ATTEMPTS', 429, 'Too many attempts. Wait a while and try again.'],
    ['CODE_NOT_SENT', 502, 'The code could not be sent. Try again later.'],
  ])(
    'a text message that cannot be sent (%s) shows an error; the other methods stay available',
    async (code, status, text) => {
      await openChallenge(['otp'], {
        'POST /api/auth/two-factor/send-otp': () => new ErrorResponse(status, 'x', code),
      })
      await findStepHeading()
      await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
      expect(await screen.findByRole('alert')).toHaveTextContent(`Multifactor Error${text}`)
      expect(screen.getByRole('button', { name: 'Use a recovery code' })).toBeInTheDocument()
    },
  )

  it('leads back to the password if the sign-in took too long', async () => {
    await openChallenge(['otp'], {
      'POST /api/auth/two-factor/send-otp': () => new ErrorResponse(401, 'x', 'CHALLENGE_EXPIRED'),
    })
    await findStepHeading()
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
    expect(await screen.findByLabelText('Password')).toBeInTheDocument()
  })
})

describe('a user with both methods', () => {
  it('chooses, and errors are cleared by the choice', async () => {
    await openChallenge(['otp', 'totp'], {
      'POST /api/auth/two-factor/send-otp': () => new ErrorResponse(502, 'x', 'CODE_NOT_SENT'),
    })
    await findStepHeading()
    await userEvent.click(screen.getByRole('button', { name: 'Send code' }))
    await screen.findByRole('alert')
    await userEvent.click(screen.getByRole('button', { name: 'Use the authenticator app' }))
    expect(screen.getByLabelText('Code from the app')).toHaveFocus()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Use a text message' }))
    expect(screen.getByRole('button', { name: 'Send code' })).toHaveFocus()
  })

  it('a user with both methods can use a recovery code, which contains letters', async () => {
    const { bodies } = await openChallenge(['totp', 'otp'], {
      'POST /api/auth/two-factor/verify-backup-code': () => ({}),
    })
    await findStepHeading()
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }))
    expect(screen.getByLabelText('Recovery code')).toHaveFocus()
    await userEvent.keyboard(' abcde-23456 {Enter}')
    expect(await screen.findByText('Arrived')).toBeInTheDocument()
    expect(bodies('/two-factor/verify-backup-code')).toEqual([{ code: 'abcde-23456' }])
  })
})

describe('an unknown method', () => {
  it.each([[['passkey']], [[]]])('%j alone is unsupported', async (methods) => {
    await openChallenge(methods)
    expect(await screen.findByRole('alert')).toHaveTextContent('Multifactor ErrorUnsupported MFA type')
    expect(screen.getByLabelText('Password')).toBeInTheDocument()
  })

  it('an unknown method is left out if there is a known one', () => {
    expect(listChallengeMethods(['passkey', 'totp'])).toEqual(['totp', 'recovery'])
    expect(listChallengeMethods(['otp', 'totp', 'otp'])).toEqual(['otp', 'totp', 'recovery'])
    expect(listChallengeMethods([])).toEqual([])
  })
})
