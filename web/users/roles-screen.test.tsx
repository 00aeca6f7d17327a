import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { RolesScreen } from './roles-screen.tsx'
import { testRole } from './test-users.ts'

const screens: ScreenEntry[] = [makeScreenEntry('/admin/roles', 'shell:pages.roles', RolesScreen, 'is_admin')]

afterEach(() => vi.unstubAllGlobals())

async function renderScreen(roles: unknown[], responses: Responses = {}) {
  const server = fakeServer({ ...signedIn(), 'GET /v2/user_roles': () => roles, ...responses })
  await renderApp(screens, '/admin/roles')
  return () =>
    server.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path, body }) => [method, path, body])
}
const findDialog = async () => within(await screen.findByRole('dialog', { hidden: true }))

it('explains what roles are if there is none, and adds one with its permissions', async () => {
  const changes = await renderScreen([], { 'POST /v2/user_roles': () => testRole('r1', 'Policy desk') })
  await screen.findByText('No roles yet')
  await userEvent.click(screen.getAllByText('Add a role')[0]!)
  const form = await findDialog()
  expect(form.getByLabelText('Edit policies')).toHaveAccessibleDescription(
    'Writes, edits, publishes and deletes policies.',
  )
  await userEvent.click(form.getByLabelText(/^Name/))
  await userEvent.paste('Policy desk ')
  await userEvent.click(form.getByLabelText('Publish to the public map'))
  await userEvent.click(form.getByLabelText('Edit policies'))
  await userEvent.click(form.getByText('Create role'))
  await waitFor(() =>
    expect(changes()).toEqual([
      ['POST', '/v2/user_roles', { name: 'Policy desk', keys: ['edit_policy', 'publish_to_public_map'] }],
    ]),
  )
})

it('changes only the permissions that were switched', async () => {
  const changes = await renderScreen([testRole('r1', 'Policy desk', ['edit_policy', 'is_admin'])], {
    'PATCH /v2/permissions/role/r1': () =>
      new ErrorResponse(409, 'This would leave your organization without an administrator.'),
  })
  expect((await screen.findByText('Policy desk')).closest('tr')).toHaveTextContent(
    'Policy deskAdministrator, Edit policies',
  )
  await userEvent.click(screen.getByLabelText('Edit permissions of Policy desk'))
  const form = await findDialog()
  expect(form.queryByLabelText(/^Name/)).not.toBeInTheDocument()
  await userEvent.click(form.getByLabelText('Administrator'))
  await userEvent.click(form.getByText('Save'))
  expect(
    await form.findByText('This would leave your organization without an administrator.'),
  ).toBeInTheDocument()
  expect(changes()).toEqual([
    ['PATCH', '/v2/permissions/role/r1', { permissions: [{ key: 'is_admin', enabled: false }] }],
  ])
})

it('makes no request if nothing was switched', async () => {
  const changes = await renderScreen([testRole('r1', 'Policy desk')])
  await userEvent.click(await screen.findByLabelText('Edit permissions of Policy desk'))
  await userEvent.click((await findDialog()).getByText('Save'))
  await waitFor(() => expect(screen.queryByRole('dialog', { hidden: true })).not.toBeInTheDocument())
  expect(changes()).toEqual([])
})

it('deletes a role after confirmation', async () => {
  const changes = await renderScreen([testRole('r1', 'Policy desk')], {
    'DELETE /v2/roles/r1': () => ({ deleted: true }),
  })
  await userEvent.click(await screen.findByLabelText('Delete Policy desk'))
  const confirmation = await findDialog()
  expect(
    confirmation.getByText(
      'Users with this role lose its permissions immediately. The users are not deleted.',
    ),
  ).toBeInTheDocument()
  expect(changes()).toEqual([])
  await userEvent.click(confirmation.getByText('Delete'))
  await waitFor(() => expect(changes()).toEqual([['DELETE', '/v2/roles/r1', null]]))
})
