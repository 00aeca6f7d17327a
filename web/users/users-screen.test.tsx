import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { pageOfItems, testOperator, testRole, testUser } from './test-users.ts'
import { UsersScreen } from './users-screen.tsx'

const screens: ScreenEntry[] = [makeScreenEntry('/admin/users', 'shell:pages.users', UsersScreen, 'is_admin')]
const users = [
  testUser('u1', { email: 'ada@city.example', keys: ['is_admin'] }),
  testUser('grace', {
    roles: [{ id: 'r1', name: 'Policy desk' }],
    regionIds: ['ashford'],
    secondFactors: 2,
    lastSignInTime: '2026-05-01T12:00:00.000Z',
  }),
  testUser('new', { invited: true }),
  testUser('gone', { disabled: true }),
  testUser('lark', { operators: ['lark', 'wren'] }),
]

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(address = '/admin/users', responses: Responses = {}) {
  const server = fakeServer({
    ...signedIn(),
    'GET /v2/users': () => pageOfItems(users, 120),
    'GET /v2/user_roles': () => [testRole('r1', 'Policy desk', ['edit_policy'])],
    'GET /v2/managed_operators': () => [testOperator('lark', 'Lark Rides')],
    ...responses,
  })
  const router = await renderApp(screens, address)
  await screen.findAllByText('grace@city.example')
  return {
    ...server,
    router,
    changes: () =>
      server.requests
        .filter(({ method }) => method !== 'GET')
        .map(({ method, path, body }) => [method, path, body]),
  }
}
const openMenu = async (email: string) => {
  await userEvent.click(screen.getByLabelText(`Actions for ${email}`))
  return within(await screen.findByRole('menu', { hidden: true, name: `Actions for ${email}` }))
}
const getRow = (email: string) => screen.getByText(email).closest('tr')!

describe('the list of users', () => {
  it('shows name, roles, regions, operators and state', async () => {
    await renderScreen()
    await waitFor(() =>
      expect(getRow('grace@city.example')).toHaveTextContent('Policy deskAshfordAll2May 1, 2026'),
    )
    expect(getRow('grace@city.example')).toHaveTextContent('Active')
    expect(getRow('new@city.example')).toHaveTextContent('InvitedNoneAllAll0Never')
    expect(getRow('gone@city.example')).toHaveTextContent('Disabled')
    expect(getRow('lark@city.example')).toHaveTextContent('Lark Rides, Unknown Operator')
  })

  it('the list of users is paged, and searched after a pause in typing', async () => {
    const { requests, router } = await renderScreen('/admin/users?page=2')
    expect(screen.getByText('51–100 of 120')).toBeInTheDocument()
    await userEvent.click(screen.getByText('Next'))
    await waitFor(() => expect(requests.at(-1)?.query.get('page')).toBe('3'))
    await userEvent.type(screen.getByLabelText('Search by e-mail or name'), 'gra')
    await waitFor(() => expect(requests.at(-1)?.query.get('search')).toBe('gra'))
    expect(
      requests
        .filter(({ path, query }) => path === '/v2/users' && query.has('search'))
        .map(({ query }) => [query.get('search'), query.get('page')]),
    ).toEqual([['gra', '1']])
    expect(router.state.location.search).toEqual({ search: 'gra' })
  })

  it('offers only actions that the server accepts', async () => {
    await renderScreen()
    const self = await openMenu('ada@city.example')
    expect(self.queryByText('Disable')).not.toBeInTheDocument()
    expect(self.queryByText('View as this user')).not.toBeInTheDocument()
    await userEvent.keyboard('{Escape}')
    const grace = await openMenu('grace@city.example')
    expect(grace.getByText('View as this user').closest('a')).toHaveAttribute(
      'href',
      '/impersonate?id=grace&email=grace%40city.example',
    )
    expect(grace.queryByText('Resend invitation')).not.toBeInTheDocument()
    expect(grace.getByText('Remove second factors')).toBeInTheDocument()
  })
})

