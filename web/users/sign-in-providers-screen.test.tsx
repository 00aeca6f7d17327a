import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { SignInProvidersScreen } from './sign-in-providers-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/admin/sign-in', 'shell:pages.signInProviders', SignInProvidersScreen, 'is_admin'),
]
const provider = {
  id: 'p1',
  name: 'City login',
  issuer: 'https://id.city.example',
  clientId: 'publicway',
  hasSecret: true,
  emailDomains: ['city.example'],
  createsUsers: false,
  enabled: true,
}

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(providers: unknown[], responses: Responses = {}) {
  const server = fakeServer({ ...signedIn(), 'GET /v2/sign_in_providers': () => providers, ...responses })
  await renderApp(screens, '/admin/sign-in')
  return () =>
    server.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => [method, path, body])
}
const findDialog = async () => within(await screen.findByRole('dialog', { hidden: true }))
const fill = async (field: HTMLElement, text: string) => {
  await userEvent.click(field)
  await userEvent.paste(text)
}

it('shows where the provider sends users back, and adds one', async () => {
  const changes = await renderScreen([], {
    'POST /v2/sign_in_providers': () =>
      new ErrorResponse(422, 'The request is not valid', 'validation_error', {
        issues: {
          'body.issuer': 'There is no provider at this address.',
          'body.email_domains.0': 'No domain',
        },
      }),
  })
  await screen.findByText('No providers yet')
  expect(screen.getByLabelText('Redirect URI')).toHaveValue(
    `${location.origin}/api/sso/callback/8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e`,
  )
  await userEvent.click(screen.getAllByText('Add a provider')[0]!)
  const form = await findDialog()
  await fill(form.getByLabelText(/^Name/), 'City login')
  await fill(form.getByLabelText(/^Issuer/), 'https://id.city.example')
  await fill(form.getByLabelText(/^Client id/), 'publicway')
  await fill(form.getByLabelText(/^Client secret/), 'quiet')
  await userEvent.type(form.getByLabelText(/^E-mail domains/, { selector: 'input' }), '@City.example{Enter}')
  await userEvent.click(form.getByLabelText('Creates users'))
  await userEvent.click(form.getByText('Add provider'))
  expect(await form.findByText('There is no provider at this address.')).toBeInTheDocument()
  expect(form.getByText('No domain')).toBeInTheDocument()
  expect(changes()).toEqual([
    [
      'POST',
      '/v2/sign_in_providers',
      {
        name: 'City login',
        issuer: 'https://id.city.example',
        client_id: 'publicway',
        client_secret: 'quiet',
        email_domains: ['city.example'],
        creates_users: true,
        enabled: true,
      },
    ],
  ])
})

it('changes one without requiring its secret', async () => {
  const changes = await renderScreen([provider], { 'PATCH /v2/sign_in_providers/p1': () => provider })
  await userEvent.click(await screen.findByLabelText('Edit City login'))
  const form = await findDialog()
  expect(form.getByText('A value is stored. Leave this empty to keep it.')).toBeInTheDocument()
  await userEvent.click(form.getByText('Save'))
  await waitFor(() => expect(changes()).toHaveLength(1))
  expect(changes()[0]?.[2]).toEqual({
    name: 'City login',
    issuer: 'https://id.city.example',
    client_id: 'publicway',
    email_domains: ['city.example'],
    creates_users: false,
    enabled: true,
  })
})

it('disables and removes one after confirmation', async () => {
  const changes = await renderScreen([provider], {
    'PATCH /v2/sign_in_providers/p1': () => provider,
    'DELETE /v2/sign_in_providers/p1': () => ({ deleted: true }),
  })
  await userEvent.click(await screen.findByLabelText('Disable City login'))
  await userEvent.click((await findDialog()).getByText('Disable'))
  await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).not.toBeInTheDocument())
  await userEvent.click(screen.getByLabelText('Remove City login'))
  expect(
    (await findDialog()).getByText(
      'Users who signed in only with this provider can no longer sign in. The users are not deleted.',
    ),
  ).toBeInTheDocument()
  await userEvent.click((await findDialog()).getByText('Remove'))
  await waitFor(() =>
    expect(changes()).toEqual([
      ['PATCH', '/v2/sign_in_providers/p1', { enabled: false }],
      ['DELETE', '/v2/sign_in_providers/p1', null],
    ]),
  )
})