describe('a user', () => {
  it('a user is disabled after confirmation, and a refusal is shown there', async () => {
    const { changes } = await renderScreen('/admin/users', {
      'PATCH /v2/users/grace': () =>
        new ErrorResponse(409, 'This would leave your organization without an administrator.'),
    })
    await userEvent.click((await openMenu('grace@city.example')).getByText('Disable'))
    const dialog = within(
      await screen.findByRole('dialog', { hidden: true, name: 'Disable grace@city.example' }),
    )
    expect(changes()).toEqual([])
    await userEvent.click(dialog.getByText('Disable', { selector: 'button *' }))
    expect(
      await dialog.findByText('This would leave your organization without an administrator.'),
    ).toBeInTheDocument()
    expect(changes()).toEqual([['PATCH', '/v2/users/grace', { disabled: true }]])
  })

  it('a user is disabled together with other selected ones that can be disabled', async () => {
    const { changes } = await renderScreen('/admin/users', {
      'PATCH /v2/users/grace': () => users[1],
      'PATCH /v2/users/new': () => users[2],
    })
    await userEvent.click(screen.getByLabelText('Select all rows on this page'))
    expect(screen.getByText('Enable (1)')).toBeInTheDocument()
    for (const email of ['ada', 'lark'])
      await userEvent.click(screen.getByLabelText(`Select ${email}@city.example`))
    await userEvent.click(screen.getByText('Disable (2)'))
    const dialog = within(await screen.findByRole('dialog', { hidden: true, name: 'Disable 2 users' }))
    await userEvent.click(dialog.getByText('Disable', { selector: 'button *' }))
    await waitFor(() => expect(screen.queryByText(/selected$/)).not.toBeInTheDocument())
    expect(changes()).toEqual([
      ['PATCH', '/v2/users/grace', { disabled: true }],
      ['PATCH', '/v2/users/new', { disabled: true }],
    ])
  })

  it('a user who was invited can get a new link', async () => {
    const { changes } = await renderScreen('/admin/users', {
      'POST /v2/users/new/invitation': () => ({ onboarding_link: 'http://x/onboarding/2', is_mailed: true }),
    })
    await userEvent.click((await openMenu('new@city.example')).getByText('Resend invitation'))
    await userEvent.click(await screen.findByText('Resend'))
    expect(await screen.findByDisplayValue('http://x/onboarding/2')).toBeInTheDocument()
    expect(changes()).toEqual([['POST', '/v2/users/new/invitation', null]])
  })

  it('a user is saved change by change; saved ones are not sent again after a refusal', async () => {
    let refuses = true
    let grace = users[1]!
    const { changes } = await renderScreen('/admin/users?edit=grace', {
      'GET /v2/users': () => pageOfItems([users[0], grace]),
      'PATCH /v2/users/grace': ({ body }) => (grace = { ...grace, name: (body as { name: string }).name }),
      'PATCH /v2/permissions/user/grace': () =>
        refuses
          ? new ErrorResponse(409, 'This would leave your organization without an administrator.')
          : { obj_type: 'user', obj_id: 'grace', permissions: [] },
    })
    const dialog = within(await screen.findByRole('dialog', { hidden: true, name: 'grace@city.example' }))
    expect(await dialog.findByLabelText('Policy desk')).toBeChecked()
    await userEvent.type(dialog.getByLabelText(/^Name/), ' H.')
    await userEvent.click(dialog.getByLabelText('Edit geographies'))
    await userEvent.click(dialog.getByText('Save'))
    expect(await dialog.findByText('The individual permissions could not be saved')).toBeInTheDocument()
    refuses = false
    await userEvent.click(dialog.getByText('Save'))
    await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).not.toBeInTheDocument())
    const keys = [
      'PATCH',
      '/v2/permissions/user/grace',
      { permissions: [{ key: 'edit_geography', enabled: true }] },
    ]
    expect(changes()).toEqual([['PATCH', '/v2/users/grace', { name: 'grace H.' }], keys, keys])
  })
  it('a user can become a user of an operator, without roles and permissions', async () => {
    const { changes } = await renderScreen('/admin/users?edit=grace', {
      'PATCH /v2/user_roles/grace': () => ({ user_id: 'grace', roles: [] }),
      'PATCH /v2/users/grace': () => ({ ...users[1], operators: ['lark'], roles: [] }),
    })
    const dialog = within(await screen.findByRole('dialog', { hidden: true, name: 'grace@city.example' }))
    expect(await dialog.findByLabelText('Policy desk')).toBeChecked()
    await userEvent.click(dialog.getByLabelText('Operator', { selector: 'input' }))
    await userEvent.click(await screen.findByText('Lark Rides', { selector: '[role="option"] *' }))
    expect(dialog.queryByLabelText('Policy desk')).not.toBeInTheDocument()
    expect(dialog.queryByLabelText('Edit geographies')).not.toBeInTheDocument()
    await userEvent.click(dialog.getByText('Save'))
    await waitFor(() =>
      expect(changes()).toEqual([
        ['PATCH', '/v2/user_roles/grace', { role_ids: [] }],
        ['PATCH', '/v2/users/grace', { operators: ['lark'] }],
      ]),
    )
  })
})
